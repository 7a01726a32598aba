import { invalidOption, parseUrl } from "@toolstile/core/provider";
import { NoAnswer } from "./recognizer.js";

export interface Question {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Is posted. Without one, the question is a GET. */
  readonly body?: object;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

/** The most bytes of an answer that are read. */
const longestAnswer = 4 << 20;

/** Sends and reads JSON. @throws for a redirect, a status other than 200, more bytes than are read, and what is no JSON. */
export async function answerTo({ url, headers, body, fetch, signal }: Question): Promise<unknown> {
  const posted = { "content-type": "application/json" };
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: { accept: "application/json", ...(body === undefined ? {} : posted), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // What is asked about must not go to an address that nobody configured.
    redirect: "error",
    signal,
  });
  try {
    if (response.status !== 200) throw new NoAnswer(`answered with status ${response.status}`);
    return JSON.parse(await answerText(response));
  } catch (error) {
    await response.body?.cancel().catch(() => {});
    throw error;
  }
}

async function answerText(response: Response): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parts: string[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > longestAnswer) throw new Error("the answer is too long");
    parts.push(decoder.decode(piece, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join("");
}

/** A URL with a path added. @throws ToolstileError `ERR_INVALID_OPTION`; the URL is not shown, because it may hold a password. */
export function urlWith(where: string, option: string, value: string, path: string): string {
  const url = /^https?:\/\//i.test(value) ? parseUrl(value) : undefined;
  if (url === undefined)
    throw invalidOption(where, `'${option}' must be a URL that begins with http:// or https://.`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw invalidOption(where, `'${option}' must have no user name, password, query or fragment.`);
  return `${url.href.replace(/(?<!\/)\/+$/, "")}${path}`;
}
