import { checkOptions, didYouMean, quoted, ToolstileError } from "@toolstile/core";
import { refusalFor } from "../chat/answer.js";
import { CallAssembly } from "../chat/call-assembly.js";
import { callEntries, readFunctionCall } from "../chat/call-fragment.js";
import type { AskedCall, ChatMessage } from "../chat/message.js";
import { ModelError } from "../errors.js";
import { own } from "../own-property.js";
import { callFlow } from "../tool-rails/call-violation.js";
import type { Toolsets } from "../tool-rails/toolset.js";
import type { Violation } from "../violation.js";
import {
  type CheckRequest,
  type CheckResult,
  type GenerationOptions,
  type RailType,
  refusal,
} from "./answer.js";
import { readCaller } from "./caller.js";
import { handOut } from "./hand-out.js";
import type { Parts } from "./parts.js";
import { asJson, type ReadRequest, readConversation, readOptions } from "./request.js";
import type { Turn } from "./turn.js";

const members = ["messages", "tools", "railTypes", "options", "context", "agentName", "signal"];
const railTypes: readonly RailType[] = ["tool_result", "input", "tool_call", "output"];

/** A conversation to judge, as it was when it came. */
export interface ReadCheck extends ReadRequest {
  /** The last message of the assistant. */
  readonly last: Found | undefined;
  /** What it asks for; absent where that cannot be read. */
  readonly calls: readonly AskedCall[] | undefined;
  /** What to judge, if the caller chose. */
  readonly railTypes: readonly RailType[] | undefined;
}

/** @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION` that names what is wrong. */
export function readCheck(request: CheckRequest, toolsets: Toolsets): ReadCheck {
  checkOptions("check()", request, members);
  const options = readOptions(own(request, "options"));
  const tools = toolsOf(request, options);
  const { context, agentName, signal } = readCaller(request);
  const given = own(request, "messages");
  if (Array.isArray(given) && given.length === 0) throw invalid("check() needs messages.");
  const conversation = readConversation(asJson("messages", given), options);
  const { messages, places, evidence } = conversation;
  const last = lastOf(messages, "assistant");
  const calls = last === undefined ? [] : callsOf(last.message);
  const names = calls?.map(({ name, type }) => name ?? type);
  // Written out: members after a spread cost ten times as much.
  return {
    messages,
    places,
    evidence,
    last,
    calls,
    parameters: {},
    toolset: names === undefined ? toolsets.of(tools) : toolsets.forCalls(tools, new Set(names)),
    hasTools: tools !== undefined && tools !== null,
    options,
    context,
    agentName,
    signal,
    railTypes: readRailTypes(own(request, "railTypes")),
  };
}

