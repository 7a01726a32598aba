import type { CallContext, JsonObject, ToolContent, ToolDefinition } from "@toolstile/core";
import {
  didYouMean,
  hasDuplicateKeys,
  isJsonObject,
  ownText,
  ownValue,
  quoted,
} from "@toolstile/core/provider";
import type { SampleResult } from "@toolstile/rules/analysis";
import { type Verdict, verdicts } from "../policy/ruling.js";
import { type Conversation, readConversation } from "../traffic/conversation.js";
import { isResult, type RequestedCall, requestedCalls } from "../traffic/requested-calls.js";
import { readTime, timeForm } from "./sample-time.js";

/** A call to try guards with. */
export interface SampleCall {
  /** The place where it was given: "--call 2", "calls.jsonl:7". */
  readonly from: string;
  readonly name: string;
  /** JSON text or an object; not looked at yet. */
  readonly arguments: unknown;
  readonly agent: string | undefined;
  readonly context: CallContext;
  /** The result, if results are to be judged too. */
  readonly result: SampleResult | undefined;
  /** True for a call of a recorded conversation, whose result is what a model has read. */
  readonly isRecorded: boolean;
  /** The time at which rules are asked, in milliseconds since 1970. */
  readonly at: number | undefined;
  /** The verdicts of which one must come out; undefined if any will do. */
  readonly expect: readonly Verdict[] | undefined;
  /** The rule or the guard that must have decided. */
  readonly by: string | undefined;
}

/** The calls of a text, or the reason why it has none, in words that follow "the line". */
export type SampleReading =
  | { readonly calls: readonly SampleCall[]; readonly fault?: undefined }
  | { readonly fault: string };

/** All samples that are not of a conversation are calls of one session. */
const session = "samples";

/** Reads `TOOL {"JSON": …} -> VERDICT`, as docs/rules.md writes samples. */
export function readCallText(text: string, from: string): SampleReading {
  const arrow = text.lastIndexOf("->");
  const verdict = arrow === -1 ? "" : text.slice(arrow + 2).trim();
  // Behind an arrow within the JSON, its end follows.
  const hasVerdict = /^[\w-]+$/.test(verdict);
  const call = (hasVerdict ? text.slice(0, arrow) : text).trim();
  const start = call.indexOf("{");
  const name = (start === -1 ? call : call.slice(0, start)).trim();
  const args = start === -1 ? "{}" : call.slice(start);
  // Whatever else stands there would be taken for arguments that are no JSON, and those are always denied.
  if (!/^\S+$/.test(name) || readObject(args) === undefined) return { fault: notOneCall };
  const expect = hasVerdict ? readVerdicts(verdict) : undefined;
  if (typeof expect === "string") return { fault: expect };
  return { calls: [{ ...plain, from, name, arguments: args, expect }] };
}

const notOneCall = `must be a tool's name and one JSON object, as in 'search {"q": "tea"} -> allow'. An agent, a context, a time or a result can stand in a line of --calls`;

const plain = {
  agent: undefined,
  context: { sessionId: session },
  result: undefined,
  isRecorded: false,
  at: undefined,
  by: undefined,
} as const;

const members = ["name", "arguments", "result", "agent", "context", "at", "expect", "by"];

/** Reads a line of a file: one call, or a conversation as `toolstile replay` reads it. */
export function readCallLine(text: string, from: string): SampleReading {
  const line = readObject(text);
  if (line === undefined) return { fault: "is not a JSON object" };
  // A runner denies such arguments, and of two expectations one would be lost.
  if (hasDuplicateKeys(text, line)) return { fault: "has an object with the same key twice" };
  if (ownValue(line, "messages") === undefined) return readOneCall(line, from);
  const reading = readConversation(text);
  return "fault" in reading ? reading : { calls: callsIn(reading.conversation, from) };
}

function readObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The engine's message quotes the text.
    return undefined;
  }
}

