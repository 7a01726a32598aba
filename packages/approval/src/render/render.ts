import type { ApprovalQuestion, JsonObject } from "@toolstile/core";
import {
  canonicalJson,
  type OptionTable,
  optionError,
  readOptions,
  such,
  whole,
} from "@toolstile/core/provider";
import { argumentsDigest } from "../record/binding.js";
import { inQuotes } from "./escape.js";
import { JsonRendering, type RenderLimits } from "./json-rendering.js";

export interface RenderOptions extends RenderLimits {
  /** Milliseconds since the epoch; shown where it is given. */
  readonly expiresAt?: number | undefined;
}

const renderTable = {
  maxText: whole(16),
  maxCharacters: whole(16),
  expiresAt: such<number>(
    (value) => typeof value === "number" && !Number.isNaN(new Date(value).valueOf()),
    "a time in milliseconds since the epoch",
  ),
} satisfies OptionTable<RenderOptions>;

/**
 * A question as text for whoever is to answer it.
 *
 * Injective: two questions that differ in arguments, tool, context or denial
 * never render alike. What cannot be seen, what turns text round and letters
 * that look like others are shown as `\u{…}`. A long text is cut, and says how
 * much is left out, with the SHA-256 of the whole. Keys are sorted.
 *
 * The text is ASCII, letters of Latin-1, `…` and newlines: there is nothing in
 * it that a terminal would obey.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for what is no question, and for wrong options.
 */
export function render(question: ApprovalQuestion, options: RenderOptions = {}): string {
  const { expiresAt, ...limits } = readOptions("render()", options, renderTable);
  if (!["context", "approval", "args", "askedArgs"].every((key) => isObject(question, key))) {
    const expected = "what an approver is asked, as in record.question";
    throw optionError("render()", "question", expected, question);
  }
  const { context, approval, args, askedArgs } = question;
  const attributes = context.attributes as JsonObject | undefined;
  const lines = [
    field("tool", question.toolName),
    question.requestedName === question.toolName
      ? undefined
      : field("asked for as", question.requestedName),
    field("summary", approval.summary),
    field("denied by", question.provider),
    field("code", question.code),
    field("reason", question.reason),
    field("agent", question.agentName),
    question.runnerAgents.length === 0
      ? undefined
      : `${label("runner of")}${question.runnerAgents.map(inQuotes).join(" > ")}`,
    field("principal", context.principal),
    field("tenant", context.tenant),
    field("session", context.sessionId),
    field("trace", context.traceparent),
    attributes === undefined || Object.keys(attributes).length === 0
      ? undefined
      : `${label("attributes")}${json(attributes, limits)}`,
    field("policy", question.policyVersion),
    field("run", question.runId),
    field("turn", question.turnId),
    field("call", question.callId),
    expiresAt === undefined ? undefined : `${label("expires")}${new Date(expiresAt).toISOString()}`,
    `${label("SHA-256")}${argumentsDigest(question)}`,
    `${label("arguments")}${json(args, limits)}`,
    canonicalJson(args) === canonicalJson(askedArgs)
      ? undefined
      : `${label("the model asked")}${json(askedArgs, limits)}`,
  ];
  return `${lines.filter((line) => line !== undefined).join("\n")}\n`;
}

function isObject(question: unknown, key: string): boolean {
  const value: unknown = Object(question)[key];
  return typeof value === "object" && value !== null;
}

function label(name: string): string {
  return `${name}:`.padEnd(17);
}

function field(name: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${label(name)}${inQuotes(value)}`;
}

function json(value: JsonObject, limits: RenderLimits): string {
  return new JsonRendering(limits).value(value, "");
}
