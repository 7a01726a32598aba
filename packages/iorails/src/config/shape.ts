import type { Path } from "@toolstile/config/yaml";
import type { JsonObject } from "@toolstile/core";
import { didYouMean, isJsonObject, parseUrl, quoted } from "@toolstile/core/provider";
import { type Data, type DataObject, emptyObject, ordinary } from "./plain-data.js";

/** Reports what is wrong with the value at a path; `key` is the member to blame, if it is one that should not be there. */
export type Report = (path: Path, message: string, key?: string) => void;

/**
 * Reads one value, and reports all that is wrong with it.
 *
 * @returns nothing if anything was reported.
 */
export type Shape<T> = (value: Data | undefined, path: Path, report: Report) => T | undefined;

type Output<S> = S extends Shape<infer T> ? T : never;

/** A value that passes a test. */
function value<T extends Data>(what: string, test: (value: Data) => value is T): Shape<T> {
  return (value, path, report) => {
    if (value !== undefined && test(value)) return value;
    report(path, value === undefined ? "is missing" : `must be ${what}`);
    return undefined;
  };
}

const isText = (value: Data): value is string => typeof value === "string";

export const flag = value("true or false", (given) => typeof given === "boolean");
export const mapping = value<DataObject>("a mapping", (given) => isJsonObject(given));
export const items = value<Data[]>("a list", (given) => Array.isArray(given));
export const anyText = (what = "text") => value(what, isText);

/** A value that can be compared. */
export const scalar = value(
  "text, a number, true or false",
  (given): given is string | number | boolean =>
    ["string", "number", "boolean"].includes(typeof given),
);

/** A text that a pattern fits. */
export function textLike(pattern: RegExp, what: string, otherwise = "text"): Shape<string> {
  return (given, path, report) => {
    const text = anyText(otherwise)(given, path, report);
    if (text === undefined || pattern.test(text)) return text;
    report(path, `must be ${what}`);
    return undefined;
  };
}

export const text = textLike(/\S/, "text that is not empty");

export function oneOf<const Word extends string>(...words: readonly Word[]): Shape<Word> {
  const isWord = (given: Data): given is Word => (words as readonly Data[]).includes(given);
  return value(words.map((word) => `'${word}'`).join(" or "), isWord);
}

export function whole(least: number, most = Number.MAX_SAFE_INTEGER, what?: string): Shape<number> {
  const expected = what ?? `a whole number from ${least} on`;
  const fits = (given: Data): given is number =>
    typeof given === "number" && Number.isSafeInteger(given) && given >= least && given <= most;
  return value(expected, fits);
}

/** A number of any kind. */
export function number(
  least = Number.NEGATIVE_INFINITY,
  most = Number.POSITIVE_INFINITY,
): Shape<number> {
  const range =
    most !== Number.POSITIVE_INFINITY
      ? ` from ${least} to ${most}`
      : least === Number.NEGATIVE_INFINITY
        ? ""
        : ` from ${least} on`;
  const fits = (given: Data): given is number =>
    typeof given === "number" && given >= least && given <= most;
  return value(`a number${range}`, fits);
}

/** The address of a server. */
export const httpUrl = value("an http:// or https:// URL", (given): given is string => {
  if (typeof given !== "string" || !/^https?:\/\//i.test(given)) return false;
  return (parseUrl(given)?.hostname ?? "") !== "";
});

/** Absent and null are one thing. */
export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return (given, path, report) => (given == null ? null : shape(given, path, report));
}

/** A section that is absent, or null, is read as if this were written: an empty mapping, unless another default is given. */
export function orElse<T>(shape: Shape<T>, other: Data = emptyObject()): Shape<T> {
  return (given, path, report) => shape(given ?? other, path, report);
}

export function listOf<T>(shape: Shape<T>, least = 0): Shape<T[]> {
  return (given, path, report) => {
    const entries = items(given, path, report)?.map((item, at) =>
      shape(item, [...path, at], report),
    );
    if (entries !== undefined && entries.length < least) {
      report(path, "must not be empty");
      return undefined;
    }
    return entries?.every((entry) => entry !== undefined) ? entries : undefined;
  };
}

/** A mapping of names that a configuration makes up. */
export function mappingOf<T>(shape: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return (given, path, report) => {
    const entries = Object.entries(mapping(given, path, report) ?? {}).map(
      ([name, member]) => [name, shape(member, [...path, name], report)] as const,
    );
    if (!isJsonObject(given) || entries.some(([, member]) => member === undefined))
      return undefined;
    // A name may be one of Object.prototype, such as "constructor": it is looked up as an own one.
    return Object.fromEntries(entries) as Record<string, T>;
  };
}

/** A mapping that is handed on as JSON. */
export const jsonObject: Shape<JsonObject> = (given, path, report) => {
  const data = mapping(given, path, report);
  return data && ordinary(data);
};

/** A member that is allowed, and not read. */
export const unread: Shape<null> = () => null;

/**
 * A mapping with these keys and no others.
 *
 * Each of them is in what is read: a key that is missing there would be looked
 * up in Object.prototype.
 */
export function section<S extends Shapes>(shapes: S): Shape<Members<S>> {
  const known = Object.keys(shapes);
  return (given, path, report) => {
    const data = mapping(given, path, report);
    if (data === undefined) return undefined;
    const read = known.map((key) => [key, shapes[key]?.(data[key], [...path, key], report)]);
    const strangers = Object.keys(data).filter((key) => !known.includes(key));
    for (const key of strangers) {
      const hint = didYouMean(key, known) || ` It has: ${known.join(", ")}.`;
      report(path, `has no key ${quoted(key)}.${hint}`, key);
    }
    const isRight = strangers.length === 0 && read.every(([, member]) => member !== undefined);
    return isRight ? Object.fromEntries(read) : undefined;
  };
}

type Shapes = Readonly<Record<string, Shape<unknown>>>;
type Members<S extends Shapes> = { readonly [Key in keyof S]: Output<S[Key]> };

/**
 * The members of a mapping, each by itself: one that is wrong is reported, and read as if it were
 * not there.
 *
 * @param absent what each of them is read as then. Every shape must take it.
 */
export function membersOf<S extends Shapes>(
  shapes: S,
  data: DataObject,
  path: Path,
  report: Report,
  absent: Data,
): Members<S> {
  const read = Object.entries(shapes).map(([key, shape]) => {
    const place = [...path, key];
    const given = shape(data[key] === undefined ? absent : data[key], place, report);
    return [key, given ?? shape(absent, place, report)];
  });
  return Object.fromEntries(read);
}

/** A value of a shape, and more. @param check tells what the shape cannot say. */
export function checked<T>(shape: Shape<T>, check: (content: T, report: Report) => void): Shape<T> {
  return (given, path, report) => {
    const content = shape(given, path, report);
    if (content !== undefined) check(content, (at, message) => report([...path, ...at], message));
    return content;
  };
}