function readOneCall(line: object, from: string): SampleReading {
  const stray = Object.keys(line).find((key) => !members.includes(key));
  if (stray !== undefined) {
    return {
      fault: `has a member ${quoted(stray)}.${didYouMean(stray, members)} There are: ${members.join(", ")}`,
    };
  }
  const name = ownText(line, "name");
  if (name === undefined)
    return { fault: "must have the name of a tool, or the messages of a conversation" };
  for (const key of ["agent", "by"]) {
    const value = ownValue(line, key);
    if (value !== undefined && typeof value !== "string")
      return { fault: `'${key}' must be a text` };
  }
  const context = ownValue(line, "context") ?? {};
  if (typeof context !== "object" || Array.isArray(context)) {
    return { fault: "'context' must be an object" };
  }
  const written = ownValue(line, "at");
  const at = typeof written === "string" ? readTime(written) : undefined;
  if (written !== undefined && at === undefined) return { fault: `'at' must be ${timeForm}` };
  const expected = ownValue(line, "expect");
  const expect = expected === undefined ? undefined : readVerdicts(expected);
  if (typeof expect === "string") return { fault: expect };
  const result = readResult(ownValue(line, "result"));
  if (typeof result === "string") return { fault: result };
  const call: SampleCall = {
    from,
    name,
    arguments: ownValue(line, "arguments") ?? {},
    agent: ownText(line, "agent"),
    context: { sessionId: session, ...context },
    result,
    isRecorded: false,
    at,
    expect,
    by: ownText(line, "by"),
  };
  return { calls: [call] };
}

const resultMembers = ["content", "structured", "isError"];

/** Reads a text, a list of parts, or an object of these. @returns the reason as a text, if it is none. */
function readResult(given: unknown): SampleResult | string | undefined {
  if (given === undefined) return undefined;
  if (typeof given === "string" || Array.isArray(given)) return { content: given as ToolContent };
  const isObject = typeof given === "object" && given !== null;
  if (!isObject || Object.keys(given).some((key) => !resultMembers.includes(key))) {
    return "'result' must be a text, a list of parts, or an object with content, structured and isError";
  }
  const result = { content: "", ...(given as Partial<SampleResult>) };
  const { content, isError = false } = result;
  if (typeof content !== "string" && !Array.isArray(content)) {
    return "'content' of the result must be a text, or a list of parts";
  }
  return typeof isError === "boolean" ? result : "'isError' of the result must be true or false";
}

/** @returns the reason as a text, if these are no verdicts. */
function readVerdicts(given: unknown): readonly Verdict[] | string {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  const known: readonly unknown[] = verdicts;
  const wrong = list.find((each) => !known.includes(each));
  if (list.length > 0 && wrong === undefined) return list as readonly Verdict[];
  const hint = typeof wrong === "string" ? didYouMean(wrong, verdicts) : "";
  return `the expected verdict must be one of ${verdicts.join(", ")}, or a list of these.${hint}`;
}

/** The calls of a conversation, each with the first result that answers it. A conversation is a session. */
function callsIn({ messages }: Conversation, from: string): readonly SampleCall[] {
  const found: { call: RequestedCall; result: SampleResult | undefined }[] = [];
  for (const message of messages) {
    if (isResult(message)) {
      const id = ownText(message, "tool_call_id");
      const name = ownText(message, "name");
      const answered = found.findLast(
        ({ call, result }) =>
          result === undefined && (id === undefined ? call.name === name : call.id === id),
      );
      if (answered !== undefined) {
        answered.result = { content: (ownValue(message, "content") ?? "") as ToolContent };
      }
      continue;
    }
    for (const call of requestedCalls(message)) found.push({ call, result: undefined });
  }
  return found.flatMap(({ call, result }, index) =>
    call.name === undefined
      ? []
      : {
          ...plain,
          from: found.length === 1 ? from : `${from} (${index + 1})`,
          name: call.name,
          arguments: call.arguments ?? {},
          context: { sessionId: from },
          result,
          isRecorded: true,
          expect: undefined,
        },
  );
}

/**
 * A sample with the structured content that its recorded text is the JSON of, where the tool declares an `outputSchema`.
 * A conversation has texts only, and a schema guard would withhold each.
 */
export function withStructured(sample: SampleCall, tools: readonly ToolDefinition[]): SampleCall {
  const { name, result, isRecorded } = sample;
  const declared = tools.find((tool) => tool.name === name);
  if (!isRecorded || result === undefined || declared?.outputSchema === undefined) return sample;
  const { content } = result;
  const text = typeof content === "string" ? content : ownText(ownValue(content, "0"), "text");
  const structured = text === undefined ? undefined : readObject(text);
  return structured === undefined
    ? sample
    : { ...sample, result: { ...result, structured: structured as JsonObject } };
}
