import type { Outcome } from "./check.js";

/** Blanks and control characters, which some programs take off both ends. */
const around = /^[\s\p{Cc}]+|(?<![\s\p{Cc}])[\s\p{Cc}]+$/gu;
const queryOfUrl = /^([a-z][a-z0-9+.-]+:[^?#]*)[?#].*$/is;
const escapes = /(?:%[0-9a-f]{2})+/gi;
/** Most paths are of these signs alone, which takes a quarter of the time to see. */
const plain = /^[\w./-]*$/;
const mayBeReadOtherwise = /^[\s\p{Cc}]|[\s\p{Cc}]$|%[0-9a-f]{2}|^[a-z][a-z0-9+.-]+:/iu;
/** A path that is still another one after so many is a trick. */
const mostReadings = 4;

/**
 * Answers for a path in each way that programs read it: as it is written, without what is around it, with its
 * escapes decoded, and, for a URL, without its query and fragment.
 *
 * @returns undefined where the ways differ.
 */
export function ofAllReadings(path: string, test: (reading: string) => Outcome): Outcome {
  const outcome = test(path);
  if (outcome === undefined || plain.test(path) || !mayBeReadOtherwise.test(path)) return outcome;
  let last = path;
  for (let reading = 0; reading < mostReadings; reading++) {
    const next = decoded(last)?.replace(around, "").replace(queryOfUrl, "$1");
    if (next === last) return outcome;
    if (next === undefined || test(next) !== outcome) return undefined;
    last = next;
  }
  return undefined;
}

/** Says why the ways differ, for a path that is decided as it is written. */
export function whyReadOtherwise(
  path: string,
  test: (path: string) => Outcome,
): string | undefined {
  return test(path) === undefined
    ? undefined
    : "must be a path without escapes, blanks at its ends, and the query of a URL, which some programs take off or decode";
}

/** Undefined for bytes that are no text: programs differ in what they make of them. */
function decoded(path: string): string | undefined {
  try {
    return path.replace(escapes, decodeURIComponent);
  } catch {
    return undefined;
  }
}
