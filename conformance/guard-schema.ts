import type { JsonObject, JsonValue } from "@toolstile/core";
import type { GuardrailPlugin } from "@toolstile/core/provider";

/** The places of a guard.yaml where a plugin can be named. */
export type Place = "guard" | "observer" | "approver";

/** A plugin of Toolstile's own, by the name that a guard.yaml has for it. */
export interface OwnPlugin {
  readonly use: string;
  readonly place: Place;
  readonly plugin: Pick<GuardrailPlugin, "optionsSchema">;
}

/**
 * The schema of a guard.yaml, in draft-07 as editors read it, with the options of these plugins.
 *
 * @param base The schema of the file itself, in which `with` is any object.
 */
export function withPluginOptions(base: object, plugins: readonly OwnPlugin[]): JsonObject {
  const { properties, ...file } = base as { readonly properties: Record<string, JsonObject> };
  const { guards, agents, observers, approver, ...rest } = properties;
  const definitions: Record<string, JsonValue> = {
    environmentVariable: { type: "string", pattern: "^\\$\\{env:[A-Za-z_][A-Za-z0-9_]*\\}$" },
    guard: entry((guards as JsonObject)["items"] as JsonObject, "guard", plugins),
    observer: entry((observers as JsonObject)["items"] as JsonObject, "observer", plugins),
    approver: entry(approver as JsonObject, "approver", plugins),
  };
  for (const { use, plugin } of plugins) {
    const { $defs = {}, ...schema } = plugin.optionsSchema;
    const name = definitionOf(use);
    for (const [part, each] of membersOf($defs as JsonObject)) {
      define(definitions, `${name}.${part}`, embedded(each, name));
    }
    define(definitions, name, embedded(schema, name));
  }
  const list = { ...(guards as JsonObject), items: reference("guard") };
  const ofAgent = (agents as JsonObject)["additionalProperties"] as JsonObject;
  return {
    ...(file as JsonObject),
    properties: {
      ...rest,
      guards: list,
      agents: {
        ...(agents as JsonObject),
        additionalProperties: { ...ofAgent, properties: { guards: list } },
      },
      observers: { ...(observers as JsonObject), items: reference("observer") },
      approver: reference("approver"),
    },
    definitions,
  };
}

/** `@toolstile/rate-limit/redis` as `rate-limit.redis`: a name that a reference needs no escapes for. */
export function definitionOf(use: string): string {
  return use.replace("@toolstile/", "").replaceAll("/", ".");
}

function define(definitions: Record<string, JsonValue>, name: string, schema: JsonValue): void {
  if (Object.hasOwn(definitions, name)) throw new Error(`there are two definitions ${name}`);
  definitions[name] = schema;
}

function reference(name: string): JsonObject {
  return { $ref: `#/definitions/${name}` };
}

/** An entry whose `with` has the options of the plugin that it names, if that is one of these. */
function entry(base: JsonObject, place: Place, plugins: readonly OwnPlugin[]): JsonObject {
  const here = plugins.filter((each) => each.place === place);
  const properties = base["properties"] as JsonObject;
  const { type, minLength, ...described } = properties["use"] as JsonObject;
  const known = here.map(({ use }) => use);
  return {
    ...base,
    properties: {
      ...properties,
      // The names are for completion: any other may be meant.
      use: { ...described, anyOf: [{ enum: known }, { type, minLength } as JsonObject] },
    },
    allOf: here.map(({ use, plugin }) => ({
      if: { properties: { use: { const: use } }, required: ["use"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        properties: { with: reference(definitionOf(use)) },
        ...(needsOptions(plugin.optionsSchema) && { required: ["with"] }),
      },
    })),
  };
}

function needsOptions({ required }: JsonObject): boolean {
  return Array.isArray(required) && required.length > 0;
}

/** Keywords whose value is a schema, several schemas, or schemas by name. */
const schemas = new Set(["items", "additionalProperties", "not", "anyOf", "allOf", "oneOf"]);
const schemasByName = new Set(["properties", "patternProperties"]);

/** A plugin's schema as a part of another: its references point there, and a text may be an environment variable. */
function embedded(schema: JsonValue, plugin: string): JsonValue {
  if (Array.isArray(schema)) return schema.map((each) => embedded(each, plugin));
  if (typeof schema !== "object" || schema === null) return schema;
  const copy: Record<string, JsonValue> = {};
  for (const [keyword, value] of membersOf(schema as JsonObject)) {
    // For our own suggestions: a strict reader of schemas takes no keyword that it does not know.
    if (keyword === "x-meant") continue;
    if (schemas.has(keyword)) copy[keyword] = embedded(value, plugin);
    else if (schemasByName.has(keyword))
      copy[keyword] = embeddedByName(value as JsonObject, plugin);
    else if (keyword === "$ref") {
      copy[keyword] = (value as string).replace("#/$defs/", `#/definitions/${plugin}.`);
    } else copy[keyword] = value;
  }
  if (!isNarrowText(copy)) return copy;
  const { description, ...narrow } = copy;
  return {
    ...(description !== undefined && { description }),
    anyOf: [narrow, reference("environmentVariable")],
  };
}

function embeddedByName(byName: JsonObject, plugin: string): JsonObject {
  return Object.fromEntries(
    membersOf(byName).map(([name, schema]) => [name, embedded(schema, plugin)]),
  );
}

/** A schema comes from JSON: no member of it is undefined. */
function membersOf(schema: JsonObject): [string, JsonValue][] {
  return Object.entries(schema) as [string, JsonValue][];
}

/** True for texts of which the name of a variable might be none. */
function isNarrowText({ type, pattern, maxLength, enum: values = [], const: value }: JsonObject) {
  const isText = type === "string" && (pattern ?? maxLength) !== undefined;
  return isText || [value, ...(values as JsonValue[])].some((each) => typeof each === "string");
}
