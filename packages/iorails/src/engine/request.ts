import type { ToolstileError } from "@toolstile/core";
import {
  boolean,
  didYouMean,
  group,
  object,
  optionError,
  ownValue,
  quoted,
  readOptions,
  such,
  unchecked,
} from "@toolstile/core/provider";
import type { ChatMessage } from "../chat/message.js";
import { invalid } from "../errors.js";
import { checkRequestParameters } from "../http/model-client.js";
import type { Toolset, Toolsets } from "../tool-rails/toolset.js";
import type { GenerationOptions, GenerationRequest } from "./answer.js";
import { type Caller, callerOf, callerTable } from "./caller.js";
import { notPlain, plainCopy } from "./plain-copy.js";

/** A request as it was when it came: what is judged is what is sent. */
export interface ReadRequest extends Caller {
  readonly messages: readonly ChatMessage[];
  /** The index that each of them has in the request, if messages that are only for the rails were left out. */
  readonly places: readonly number[] | undefined;
  /** `llm_params` without `tools`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly toolset: Toolset;
  readonly hasTools: boolean;
  readonly options: GenerationOptions | undefined;
  readonly evidence: readonly string[];
}

/** Those that rails know. A message under another would be read by no rail, and perhaps by the model. */
const roles: ReadonlySet<string> = new Set([
  "system",
  "developer",
  "user",
  "assistant",
  "tool",
  "function",
  "context",
]);
/** An option of NeMo's that asks for what this engine does not have: its default may stand there. */
const notHere = such<false | null | readonly []>(
  (value) => value === false || value === null || (Array.isArray(value) && value.length === 0),
  "false (this engine has nothing to give for it)",
);
/** The options of one request, as they travel over HTTP. Null counts as absent. */
export const generationTable = group({
  llm_params: object<Readonly<Record<string, unknown>>>().or(null),
  rails: unchecked<GenerationOptions["rails"]>(),
  context: unchecked<GenerationOptions["context"]>(),
  log: group({
    activated_rails: boolean(),
    llm_calls: boolean(),
    internal_events: notHere,
    colang_history: notHere,
  }).or(null),
  output_vars: notHere,
  llm_output: notHere,
}).or(null);

const requestTable = {
  messages: unchecked<unknown>(),
  prompt: unchecked<unknown>(),
  options: generationTable,
  ...callerTable,
};

/** @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION` that names what is wrong in a request. */
export function readRequest(request: GenerationRequest, toolsets: Toolsets): ReadRequest {
  const read = readOptions("A request", request, requestTable);
  const { prompt } = read;
  let { messages } = read;
  if (messages === undefined || (Array.isArray(messages) && messages.length === 0)) {
    if (typeof prompt !== "string" || prompt === "") {
      throw invalid("A request must have `messages`, or a `prompt` that is not empty.");
    }
    messages = [{ role: "user", content: prompt }];
  } else if (prompt !== undefined) {
    throw invalid("A request must have either `messages` or `prompt`, received both.");
  }
  const options = generationOptions(read.options);
  const given = options?.llm_params ?? {};
  const tools = ownValue(given, "tools");
  checkRequestParameters(given);
  const { context, agentName, signal } = callerOf(read);
  const conversation = readConversation(asJson("messages", messages), options);
  return {
    messages: conversation.messages,
    places: conversation.places,
    evidence: conversation.evidence,
    parameters: asJson("options.llm_params", { ...given, tools: undefined }) as Readonly<
      Record<string, unknown>
    >,
    // Read here and now, from the very objects: they may be known already, and they may change.
    toolset: toolsets.of(tools),
    hasTools: tools !== undefined && tools !== null,
    options,
    context,
    agentName,
    signal,
  };
}

/** The messages for the model, and what those for the rails bring as evidence. @throws ToolstileError `ERR_INVALID_OPTION`. */
export function readConversation(
  messages: unknown,
  options: GenerationOptions | undefined,
): Pick<ReadRequest, "messages" | "places" | "evidence"> {
  if (!Array.isArray(messages)) {
    throw optionError("A request", "messages", "an array of messages", messages);
  }
  const evidence = [...chunksIn("options.context", options?.context)];
  let conversation: ChatMessage[] | undefined;
  let places: number[] | undefined;
  for (let index = 0; index < messages.length; index++) {
    const message: ChatMessage = messages[index];
    const role = ownValue(message, "role");
    if (typeof role !== "string") {
      throw optionError("A request", `messages[${index}].role`, "a string", role);
    }
    if (!roles.has(role)) throw unknownRole(index, role);
    // No model knows this role: it is how a request brings facts for rails.
    if (role === "context") {
      for (const each of chunksIn(`messages[${index}].content`, ownValue(message, "content")))
        evidence.push(each);
      // A copy is made only where there is something to leave out.
      conversation ??= messages.slice(0, index);
      places ??= Array.from(conversation.keys());
    } else {
      conversation?.push(message);
      places?.push(index);
    }
  }
  return { messages: conversation ?? messages, places, evidence };
}

const evidenceTable = { relevant_chunks: unchecked<unknown>() };

/**
 * The evidence that a rail on facts holds an answer to.
 *
 * @throws ToolstileError for anything else: the rail would pass without a word.
 */
function chunksIn(where: string, value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  let chunks: unknown = value;
  if (typeof value === "object" && !Array.isArray(value)) {
    chunks = readOptions(where, value, evidenceTable).relevant_chunks ?? [];
  }
  const list: readonly unknown[] = Array.isArray(chunks) ? [...chunks] : [chunks];
  if (list.every((chunk) => typeof chunk === "string")) {
    return list.filter((chunk) => chunk.trim() !== "");
  }
  throw optionError(
    "A request",
    `relevant_chunks of ${where}`,
    "a string, or an array of strings",
    chunks,
  );
}

/** The options as they are now: which rails run must not change while they do. */
export function generationOptions(
  options: ReturnType<typeof generationTable.read>,
): GenerationOptions | undefined {
  if (options === undefined || options === null) return undefined;
  const rails = asJson("options.rails", options.rails) as GenerationOptions["rails"];
  const { activated_rails, llm_calls } = options.log ?? {};
  const logs = activated_rails === true || llm_calls === true;
  return {
    llm_params: options.llm_params ?? undefined,
    rails,
    context: options.context,
    log: logs ? { activated_rails, llm_calls } : undefined,
  };
}

/** A value as JSON has it: nothing in it can change while rails judge it. @throws ToolstileError `ERR_INVALID_OPTION`. */
export function asJson(where: string, value: unknown): unknown {
  if (value === undefined) return undefined;
  try {
    const copy = plainCopy(value);
    return copy === notPlain ? JSON.parse(JSON.stringify(value)) : copy;
  } catch {
    throw invalid(`A request: ${where} must be a value that JSON can hold.`);
  }
}

function unknownRole(index: number, role: string): ToolstileError {
  return invalid(
    `messages[${index}] has the role ${quoted(role)}, which no rail reads.${didYouMean(role, roles)} There are: ${[...roles].join(", ")}.`,
  );
}
