import { parseUrl, quoted } from "@toolstile/core/provider";
import { wrongConfig } from "../errors.js";

/**
 * A URL to which a path can be added.
 *
 * @throws ToolstileError `ERR_CONFIG`; the URL itself is not shown, because it may hold a password.
 */
export function checkedUrl(where: string, value: unknown): string {
  const url = typeof value === "string" ? parsed(value) : undefined;
  if (url === undefined)
    throw wrongConfig(`${where} must be a URL that begins with http:// or https://.`);
  if (url.username !== "" || url.password !== "") {
    throw wrongConfig(
      `${where} has a user name or password in it. Put a key in 'api_key_env_var'.`,
    );
  }
  if (url.search !== "" || url.hash !== "") {
    throw wrongConfig(
      `${where} has a query or a fragment. Leave them out; a model takes a query in 'parameters.default_query'.`,
    );
  }
  return url.href;
}

/**
 * A key fit for a header, without the line end that files leave on it.
 *
 * @throws ToolstileError `ERR_CONFIG` where the variable that a configuration names is unset or empty.
 */
export function checkedKey(
  who: string,
  variable: string | undefined,
  value: string | undefined,
): string | undefined {
  const key = value?.trim() ?? "";
  if (key === "") {
    if (variable === undefined) return undefined;
    throw wrongConfig(
      `The ${who} takes its key from the variable ${quoted(variable)}, which is unset or empty.`,
    );
  }
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw wrongConfig(`The key of ${who} holds characters that cannot stand in a header.`);
}

export function withoutSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "/") end--;
  return text.slice(0, end);
}

function parsed(text: string): URL | undefined {
  return /^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
}