/** Where `check` takes them, or where `generate` does: whoever has options for the one passes them to the other. */
function toolsOf(request: CheckRequest, options: GenerationOptions | undefined): unknown {
  const tools = own(request, "tools") ?? undefined;
  const ofOptions = own(options?.llm_params, "tools") ?? undefined;
  if (tools !== undefined && ofOptions !== undefined) {
    throw invalid("check() takes tools, or options.llm_params.tools, and not both.");
  }
  return tools ?? ofOptions;
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for a type that there is not. */
function readRailTypes(asked: unknown): readonly RailType[] | undefined {
  if (asked === undefined) return undefined;
  if (!Array.isArray(asked) || asked.length === 0) {
    throw invalid(`railTypes is a list that is not empty, of: ${railTypes.join(", ")}.`);
  }
  return Array.from(asked as readonly unknown[], (type) => {
    const known = railTypes.find((each) => each === type);
    if (known !== undefined) return known;
    const name = String(type);
    throw invalid(
      `railTypes has no ${quoted(name)}.${didYouMean(name, railTypes)} It takes: ${railTypes.join(", ")}.`,
    );
  });
}

/**
 * Judge a conversation as it stands. Tool rails ask no model, and guards on
 * calls are asked only: nothing is admitted, so nothing is taken.
 */
export async function check(turn: Turn, parts: Parts, request: ReadCheck): Promise<CheckResult> {
  const types = chosenTypes(turn, parts, request);
  const { last, calls } = request;
  const violations: Violation[] = [];
  if (types.has("tool_result")) violations.push(...(await turn.judgeResults()));
  // Guards that cost a model call are not asked about what is blocked already.
  if (types.has("input") && violations.length === 0) violations.push(...(await turn.judgeInput()));
  if (types.has("tool_call") && last !== undefined) {
    violations.push(...(await judgeCalls(turn, last, calls)));
  }
  if (types.has("output") && violations.length === 0 && last !== undefined) {
    const text = textOf(last.message);
    if (text !== "") {
      const found = await turn.judgeOutput(text);
      violations.push(...found.violations);
      if (found.text !== undefined) turn.replace(last.index, { content: found.text }, found.flow);
    }
  }
  const { messages, modified } = turn;
  const reported = types.has("output") || types.has("tool_call") ? "assistant" : "user";
  if (violations.length > 0) {
    return { status: "blocked", content: refusal, rail: violations[0]?.rail, violations, messages };
  }
  const shown = lastOf(messages, reported)?.message ?? messages.at(-1);
  return {
    status: modified ? "modified" : "passed",
    content: textOf(shown),
    rail: turn.modifiedBy,
    violations,
    messages,
  };
}

async function judgeCalls(
  turn: Turn,
  last: Found,
  calls: readonly AskedCall[] | undefined,
): Promise<readonly Violation[]> {
  if (calls === undefined) {
    const reason = "tool_calls of the last assistant message cannot be read";
    return [{ kind: "tool_call", violationType: "malformed_calls", reason, rail: callFlow }];
  }
  const decided = await turn.decideCalls({ calls }, true);
  if (decided.violations.length === 0 && decided.calls.some(({ modified }) => modified)) {
    const toolCalls = handOut(decided.calls, undefined, undefined);
    turn.replace(last.index, { tool_calls: toolCalls }, decided.modifiedBy);
  }
  return decided.violations;
}

/**
 * What to judge. Of what the caller did not choose, whatever is configured and
 * there: a call whose tools nobody declared cannot be judged.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for a type that is not configured.
 */
function chosenTypes(
  turn: Turn,
  { data, callRail, resultRail }: Parts,
  { hasTools, railTypes: asked }: ReadCheck,
): ReadonlySet<RailType> {
  const configured: Readonly<Record<RailType, boolean>> = {
    tool_result: data.toolInput.flows.length > 0 || resultRail.hasGuards,
    input: data.input.flows.length > 0,
    tool_call: data.toolOutput.flows.length > 0 || callRail.hasGuards,
    output: data.output.flows.length > 0,
  };
  if (asked === undefined) {
    const { messages, toolset } = turn;
    const there: Readonly<Record<RailType, boolean>> = {
      tool_result: true,
      input: lastOf(messages, "user") !== undefined,
      tool_call: hasTools || toolset.declarations.length > 0,
      output: lastOf(messages, "assistant") !== undefined,
    };
    return new Set(railTypes.filter((type) => configured[type] && there[type]));
  }
  for (const type of asked) {
    if (!configured[type]) throw invalid(`No rail is configured for railTypes '${type}'.`);
  }
  return new Set(asked);
}

/** The calls of a message; nothing where they cannot be read. */
function callsOf(message: ChatMessage): readonly AskedCall[] | undefined {
  const refuse = refusalFor("assistant");
  const calls = new CallAssembly(refuse, {});
  try {
    calls.takeWhole(callEntries(message, refuse), readFunctionCall(message, refuse));
  } catch (error) {
    if (ModelError.isInstance(error)) return undefined;
    throw error;
  }
  return calls.calls();
}

interface Found {
  readonly message: ChatMessage;
  readonly index: number;
}

function lastOf(messages: readonly ChatMessage[], role: string): Found | undefined {
  const index = messages.findLastIndex((message) => own(message, "role") === role);
  const message = messages[index];
  return message === undefined ? undefined : { message, index };
}

function textOf(message: unknown): string {
  const content = own(message, "content");
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => own(part, "text"))
    .filter((text) => typeof text === "string")
    .join("");
}

function invalid(message: string): ToolstileError {
  return new ToolstileError("ERR_INVALID_OPTION", message);
}
