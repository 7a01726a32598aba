import { createRequire } from "node:module";
import { type PlainObject, plainCopy } from "./plain-copy.js";

const load = createRequire(import.meta.url);

const folder2019 = "ajv/dist/refs/json-schema-2019-09";
const folder2020 = "ajv/dist/refs/json-schema-2020-12";
const base2019 = "https://json-schema.org/draft/2019-09";
const base2020 = "https://json-schema.org/draft/2020-12";
const vocabularies2019 = ["core", "applicator", "validation", "meta-data", "format", "content"];
const vocabularies2020 = [
  "core",
  "applicator",
  "unevaluated",
  "validation",
  "meta-data",
  "format-annotation",
  "content",
];

const files = new Map<string, string>([
  ["http://json-schema.org/draft-04/schema", "ajv-draft-04/dist/refs/json-schema-draft-04.json"],
  ["http://json-schema.org/draft-06/schema", "ajv/dist/refs/json-schema-draft-06.json"],
  ["http://json-schema.org/draft-07/schema", "ajv/dist/refs/json-schema-draft-07.json"],
  [`${base2019}/schema`, `${folder2019}/schema.json`],
  ...vocabularies2019.map(
    (name) => [`${base2019}/meta/${name}`, `${folder2019}/meta/${name}.json`] as const,
  ),
  [`${base2020}/schema`, `${folder2020}/schema.json`],
  ...vocabularies2020.map(
    (name) => [`${base2020}/meta/${name}`, `${folder2020}/meta/${name}.json`] as const,
  ),
]);
const loaded = new Map<string, PlainObject>();

/** A published meta-schema by its URI, from the installed package and never from the network. */
export function metaSchema(uri: string): PlainObject | undefined {
  const known = loaded.get(uri);
  if (known !== undefined) return known;
  const file = files.get(uri);
  if (file === undefined) return undefined;
  const schema = plainCopy(load(file)).value as PlainObject;
  loaded.set(uri, schema);
  return schema;
}
