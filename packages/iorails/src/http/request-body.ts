import type { JsonObject, ToolstileError } from "@toolstile/core";
import { invalid } from "../errors.js";
import { JsonText } from "./json-text.js";

/** The `parameters` that speak of the transport and never go into a body. */
const reserved: ReadonlySet<string> = new Set([
  "base_url",
  "timeout",
  "timeout_connect",
  "max_attempts",
  "api_key",
  "model",
  "model_name",
  "messages",
  "stream",
  "stream_options",
  "default_headers",
  "default_query",
]);

/** The parameters that a request may not set: they belong to the configuration, or the client sets them. */
const notPerRequest: ReadonlySet<string> = new Set([
  "__proto__",
  "messages",
  "model_type",
  "stream",
  "base_url",
  "timeout",
  "timeout_connect",
  "max_attempts",
  "api_key",
  "model_name",
  "default_headers",
  "default_query",
]);

/** The part of a model's `parameters` that goes into every body. */
export function bodyDefaults(parameters: JsonObject): JsonObject {
  return Object.freeze(
    Object.fromEntries(Object.entries(parameters).filter(([key]) => !reserved.has(key))),
  );
}

/**
 * Refuse parameters of one request that would break it, or that only the configuration may set.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` that names the key.
 */
export function checkRequestParameters(parameters: Readonly<Record<string, unknown>>): void {
  for (const key of Object.keys(parameters)) {
    if (!notPerRequest.has(key)) continue;
    throw invalid(`A request must not set '${key}' among the model's parameters. Leave it out.`);
  }
}

/** The JSON text of a request: the model, then defaults, then what this request says, key by key. */
export function requestBody(
  model: string,
  defaults: JsonObject,
  body: Readonly<Record<string, unknown>>,
  stream: boolean,
): string {
  const { messages, ...parameters } = body;
  if (!Array.isArray(messages)) {
    throw invalid("A request to a model: 'messages' must be a list.");
  }
  checkRequestParameters(parameters);
  const whole: Record<string, unknown> = { model, messages, ...defaults };
  for (const [key, value] of Object.entries(parameters)) {
    if (value !== undefined) whole[key] = value;
  }
  if (stream) whole["stream"] = true;
  if (typeof whole["model"] !== "string" || whole["model"] === "") {
    throw invalid("The 'model' of a request must be a name.");
  }
  return jsonOf(whole);
}

/** Member by member, as some are text already. */
function jsonOf(body: Readonly<Record<string, unknown>>): string {
  let text = "";
  for (const [key, value] of Object.entries(body)) {
    const json = value instanceof JsonText ? value.text : memberText(value);
    if (json !== undefined) text += `${text === "" ? "{" : ","}${JSON.stringify(key)}:${json}`;
  }
  return `${text}}`;
}

/** Nothing for what JSON leaves out of an object. @throws ToolstileError `ERR_INVALID_OPTION`. */
function memberText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // Without the error: it quotes keys, and a toJSON can throw anything.
    throw noJson();
  }
}

function noJson(): ToolstileError {
  return invalid("The body of a request must be JSON.");
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for a cycle, a BigInt or nothing at all. */
export function jsonText(value: unknown): string {
  const text = memberText(value);
  if (text === undefined) throw noJson();
  return text;
}
