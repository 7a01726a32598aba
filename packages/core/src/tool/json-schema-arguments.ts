import type { JsonObject, JsonValue } from "../protocol/guardrail.js";

/** The arguments that a JSON Schema of a tool lets through. `JsonObject` unless its properties are known. */
export type JsonSchemaArguments<Schema> = Schema extends { readonly properties: object }
  ? ObjectOrJson<JsonSchemaValue<Schema>>
  : JsonObject;

/** `never` is what a tool of any arguments says, and `unknown` what one without a function says. */
export type ObjectOrJson<Args> = [Args] extends [never]
  ? JsonObject
  : Args extends object
    ? Args
    : JsonObject;

/** A value that a JSON Schema lets through. `JsonValue` where the schema uses another keyword than these. */
type JsonSchemaValue<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly anyOf: readonly (infer One)[] }
      ? JsonSchemaValue<One>
      : Schema extends { readonly oneOf: readonly (infer One)[] }
        ? JsonSchemaValue<One>
        : Schema extends { readonly type: readonly (infer Type)[] }
          ? ValueOfType<Type, Schema>
          : Schema extends { readonly type: infer Type }
            ?
                | ValueOfType<Type, Schema>
                | (Schema extends { readonly nullable: true } ? null : never)
            : JsonValue;

type ValueOfType<Type, Schema> = Type extends "string"
  ? string
  : Type extends "number" | "integer"
    ? number
    : Type extends "boolean"
      ? boolean
      : Type extends "null"
        ? null
        : Type extends "array"
          ? readonly (Schema extends { readonly items: infer Item }
              ? JsonSchemaValue<Item>
              : JsonValue)[]
          : Type extends "object"
            ? ObjectOf<Schema>
            : JsonValue;

type ObjectOf<Schema> = Schema extends { readonly properties: infer Properties extends object }
  ? Flat<
      {
        readonly [Key in keyof Properties as Key extends RequiredKey<Schema>
          ? Key
          : never]: JsonSchemaValue<Properties[Key]>;
      } & {
        readonly [Key in keyof Properties as Key extends RequiredKey<Schema>
          ? never
          : Key]?: JsonSchemaValue<Properties[Key]>;
      }
    >
  : JsonObject;

type RequiredKey<Schema> = Schema extends { readonly required: readonly (infer Key)[] }
  ? Key
  : never;

/** One object type in place of an intersection, as editors show it. */
type Flat<Type> = Type extends infer Whole ? { readonly [Key in keyof Whole]: Whole[Key] } : never;
