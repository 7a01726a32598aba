import { type ContentPart, type JsonValue, toolResult } from "@toolstile/core";
import { base64 } from "@toolstile/core/host";

/**
 * A tool's answer as its judges are to see it.
 *
 * Judges see content parts if the framework makes content parts of the answer,
 * and not JSON text with its quotes escaped. Bytes of an image or a file are
 * base64 text, as the framework sends them to the model: JSON would make an
 * object of them.
 *
 * @param hasSchema - of a tool with an output schema the framework makes JSON, whatever it answers.
 */
export function answerFor(value: unknown, hasSchema: boolean): unknown {
  if (!isContent(value) && !(Array.isArray(value) && value.every(isContent))) return value;
  const answer = encoded(value);
  if (hasSchema) return answer;
  const copy = copyOf(answer);
  const parts = Array.isArray(copy) ? copy : [copy];
  if (parts.length === 0 || !parts.every(isPart)) return copy ?? answer;
  return toolResult({ content: parts, structured: copy as JsonValue });
}

/** Read once; nothing where JSON cannot hold it, which is core's to say. */
function copyOf(answer: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(answer));
  } catch {
    return undefined;
  }
}

/** True if the framework makes a content part of it. An object that merely has such a type is JSON to it. */
function isPart(part: unknown): part is ContentPart {
  const { type, text, image, imageUrl, fileId, data, file } = Object(part);
  if (type === "text") return typeof text === "string";
  const sources = type === "image" ? [image, imageUrl, fileId, data] : [file];
  return isContent(part) && sources.some(Boolean);
}

function isContent(value: unknown): boolean {
  const type: unknown = Object(value).type;
  return type === "image" || type === "file" || type === "text";
}

function encoded(value: unknown): unknown {
  if (value instanceof Uint8Array) return base64(value);
  if (Array.isArray(value)) return value.map(encoded);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, encoded(each)]));
}
