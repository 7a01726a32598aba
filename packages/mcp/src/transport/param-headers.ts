import { isRecord, own } from "../connection/json-rpc.js";

const prefix = "mcp-param-";
const declaration = "x-mcp-header";

/**
 * The headers of a call, of which some repeat arguments (revision 2026-07-28), after its arguments were changed.
 *
 * A server, and whoever routes by headers, must not read other arguments there
 * than were decided on.
 */
export function paramHeaders(
  headers: Readonly<Record<string, string>>,
  inputSchema: unknown,
  args: unknown,
): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !name.toLowerCase().startsWith(prefix));
  return { ...Object.fromEntries(kept), ...declared(inputSchema, args) };
}

/** The header of each argument whose schema declares one. */
function declared(schema: unknown, value: unknown): Record<string, string> {
  const name = own(schema, declaration);
  const text = asText(value);
  const headers: Record<string, string> =
    typeof name === "string" && text !== undefined ? { [`Mcp-Param-${name}`]: encoded(text) } : {};
  const properties = own(schema, "properties");
  if (!isRecord(properties)) return headers;
  for (const [key, each] of Object.entries(properties)) {
    Object.assign(headers, declared(each, own(value, key)));
  }
  return headers;
}

function asText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

const plain = /^(?:[\x21-\x7e]|[\x21-\x7e][\x20-\x7e\t]*[\x21-\x7e])$/;

/** What no header can hold as it is, in base64 of its UTF-8. */
function encoded(text: string): string {
  if (plain.test(text) && !(text.startsWith("=?base64?") && text.endsWith("?="))) return text;
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}?=`;
}
