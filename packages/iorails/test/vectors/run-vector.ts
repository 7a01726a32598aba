import { ToolstileError } from "@toolstile/core";
import { type ModelReply, modelServer } from "@toolstile/testing";
import { hooks } from "../../src/hooks.js";
import { Guardrails, RailsConfig, type StreamChunk, type Violation } from "../../src/index.js";

/** One case of NeMo's behaviour, as ../shared/data/iorails-today writes it down. */
export interface Vector {
  readonly id: string;
  readonly area: string;
  readonly mode: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly messages?: readonly Readonly<Record<string, unknown>>[];
  readonly railTypes?: readonly string[];
  readonly tools?: readonly unknown[];
  readonly options?: Readonly<Record<string, unknown>>;
  readonly replies?: Readonly<Record<string, readonly Reply[]>>;
  /** Of a hook: the agent that sends it, and its body. */
  readonly agent?: string;
  readonly body?: unknown;
  readonly expect: Expectation;
  /** What this engine does in place of it. */
  readonly ruling?: Expectation & { readonly mode?: string };
}

interface Reply {
  readonly status?: number;
  readonly raw?: string;
  readonly body?: unknown;
  readonly sse?: readonly string[];
}

export interface Expectation {
  readonly outcome?: string;
  readonly content?: string;
  readonly contentExcludes?: string;
  readonly rail?: string;
  readonly reason?: string;
  readonly failed?: boolean;
  readonly family?: string;
  readonly violations?: readonly object[];
  readonly violation?: Readonly<Record<string, unknown>>;
  readonly violationParam?: string;
  readonly noToolCalls?: boolean;
  readonly events?: readonly Readonly<Record<string, unknown>>[];
  readonly eventsText?: string;
  readonly log?: object;
  readonly shape?: string;
  readonly errorIncludes?: readonly string[];
  readonly upstream?: Readonly<Record<string, number>>;
  readonly upstreamIncludes?: string;
  readonly upstreamExcludes?: string;
  readonly upstreamBody?: Readonly<Record<string, object>>;
  /** Of a hook: the status and the body of its answer. */
  readonly status?: number;
  readonly statusNot2xx?: boolean;
  readonly body?: object;
}

/** What came of a vector. */
export interface Outcome {
  readonly outcome: string;
  readonly error?: string;
  readonly content?: string | null;
  readonly rail?: string | undefined;
  readonly violations: readonly Violation[];
  readonly chunks: readonly StreamChunk[];
  readonly response?: unknown;
  readonly asked: readonly { readonly model: string; readonly body: unknown }[];
}

/** Runs a vector in front of a scripted model. */
export async function runVector(vector: Vector): Promise<Outcome> {
  const left = new Map(Object.entries(vector.replies ?? {}).map(([key, all]) => [key, [...all]]));
  const asked: { model: string; body: unknown }[] = [];
  await using server = await modelServer(({ path, body }) => {
    const model = String((body as { model?: unknown }).model ?? path);
    const key = left.has(model) ? model : path;
    asked.push({ model: key, body });
    const [first, ...rest] = left.get(key) ?? [];
    if (rest.length > 0) left.set(key, rest);
    return replyOf(first);
  });
  const config = JSON.parse(JSON.stringify(vector.config).replaceAll("@BASE@", server.url));
  const found = { violations: [], chunks: [], asked };
  if (vector.mode.startsWith("hook")) return { ...found, ...(await hooking(config, vector)) };
  let rails: Guardrails;
  try {
    rails = new Guardrails(await RailsConfig.fromContent({ config }), {
      env: { OPENAI_API_KEY: "k" },
    });
  } catch (error) {
    if (!ToolstileError.isInstance(error)) throw error;
    return { ...found, outcome: "refused", error: error.message };
  }
  const mode = vector.ruling?.mode ?? vector.mode;
  if (mode === "load") return { ...found, outcome: "loaded" };
  try {
    return { ...found, ...(await asking(rails, vector, mode)) };
  } catch (error) {
    if (!ToolstileError.isInstance(error)) throw error;
    return { ...found, outcome: "error", error: error.message };
  } finally {
    await rails.close();
  }
}

/** The answer to a hook, and a configuration that is refused at start. */
async function hooking(
  config: object,
  { agent, body }: Vector,
): Promise<Pick<Outcome, "outcome" | "error" | "response">> {
  try {
    await using handle = hooks(await RailsConfig.fromContent({ config }), { env: {} });
    if (body === undefined) return { outcome: "loaded" };
    const answer = await handle(
      new Request(`http://127.0.0.1:8100/v1/hooks/${agent}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
    return { outcome: String(answer.status), response: await answer.json() };
  } catch (error) {
    if (!ToolstileError.isInstance(error)) throw error;
    return { outcome: "refused", error: error.message };
  }
}

async function asking(
  rails: Guardrails,
  { messages = [], options, railTypes, tools }: Vector,
  mode: string,
): Promise<Omit<Outcome, "asked" | "chunks"> & { readonly chunks?: readonly StreamChunk[] }> {
  if (mode === "check") {
    const request = { messages, options, railTypes, tools } as never;
    const { status, content, rail, violations } = await rails.check(request);
    return { outcome: status, content, rail, violations };
  }
  if (mode === "generate") {
    const result = await rails.generate({ messages, options } as never);
    const { status, message, violations } = result;
    return {
      outcome: status,
      content: message.content,
      rail: violations[0]?.rail,
      violations,
      response: result,
    };
  }
  const chunks: StreamChunk[] = [];
  for await (const chunk of rails.stream({ messages, options } as never)) chunks.push(chunk);
  const last = chunks.at(-1);
  if (last?.type === "error") return { outcome: "error", violations: [], chunks };
  const violations = last?.type === "violation" ? last.violations : [];
  return { outcome: violations.length > 0 ? "blocked" : "passed", violations, chunks };
}

function replyOf(reply: Reply | undefined): ModelReply {
  if (reply === undefined) return { status: 500, body: "no reply is left" };
  if (reply.sse !== undefined) {
    return { events: reply.sse.map((data) => `data: ${data}\n\n`), done: false };
  }
  return { status: reply.status ?? 200, body: reply.body ?? reply.raw ?? "" };
}
