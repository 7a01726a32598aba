import { type Plain, type PlainObject, plainCopy } from "../document/plain-copy.js";
import { annotations } from "./known-keywords.js";
import documents from "./published.json" with { type: "json" };

/** As the packages of Ajv publish them, which a test holds them to. Each file of theirs would cost an import half a millisecond. */
const published = new Map(Object.entries(documents));
const copies = new Map<string, PlainObject>();

/** A published meta-schema by its URI, never from the network. */
export function metaSchema(uri: string): PlainObject | undefined {
  const known = copies.get(uri);
  if (known !== undefined) return known;
  const schema: object | undefined = published.get(uri);
  if (schema === undefined) return undefined;
  const copy = plainCopy(schema).value as PlainObject;
  copies.set(uri, copy);
  return copy;
}

/**
 * The meta-schema that schemas of tools are held to: null for a keyword that
 * decides nothing is as good as none, and only draft-04 forbids an `enum`
 * that repeats a value or has none.
 */
export function lenientMetaSchema(uri: string): PlainObject | undefined {
  const schema = metaSchema(uri);
  if (schema === undefined) return undefined;
  const properties = Object.create(null) as Record<string, Plain | undefined>;
  Object.assign(properties, schema.properties);
  for (const keyword of annotations) {
    const form = properties[keyword];
    if (form !== undefined) properties[keyword] = orNull(form);
  }
  if (/draft-0[67]/u.test(uri)) properties.enum = plainCopy({ type: "array" }).value;
  return Object.assign(Object.create(null) as PlainObject, schema, { properties });
}

function orNull(form: Plain): Plain {
  return plainCopy({ anyOf: [form, { type: "null" }] }).value;
}
