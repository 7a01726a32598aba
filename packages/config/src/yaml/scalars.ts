import { getScalarValue, SCALAR_STYLE, type ScalarEvent } from "js-yaml";

export type Scalar = string | number | boolean | null;

/** A value that JSON has, or the reason why the text says none. */
export type ScalarReading = { readonly value: Scalar } | { readonly problem: string };

const words: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);
const integer = /^(?:[-+]?\d+|0o[0-7]+|0x[\da-fA-F]+)$/;
const float = /^[-+]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?$/;
const notFinite = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** The tags of YAML's core schema for values that are no text, and the texts that they fit. */
const fits: ReadonlyMap<string, (source: string) => boolean> = new Map([
  ["!!int", (source: string) => integer.test(source)],
  ["!!float", (source: string) => float.test(source)],
  ["!!bool", (source: string) => typeof words.get(source) === "boolean"],
  ["!!null", (source: string) => words.get(source) === null],
]);

export const ownTag = "cannot be read as YAML: tags of your own are not supported";

/** Reads a scalar by YAML's core schema. */
export function readScalar(text: string, event: ScalarEvent): ScalarReading {
  const source = getScalarValue(text, event);
  const tag = event.tagStart < 0 ? undefined : text.slice(event.tagStart, event.tagEnd);
  if (tag === undefined && event.style === SCALAR_STYLE.PLAIN) return plainValue(source);
  if (tag === undefined || isTextTag(tag)) return textValue(source);
  return fits.get(tag)?.(source) === true ? plainValue(source) : { problem: ownTag };
}

/** Reads a key, which is text however it is written. */
export function readKey(text: string, event: ScalarEvent): ScalarReading {
  if (event.tagStart < 0 || isTextTag(text.slice(event.tagStart, event.tagEnd))) {
    return textValue(getScalarValue(text, event));
  }
  return { problem: "cannot be read as YAML: a key is not text" };
}

/** Readers differ about the tag `!` of a key: it is refused as one's own. */
function isTextTag(tag: string): boolean {
  return tag === "!!str";
}

function plainValue(source: string): ScalarReading {
  const first = source.charCodeAt(0);
  // Signs, the point and digits: what begins otherwise is no number.
  if (!(first >= 0x2b && first <= 0x39)) {
    const word = words.get(source);
    return word === undefined ? textValue(source) : { value: word };
  }
  if (notFinite.test(source)) return { problem: "a number is not finite" };
  if (!integer.test(source) && !float.test(source)) return textValue(source);
  const value = Number(source);
  if (!Number.isFinite(value)) return { problem: "a number is not finite" };
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return { problem: "a number is too large to be held exactly; write it as text" };
  }
  return { value };
}

function textValue(source: string): ScalarReading {
  return source.isWellFormed() ? { value: source } : { problem: "a text holds half a character" };
}
