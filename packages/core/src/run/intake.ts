import type { Scope } from "../call/caller.js";
import { Call, mintId, RunIdentity, UnreadCall } from "../call/head.js";
import { hostFacts, mustBe, noFacts } from "../call/host-facts.js";
import type { CallRequest } from "../call/request.js";
import type { CallOptions } from "../call/run-options.js";
import { unknownMember } from "../call/unknown-members.js";
import { Unreadable } from "../call/unreadable.js";
import { quoted } from "../errors/names.js";
import { Grants } from "../guard/grants.js";
import { own } from "../json/own.js";
import { parseArguments } from "../json/parse.js";
import type { ToolDeclaration } from "../protocol/declaration.js";
import { declaredTool } from "../tool/declared-tools.js";
import type { RegisteredTool, ToolRegistry } from "../tool/registry.js";
import { denyRefused } from "./approve.js";
import { Run, type RunMode, type RunnerContext } from "./run.js";
import { abort, invalid } from "./stop.js";

/**
 * Reads a request into a run, each part of it once.
 *
 * The arguments become frozen plain JSON; the raw ones are never handed on. A
 * request that cannot be read makes a stopped run, which has an outcome and a
 * record like any other.
 */
export function intake(
  runner: RunnerContext,
  mode: RunMode,
  scope: Scope,
  request: CallRequest,
  options: CallOptions,
): Run {
  const name = read(request, "name");
  const requestedName = typeof name === "string" ? name : "";
  const given = read(request, "callId");
  const mintedId = typeof given !== "string" || given === "";
  const callId = mintedId ? mintId() : given;
  const repeatedId = !mintedId && isRepeated(mode, callId, options);
  const receipt = read(request, "receipt");
  const { turnId } = options;
  const facts = hostFacts(options.context);
  const toolName = runner.resolve(requestedName);
  const { registry } = runner.tools;
  const found = findTool(registry, toolName, options.tools);
  const wrong = wrongRequest(request, given) ?? options.wrong ?? wrongIn(facts) ?? wrongIn(found);
  const context = typeof facts === "string" || facts instanceof Unreadable ? noFacts : facts;
  const tool = found instanceof Unreadable ? undefined : found;
  const idSpace = spaceOf(context.sessionId, turnId);
  const fields = {
    run: new RunIdentity(mode.resumed?.runId),
    turnId: turnId ?? mode.turnId,
    callId,
    toolName,
    requestedName,
    agentName: options.agentName ?? runner.agentName,
    context,
    tool: tool?.definition,
    receipt: typeof receipt === "string" && receipt !== "" ? receipt : undefined,
  };
  const isReadable = wrong === undefined && typeof name === "string";
  // The arguments of an aborted call are not read: reading could only make it invalid.
  const isLate = scope.aborted;
  const parsed =
    isReadable && !isLate
      ? parseArguments(read(request, "arguments"), scope.terms.limits)
      : undefined;
  const args = parsed?.ok === true ? parsed.args : undefined;
  const call = args === undefined ? undefined : new Call(fields, args, scope);
  const head = call ?? new UnreadCall(fields);
  const guards = tool?.guards ?? registry.guardsOf(toolName);
  const run = new Run(runner, mode, scope, { head, tool, guards, idSpace, repeatedId, mintedId });
  run.call = call;
  run.askedArgs = args;
  const { grant, refusal } = mode.resumed ?? notResumed;
  if (grant !== undefined) run.grants = new Grants([grant]);

  if (typeof wrong === "string") invalid(run, "unknown_member", wrong);
  else if (wrong !== undefined) {
    scope.report("core", "context", wrong.cause);
    invalid(run, "unreadable_context", "the call's context cannot be read");
  } else if (typeof name !== "string") invalid(run, "invalid_name", "the call names no tool");
  else if (isLate) abort(run, false);
  else if (parsed?.ok === false) {
    const reason = `arguments for tool ${quoted(requestedName)} cannot be read: ${parsed.reason}`;
    invalid(run, parsed.code, reason);
  } else if (refusal !== undefined) denyRefused(run, refusal);
  return run;
}

const notResumed = Object.freeze({ grant: undefined, refusal: undefined });

/** Reads a member of the request. What it throws stands in its place: that is neither text nor JSON. */
function read(request: CallRequest, key: keyof CallRequest): unknown {
  try {
    return own(request, key);
  } catch (error) {
    return new Unreadable(error);
  }
}

/** Says what is wrong with a request: an unknown member, or an id that is not text. */
function wrongRequest(request: CallRequest, callId: unknown): string | Unreadable | undefined {
  if (callId instanceof Unreadable) return callId;
  try {
    const isText = callId === undefined || callId === null || typeof callId === "string";
    return unknownMember(request) ?? (isText ? undefined : mustBe("callId", "a string", callId));
  } catch (error) {
    return new Unreadable(error);
  }
}

function wrongIn(read: unknown): string | Unreadable | undefined {
  return typeof read === "string" || read instanceof Unreadable ? read : undefined;
}

function isRepeated({ seen }: RunMode, callId: string, { repeatedId }: CallOptions): boolean {
  const isSeen = seen?.has(callId) === true || repeatedId;
  seen?.add(callId);
  return isSeen;
}

/** The scope in which an id may be open once: the session, or in it the turn. */
function spaceOf(sessionId: string | undefined, turnId: string | undefined): string | undefined {
  if (turnId === undefined) return sessionId;
  // With its length, no end of a turn's name can be taken for the start of a session's.
  return `${turnId.length}:${turnId}${sessionId === undefined ? "" : `:${sessionId}`}`;
}

function findTool(
  registry: ToolRegistry,
  toolName: string,
  declared: readonly ToolDeclaration[] | undefined,
): RegisteredTool | Unreadable | undefined {
  // A tool of the runner keeps its schema and its guards. A call cannot declare another in its place.
  const known = registry.get(toolName);
  if (known !== undefined || declared === undefined) return known;
  try {
    const tool = declaredTool(declared, toolName);
    return tool === undefined ? undefined : registry.declared(tool);
  } catch (error) {
    return new Unreadable(error);
  }
}
