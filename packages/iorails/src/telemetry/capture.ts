import type { Attributes } from "@opentelemetry/api";
import { own } from "@toolstile/core/provider";
import type { ChatMessage, Completion } from "../chat/message.js";
import type { OpenSpan } from "./spans.js";

/** The setting that decides if spans hold messages, and in which of OpenTelemetry's two forms. */
export interface ContentCapture {
  readonly enabled: boolean;
  /** As attributes of JSON, which `OTEL_SEMCONV_STABILITY_OPT_IN` asks for; else as events. */
  readonly asAttributes: boolean;
}

/**
 * `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` overrides the
 * configuration: true or 1 captures, any other value does not.
 */
export function readCapture(
  configured: boolean,
  env: Readonly<Record<string, string | undefined>>,
): ContentCapture {
  const said = setting(env, "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT");
  const optIn = setting(env, "OTEL_SEMCONV_STABILITY_OPT_IN");
  return {
    enabled: said === "" ? configured : said === "true" || said === "1",
    asAttributes: optIn.split(",").some((part) => part.trim() === "gen_ai_latest_experimental"),
  };
}

function setting(env: Readonly<Record<string, string | undefined>>, name: string): string {
  return (own(env, name) ?? "").trim().toLowerCase();
}

/** Records the messages that a model is asked. Tools' results are named, not quoted. */
export function captureMessages(
  span: OpenSpan,
  messages: readonly ChatMessage[],
  { asAttributes }: ContentCapture,
): void {
  if (asAttributes) {
    span.set(() => ({ "gen_ai.input.messages": JSON.stringify(messages.map(inParts)) }));
    return;
  }
  for (const message of messages) {
    const name = events.get(message.role);
    if (name === undefined) continue;
    span.event(name, eventOf(message));
  }
}

/** Records the answer of a model. */
export function captureCompletion(
  span: OpenSpan,
  completion: Completion,
  { asAttributes }: ContentCapture,
): void {
  const finishReason = completion.finishReason ?? "";
  const calls = completion.calls.map(({ id, name, type, arguments: args }) => ({
    type: "tool_call",
    id: id ?? null,
    name: name ?? type,
    arguments: args,
  }));
  if (asAttributes) {
    const parts = [
      ...(completion.content === "" ? [] : [{ type: "text", content: completion.content }]),
      ...calls,
    ];
    const message = { role: "assistant", parts, finish_reason: finishReason };
    span.set(() => ({ "gen_ai.output.messages": JSON.stringify([message]) }));
    return;
  }
  const message = {
    role: "assistant",
    content: completion.content,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  span.event("gen_ai.choice", {
    index: 0,
    finish_reason: finishReason,
    message: JSON.stringify(message),
  });
}

/** The ids and names of tools' results, for the rail that judges them: their content is not captured. */
export function namedResults(messages: readonly ChatMessage[]): readonly object[] {
  return messages
    .filter(({ role }) => role === "tool")
    .map(({ tool_call_id, name }) => ({ tool_call_id, name }));
}

const events: ReadonlyMap<string, string> = new Map([
  ["system", "gen_ai.system.message"],
  ["developer", "gen_ai.system.message"],
  ["user", "gen_ai.user.message"],
  ["assistant", "gen_ai.assistant.message"],
  ["tool", "gen_ai.tool.message"],
]);

function eventOf(message: ChatMessage): Attributes {
  if (message.role === "tool") {
    return { role: "tool", id: jsonText(message["tool_call_id"]), name: jsonText(message["name"]) };
  }
  const calls = message["tool_calls"];
  return {
    role: message.role,
    content: jsonText(message.content),
    ...(Array.isArray(calls) && { tool_calls: jsonText(calls) }),
  };
}

/** OpenTelemetry's own form of a message: a role and its parts. */
function inParts(message: ChatMessage): object {
  const { role, content } = message;
  if (role === "tool") {
    const [id, name] = [message["tool_call_id"] ?? null, message["name"]];
    return { role, parts: [{ type: "tool_call_response", id, name, response: null }] };
  }
  const calls: unknown = message["tool_calls"];
  const parts = [
    ...(typeof content === "string" ? [{ type: "text", content }] : []),
    ...(Array.isArray(content) ? content.map(partOf) : []),
    ...(Array.isArray(calls) ? calls.map(callOf) : []),
  ];
  return { role, parts };
}

function partOf(part: unknown): unknown {
  const { type, text } = Object(part) as { type?: unknown; text?: unknown };
  return type === "text" ? { type, content: text } : part;
}

function callOf(call: unknown): unknown {
  const { id, type, function: called } = Object(call) as Readonly<Record<string, unknown>>;
  const { name, arguments: args } = Object(called) as Readonly<Record<string, unknown>>;
  return { type: "tool_call", id: id ?? null, name: name ?? type, arguments: args };
}

function jsonText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
