import { isJsonObject, quoted } from "@toolstile/core/provider";
import { wrongConfig } from "../errors.js";

/** The client's own, the connection's, or a way to speak for somebody else. */
const refusedNames: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "authorization",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "cookie",
  "date",
  "expect",
  "forwarded",
  "host",
  "keep-alive",
  "origin",
  "referer",
  "set-cookie",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
]);
const refusedStarts = ["proxy-", "sec-"];

/** Headers from a configuration; their names in lower case. */
export function checkedHeaders(where: string, value: unknown): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [name, text] of textEntries(where, value)) {
    const lower = name.toLowerCase();
    // RFC 9110, section 5.6.2: the characters of a token.
    if (!/^[!#$%&'*+\-.^_`|~0-9a-z]{1,256}$/.test(lower)) {
      throw wrongConfig(`${where} has ${quoted(name)}, which is not a valid header name.`);
    }
    if (refusedNames.has(lower) || refusedStarts.some((start) => lower.startsWith(start))) {
      throw wrongConfig(
        `${where} must not set ${quoted(name)}. Leave it out. A key belongs in 'api_key_env_var'.`,
      );
    }
    if (headers.has(lower)) throw wrongConfig(`${where} has ${quoted(name)} twice.`);
    if (!/^[\x20-\x7e\t]*$/.test(text)) {
      throw wrongConfig(`${where} has a value for ${quoted(name)} that is not printable ASCII.`);
    }
    headers.set(lower, text);
  }
  return Object.fromEntries(headers);
}

/** Names with texts; the values are never shown. */
export function textEntries(where: string, value: unknown): readonly (readonly [string, string])[] {
  if (value === undefined) return [];
  if (!isJsonObject(value)) throw wrongConfig(`${where} must be an object of strings.`);
  return Object.entries(value).map(([name, text]: [string, unknown]) => {
    if (typeof text !== "string") throw wrongConfig(`${where}: ${quoted(name)} must be a string.`);
    return [name, text] as const;
  });
}
