import type { JsonObject } from "@toolstile/core";
import { didYouMean, isJsonObject, quoted } from "@toolstile/core/provider";
import type { Path } from "../yaml/path.js";

/** Told of each thing that is wrong, with its place. */
export type Refuse = (path: Path, message: string) => void;

/** The form of one value: how it is checked, and the JSON Schema that says so to editors. */
export interface Form {
  readonly schema: JsonObject;
  /** Tells of all that is wrong with a value. `undefined` is one that is missing. */
  readonly check: (value: unknown, path: Path, refuse: Refuse) => void;
}

/** A form whose key may be absent. */
export interface OptionalForm extends Form {
  readonly isOptional: true;
}

/** Takes anything. */
export const anything: Form = { schema: {}, check: () => {} };

/** A value that passes a test. */
export function value(what: string, schema: JsonObject, test: (value: unknown) => boolean): Form {
  return {
    schema,
    check: (given, path, refuse) => {
      if (given === undefined) refuse(path, "is missing");
      else if (!test(given)) refuse(path, `must be ${what}`);
    },
  };
}

/** A text that is not empty. */
export function text(what: string): Form {
  const isText = (given: unknown): boolean => typeof given === "string" && given !== "";
  return value(what, { type: "string", minLength: 1 }, isText);
}

/** A text of a form, and with one more thing to be said of it. */
export function textThat(
  form: Form,
  schema: JsonObject,
  test: (text: string) => boolean,
  otherwise: string,
): Form {
  return {
    schema: { ...form.schema, ...schema },
    check: (given, path, refuse) => {
      form.check(given, path, refuse);
      if (typeof given === "string" && !test(given)) refuse(path, otherwise);
    },
  };
}

/** @param empty What is said of an empty list, if it must not be. */
export function list(item: Form, what: string, empty?: string): Form {
  const least = empty === undefined ? {} : { minItems: 1 };
  const whole = value(what, {}, Array.isArray);
  return {
    schema: { type: "array", items: item.schema, ...least },
    check: (given, path, refuse) => {
      whole.check(given, path, refuse);
      if (!Array.isArray(given)) return;
      if (empty !== undefined && given.length === 0) refuse(path, empty);
      for (const [index, each] of given.entries()) item.check(each, [...path, index], refuse);
    },
  };
}

/** A mapping with these keys and no others. */
export function section(shape: Readonly<Record<string, Form | OptionalForm>>): Form {
  const known = Object.keys(shape);
  const keys = Object.entries(shape);
  const required = keys.filter(([, form]) => !("isOptional" in form)).map(([key]) => key);
  const whole = value("a mapping", {}, isJsonObject);
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(keys.map(([key, { schema }]) => [key, schema])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    check: (given, path, refuse) => {
      whole.check(given, path, refuse);
      if (!isJsonObject(given)) return;
      for (const [key, form] of keys) {
        form.check(Object.hasOwn(given, key) ? given[key] : undefined, [...path, key], refuse);
      }
      for (const key of Object.keys(given)) {
        if (!known.includes(key)) refuse([...path, key], noKey(key, known));
      }
    },
  };
}

function noKey(key: string, known: readonly string[]): string {
  const hint = didYouMean(key, known);
  return `there is no key ${quoted(key)} here.${hint || ` There are: ${known.join(", ")}.`}`;
}

/** A mapping of any keys that are not empty, whose values have a form. */
export function mappingOf(item: Form, what: string, key: string): Form {
  const whole = value(what, {}, isJsonObject);
  return {
    schema: {
      type: "object",
      propertyNames: { type: "string", minLength: 1 },
      additionalProperties: item.schema,
    },
    check: (given, path, refuse) => {
      whole.check(given, path, refuse);
      for (const [name, each] of isJsonObject(given) ? Object.entries(given) : []) {
        if (name === "") refuse([...path, name], `must be ${key}`);
        else item.check(each, [...path, name], refuse);
      }
    },
  };
}

/** A text of one form, or something that is no text of another. */
export function textOr(
  ofText: Form,
  other: Form,
  isOther: (value: unknown) => boolean,
  what: string,
): Form {
  return {
    schema: { anyOf: [ofText.schema, other.schema] },
    check: (given, path, refuse) => {
      if (typeof given === "string") ofText.check(given, path, refuse);
      else if (isOther(given)) other.check(given, path, refuse);
      else refuse(path, given === undefined ? "is missing" : `must be ${what}`);
    },
  };
}

export function optional(form: Form): OptionalForm {
  return {
    schema: form.schema,
    isOptional: true,
    check: (given, path, refuse) => {
      if (given !== undefined) form.check(given, path, refuse);
    },
  };
}

/** The form with words about it, for editors. */
export function described<F extends Form>(description: string, form: F): F {
  return { ...form, schema: { ...form.schema, description } };
}
