import type { Awaitable, JsonObject } from "../protocol/guardrail.js";

/**
 * The part of the Standard Schema specification (version 1) that core uses, so
 * that zod, valibot, arktype and others fit without a dependency.
 */
export interface StandardSchema<Args = unknown, Normalised = Args> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Awaitable<StandardResult<Normalised>>;
    readonly types?: { readonly input: Args; readonly output: Normalised } | undefined;
    /** Standard JSON Schema, where the library has it. */
    readonly jsonSchema?:
      | { readonly input: (options: { target: "draft-2020-12" }) => Record<string, unknown> }
      | undefined;
  };
}
/** The answer of a Standard Schema. */
export type StandardResult<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };
export interface StandardIssue {
  readonly message: string;
  /** In issues of zod: the type that was expected. */
  readonly expected?: unknown;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The type of the arguments after the schema's library has normalised them. */
export type Normalised<Schema> =
  Schema extends StandardSchema<unknown, infer Value> ? Value : never;

export function isStandardSchema(value: unknown): value is StandardSchema {
  return (
    value !== null &&
    (typeof value === "object" || typeof value === "function") &&
    typeof (value as Partial<StandardSchema>)["~standard"]?.validate === "function"
  );
}

/** Returns the JSON Schema to show the model, if the library can write one. */
export function jsonSchemaOf(schema: StandardSchema): JsonObject | undefined {
  try {
    return schema["~standard"].jsonSchema?.input({ target: "draft-2020-12" }) as
      | JsonObject
      | undefined;
  } catch {
    // Some schemas, such as transforms, have no JSON Schema.
    return undefined;
  }
}
