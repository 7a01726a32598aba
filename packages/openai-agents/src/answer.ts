/**
 * A tool's answer as JSON can hold it: bytes as base64 text.
 *
 * An image or a file may come as bytes, which JSON would make an object of. As
 * base64, the framework makes the same of it for the model.
 */
export function answerFor(value: unknown): unknown {
  return isContent(value) || (Array.isArray(value) && value.every(isContent))
    ? encoded(value)
    : value;
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

/** Without Node's Buffer: the framework runs elsewhere, too. */
function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
