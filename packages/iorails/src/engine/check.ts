import {
  didYouMean,
  optionError,
  ownText,
  ownValue,
  quoted,
  readOptions,
  unchecked,
} from "@toolstile/core/provider";
import { refusalFor } from "../chat/answer.js";
import { readCalls } from "../chat/completion.js";
import type { AskedCall, ChatMessage } from "../chat/message.js";
import { nameToday } from "../config/older-names.js";
import { invalid, ModelError } from "../errors.js";
import { partText } from "../model-rails/user-text.js";
import { callFlow } from "../tool-rails/call-violation.js";
import type { Toolsets } from "../tool-rails/toolset.js";
import type { Violation } from "../violation.js";
import {
  type CheckRequest,
  type CheckResult,
  type GenerationOptions,
  type RailType,
  refusalOf,
} from "./answer.js";
import { callerOf, callerTable } from "./caller.js";
import { toolViolations } from "./generation-response.js";
import { handOut } from "./hand-out.js";
import type { Parts } from "./parts.js";
import {
  asJson,
  generationOptions,
  generationTable,
  type ReadRequest,
  readConversation,
} from "./request.js";
import type { Turn } from "./turn.js";

const checkTable = {
  messages: unchecked<unknown>(),
  tools: unchecked<unknown>(),
  railTypes: unchecked<unknown>(),
  options: generationTable,
  ...callerTable,
};
type Judged = Exclude<RailType, "tool_output" | "tool_input">;
const railTypes: readonly Judged[] = ["tool_result", "input", "tool_call", "output"];

/** A conversation to judge, as it was when it came. */
export interface ReadCheck extends ReadRequest {
  /** The last message of the assistant. */
  readonly last: Found | undefined;
  /** Its tool calls; absent if they cannot be read. */
  readonly calls: readonly AskedCall[] | undefined;
  /** The rails that the caller chose. */
  readonly railTypes: readonly Judged[] | undefined;
}

/** @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION` that names what is wrong. */
export function readCheck(request: CheckRequest, toolsets: Toolsets): ReadCheck {
  const read = readOptions("check()", request, checkTable);
  const options = generationOptions(read.options);
  const { tools, replaces } = toolsOf(read.tools, options);
  const asked = readRailTypes(read.railTypes);
  if (replaces && asked !== undefined && !asked.includes("tool_call")) {
    throw invalid(
      "check(): `tools` say what may be called, and railTypes do not have 'tool_call'.",
    );
  }
  const { context, agentName, signal } = callerOf(read);
  const given = read.messages;
  if (Array.isArray(given) && given.length === 0) {
    throw invalid("check(): `messages` must not be empty.");
  }
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
    toolset:
      names === undefined
        ? toolsets.of(tools, replaces)
        : toolsets.forCalls(tools, new Set(names), replaces),
    hasTools: tools !== undefined && tools !== null,
    options,
    context,
    agentName,
    signal,
    railTypes: asked,
  };
}

/** The tools of a request. They stand where `check` takes them or where `generate` does, so that both can be given the same options. */
function toolsOf(
  given: unknown,
  options: GenerationOptions | undefined,
): { readonly tools: unknown; readonly replaces: boolean } {
  const tools = given ?? undefined;
  const ofOptions = ownValue(options?.llm_params, "tools") ?? undefined;
  if (tools !== undefined && ofOptions !== undefined) {
    throw invalid("check() must have either `tools` or `options.llm_params.tools`, received both.");
  }
  return { tools: tools ?? ofOptions, replaces: tools !== undefined };
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for a type that there is not. */
function readRailTypes(asked: unknown): readonly Judged[] | undefined {
  if (asked === undefined) return undefined;
  if (!Array.isArray(asked) || asked.length === 0) {
    throw optionError(
      "check()",
      "railTypes",
      `an array, not empty, of: ${railTypes.join(", ")}`,
      asked,
    );
  }
  return Array.from(asked as readonly unknown[], (type) => {
    const known = railTypes.find((each) => each === nameToday(["rails"], String(type)));
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
  let violations = await turn.judgeResults(types.has("tool_result"));
  // Guards that cost a model call are not asked about what is blocked already.
  if (types.has("input") && violations.length === 0) violations = await turn.judgeInput();
  if (types.has("tool_call") && last !== undefined) {
    violations = violations.concat(await judgeCalls(turn, last, calls));
  }
  if (types.has("output") && violations.length === 0 && last !== undefined) {
    const text = messageText(last.message);
    if (text !== "") {
      const found = await turn.judgeOutput(text);
      violations = found.violations;
      if (found.text !== undefined) {
        const content = { content: found.text, refusal: undefined, audio: undefined };
        turn.replace(last.index, content, found.flow);
      }
    }
  }
  const { messages, modifiedBy } = turn;
  turn.log?.blockedBy(violations);
  const log = turn.log?.written();
  const found = { violations, tool_violations: toolViolations(violations), messages, log };
  const [first] = violations;
  if (first !== undefined) {
    const { rail, reason } = first;
    return { status: "blocked", content: refusalOf(violations), rail, reason, ...found };
  }
  const reported = types.has("output") || types.has("tool_call") ? "assistant" : "user";
  const shown = lastOf(messages, reported)?.message ?? messages.at(-1);
  return {
    status: modifiedBy !== undefined ? "modified" : "passed",
    content: messageText(shown),
    rail: modifiedBy,
    ...found,
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
 * The rails to ask. If the caller did not choose, whatever is configured and
 * there: a call cannot be judged without declared tools.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for a type that is not configured.
 */
function chosenTypes(
  turn: Turn,
  { data, callRail, resultRail }: Parts,
  { hasTools, railTypes: asked }: ReadCheck,
): ReadonlySet<Judged> {
  const configured: Readonly<Record<Judged, boolean>> = {
    tool_result: data.toolResult.flows.length > 0 || resultRail.hasGuards,
    input: data.input.flows.length > 0,
    tool_call: data.toolCall.flows.length > 0 || callRail.hasGuards,
    output: data.output.flows.length > 0,
  };
  if (asked === undefined) {
    const { messages, toolset } = turn;
    const there: Readonly<Record<Judged, boolean>> = {
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
  try {
    return readCalls(message, refusalFor("assistant"));
  } catch (error) {
    if (ModelError.isInstance(error)) return undefined;
    throw error;
  }
}

interface Found {
  readonly message: ChatMessage;
  readonly index: number;
}

function lastOf(messages: readonly ChatMessage[], role: string): Found | undefined {
  const index = messages.findLastIndex((message) => ownValue(message, "role") === role);
  const message = messages[index];
  return message === undefined ? undefined : { message, index };
}

/** All that a message says: its content, a refusal, and the words of an answer that is spoken. */
function messageText(message: unknown): string {
  const content = ownValue(message, "content");
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  const refusal = ownText(message, "refusal") ?? "";
  const spoken = ownText(ownValue(message, "audio"), "transcript") ?? "";
  return (
    parts.map((part) => partText(part) ?? ownText(part, "refusal") ?? "").join("") +
    refusal +
    spoken
  );
}
