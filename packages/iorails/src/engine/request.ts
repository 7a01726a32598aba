import { checkOptions, didYouMean, quoted, ToolstileError } from "@toolstile/core";
import type { ChatMessage } from "../chat/message.js";
import { checkRequestParameters } from "../http/model-client.js";
import { own } from "../own-property.js";
import type { Toolset, Toolsets } from "../tool-rails/toolset.js";
import type { GenerationOptions, GenerationRequest } from "./answer.js";
import { type Caller, readCaller } from "./caller.js";
import { notPlain, plainCopy } from "./plain-copy.js";

/** A request as it was when it came: what is judged is what is sent. */
export interface ReadRequest extends Caller {
  readonly messages: readonly ChatMessage[];
  /** Where each of them stands in the request, if some that are for the rails alone were left out. */
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
const requestMembers = ["messages", "prompt", "options", "context", "agentName", "signal"];
const optionMembers = ["llm_params", "rails", "context"];

/** @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION` that names what is wrong in a request. */
export function readRequest(request: GenerationRequest, toolsets: Toolsets): ReadRequest {
  checkOptions("A request", request, requestMembers);
  const prompt = own(request, "prompt");
  let messages = own(request, "messages");
  if (messages === undefined || (Array.isArray(messages) && messages.length === 0)) {
    if (typeof prompt !== "string" || prompt === "") {
      throw invalid("A request needs messages, or a prompt that is not empty.");
    }
    messages = [{ role: "user", content: prompt }];
  } else if (prompt !== undefined) {
    throw invalid("A request has messages, or a prompt in their place, and not both.");
  }
  const options = readOptions(own(request, "options"));
  const given = options?.llm_params ?? {};
  const tools = own(given, "tools");
  checkRequestParameters(given);
  const { context, agentName, signal } = readCaller(request);
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
  if (!Array.isArray(messages)) throw invalid("messages is a list of messages.");
  const evidence = [...chunksIn("options.context", options?.context)];
  let conversation: ChatMessage[] | undefined;
  let places: number[] | undefined;
  for (let index = 0; index < messages.length; index++) {
    const message: ChatMessage = messages[index];
    const role = own(message, "role");
    if (typeof role !== "string") throw invalid(`messages[${index}] is no message with a role.`);
    if (!roles.has(role)) throw unknownRole(index, role);
    // No model knows this role: it is how a request brings facts for rails.
    if (role === "context") {
      evidence.push(...chunksIn(`messages[${index}].content`, own(message, "content")));
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

/**
 * What a rail on facts holds an answer to.
 *
 * @throws ToolstileError for anything else: the rail would pass without a word.
 */
function chunksIn(where: string, value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  let chunks: unknown = value;
  if (typeof value === "object" && !Array.isArray(value)) {
    checkOptions(where, value, ["relevant_chunks"]);
    chunks = own(value, "relevant_chunks") ?? [];
  }
  const list: readonly unknown[] = Array.isArray(chunks) ? [...chunks] : [chunks];
  if (list.every((chunk) => typeof chunk === "string")) {
    return list.filter((chunk) => chunk.trim() !== "");
  }
  throw invalid(`${where} holds relevant_chunks: a text, or a list of texts.`);
}

/** @throws ToolstileError for options of the wrong shape, or with a member that nobody reads. */
export function readOptions(options: unknown): GenerationOptions | undefined {
  if (options === undefined || options === null) return undefined;
  checkOptions("options", options, optionMembers);
  const parameters = own(options, "llm_params") ?? undefined;
  if (parameters !== undefined && (typeof parameters !== "object" || Array.isArray(parameters))) {
    throw invalid("options.llm_params is an object.");
  }
  return {
    llm_params: parameters as Readonly<Record<string, unknown>> | undefined,
    // As they are now: which rails run must not change while they do.
    rails: asJson("options.rails", own(options, "rails")) as GenerationOptions["rails"],
    context: own(options, "context") as GenerationOptions["context"],
  };
}

/** A value as JSON has it: nothing in it can change while rails judge it. @throws ToolstileError `ERR_INVALID_OPTION`. */
export function asJson(where: string, value: unknown): unknown {
  if (value === undefined) return undefined;
  try {
    const copy = plainCopy(value);
    return copy === notPlain ? JSON.parse(JSON.stringify(value)) : copy;
  } catch {
    throw invalid(`${where} cannot be put as JSON.`);
  }
}

function unknownRole(index: number, role: string): ToolstileError {
  return invalid(
    `messages[${index}] has the role ${quoted(role)}, which no rail reads.${didYouMean(role, roles)} There are: ${[...roles].join(", ")}.`,
  );
}

function invalid(message: string): ToolstileError {
  return new ToolstileError("ERR_INVALID_OPTION", message);
}
