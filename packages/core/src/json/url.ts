/**
 * Reads the text of a URL; undefined if it is none.
 *
 * `URL.canParse` must not be used for it: in Node 20 it answers false for a right URL with a letter such
 * as ü, once the engine has optimised the call.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
