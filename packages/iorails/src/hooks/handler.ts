import { type JsonObject, ToolstileError } from "@toolstile/core";
import { parseArguments } from "@toolstile/core/provider";
import { type Agent, agents, type HookCall } from "./agents.js";
import { HookError } from "./hook-error.js";
import { abandoned, type BodyLimits, readText } from "./read-text.js";

/** The reason that stands in the way of a call. */
export interface Denial {
  readonly reason: string;
  /** True if a rail or a policy found it that NeMo Guardrails has too; false of the host's own guards. */
  readonly isOfRail: boolean;
}

/** Decides on one call. Without a denial the agent may run it. */
export type Decide = (call: HookCall, signal: AbortSignal) => Promise<Denial | undefined>;

/** Answers one request: an allow, a deny, or a status that is not 2xx. It never rejects. */
export async function answerHook(
  request: Request,
  decide: Decide,
  limits: BodyLimits,
  onError: (error: unknown) => void,
): Promise<Response> {
  try {
    return Response.json(await decision(request, decide, limits));
  } catch (error) {
    const { status, code, message, headers } = hookError(error, onError);
    return Response.json({ error: { code, message } }, { status, headers });
  }
}

async function decision(request: Request, decide: Decide, limits: BodyLimits): Promise<object> {
  const agent = agentFor(request);
  const body = bodyIn(await readText(request, limits), limits);
  if (typeof body === "string") return agent.denied(body, true);
  const denial = await decide(agent.read(body), request.signal);
  return denial === undefined ? agent.allowed : agent.denied(denial.reason, denial.isOfRail);
}

const path = /\/v1\/hooks\/([^/]*)$/;
const json = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** @throws HookError for a request that is no hook. */
function agentFor(request: Request): Agent {
  const [, name = ""] = path.exec(new URL(request.url).pathname) ?? [];
  const agent = agents.get(name);
  if (agent === undefined) {
    const paths = [...agents.keys()].map((each) => `/v1/hooks/${each}`).join(", ");
    throw new HookError(404, "unknown_path", `The path must end in one of ${paths}.`);
  }
  if (request.method !== "POST") {
    throw new HookError(405, "method_not_allowed", "The method must be POST.", { allow: "POST" });
  }
  if (!json.test(request.headers.get("content-type") ?? "")) {
    throw new HookError(415, "unsupported_media_type", "The body must be application/json.");
  }
  return agent;
}

/** The arguments have core's limits, and the other members of a hook need little room beside them. */
const roomFor = { maxDepth: 66, maxNodes: 100_200 };

/**
 * The body as an object; or the reason to deny its call, of JSON that two
 * readers could take for two calls.
 *
 * @throws HookError for a body that is not a JSON object.
 */
function bodyIn(text: string, { maxBodyBytes }: BodyLimits): JsonObject | string {
  // Blank text would be an object without members.
  if (text.trim() === "") throw notJson();
  const read = parseArguments(text, { ...roomFor, maxBytes: maxBodyBytes });
  if (read.ok) return read.args;
  if (read.code === "invalid_json") throw notJson();
  if (read.code === "not_an_object") {
    throw new HookError(422, "invalid_hook", "The body must be a JSON object.");
  }
  return `the members of the hook cannot be read: ${read.reason}`;
}

function notJson(): HookError {
  return new HookError(400, "invalid_json", "The body must be JSON in UTF-8.");
}

function hookError(error: unknown, onError: (error: unknown) => void): HookError {
  if (error instanceof HookError) return error;
  const code = ToolstileError.isInstance(error) ? error.code : undefined;
  if (code === "ERR_ABORTED") return abandoned();
  if (code === "ERR_CLOSED") return new HookError(503, "closed", "The hooks are closed.");
  if (code === "ERR_BUSY") {
    const message = "Too many calls are being decided on.";
    return new HookError(503, "busy", message, { "retry-after": "30" });
  }
  onError(error);
  return new HookError(500, "not_decided", "The call could not be decided on.");
}
