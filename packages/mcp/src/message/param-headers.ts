import { isUtf8 } from "node:buffer";
import { isJsonObject, ownValue } from "@toolstile/core/provider";

const prefix = "mcp-param-";
const declaration = "x-mcp-header";

/**
 * The headers of a call with the decided arguments: some headers repeat arguments (revision 2026-07-28).
 *
 * A server, or a router that reads headers, must not find other arguments there
 * than those that were decided.
 */
export function paramHeaders(
  headers: Readonly<Record<string, string>>,
  inputSchema: unknown,
  args: unknown,
): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !name.toLowerCase().startsWith(prefix));
  return { ...Object.fromEntries(kept), ...declared(inputSchema, args) };
}

/** The headers that the schema declares for arguments. */
function declared(schema: unknown, args: unknown): Record<string, string> {
  return Object.fromEntries(
    Array.from(declarations(schema, args), ({ name, text }) => [
      `Mcp-Param-${name}`,
      encoded(text),
    ]),
  );
}

/**
 * True if a header repeats an argument of the call with another value, or with one that cannot be read.
 *
 * @param isRequired true if the header of an argument may not be missing, as of the revision of 2026-07-28.
 */
export function contradictsArguments(
  headers: Readonly<Record<string, unknown>>,
  inputSchema: unknown,
  args: unknown,
  isRequired: boolean,
): boolean {
  for (const { name, text, isNumber } of declarations(inputSchema, args)) {
    const header = headers[`${prefix}${name.toLowerCase()}`];
    if (header === undefined && !isRequired) continue;
    const said = decoded(String(header ?? ""));
    if (header === undefined || said === undefined) return true;
    const isEqual =
      said === text || (isNumber && decimal.test(said) && Number(said) === Number(text));
    if (!isEqual) return true;
  }
  return false;
}

interface RepeatedArgument {
  readonly name: string;
  readonly text: string;
  readonly isNumber: boolean;
}

/** The arguments that headers repeat, as the schema declares them. */
function* declarations(schema: unknown, value: unknown): Iterable<RepeatedArgument> {
  const name = ownValue(schema, declaration);
  const text = asText(value);
  if (typeof name === "string" && text !== undefined) {
    yield { name, text, isNumber: typeof value === "number" };
  }
  const properties = ownValue(schema, "properties");
  if (!isJsonObject(properties) || !isJsonObject(value)) return;
  for (const [key, each] of Object.entries(properties)) {
    yield* declarations(each, ownValue(value, key));
  }
}

function asText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

const decimal = /^-?\d{1,400}(?:\.\d{1,400})?$/;
const plain = /^(?:[\x21-\x7e]|[\x21-\x7e][\x20-\x7e\t]*[\x21-\x7e])$/;

/** Text as a header can hold it: base64 of its UTF-8, unless it is plain. */
function encoded(text: string): string {
  if (plain.test(text) && !(text.startsWith("=?base64?") && text.endsWith("?="))) return text;
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}?=`;
}

const sentinel = /^=\?base64\?(.*)\?=$/s;
const canonical = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The text of a header; `undefined` for base64 that readers could take for several texts, or for none. */
export function decoded(header: string): string | undefined {
  const [, base64] = sentinel.exec(header) ?? [];
  if (base64 === undefined) return header;
  const bytes = Buffer.from(base64, "base64");
  if (!canonical.test(base64) || !isUtf8(bytes) || bytes.toString("base64") !== base64)
    return undefined;
  return bytes.toString("utf8");
}
