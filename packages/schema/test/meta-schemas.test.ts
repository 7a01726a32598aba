import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import published from "../src/drafts/published.json" with { type: "json" };

const load = createRequire(import.meta.url);
const parts = ["schema", ...["core", "applicator", "validation", "meta-data", "content"].map(meta)];
const files = [
  "ajv-draft-04/dist/refs/json-schema-draft-04",
  ...["draft-06", "draft-07"],
  ...[...parts, meta("format")].map((part) => `2019-09/${part}`),
  ...[...parts, meta("unevaluated"), meta("format-annotation")].map((part) => `2020-12/${part}`),
].map((file) => (file.startsWith("ajv") ? file : `ajv/dist/refs/json-schema-${file}`));

function meta(part: string): string {
  return `meta/${part}`;
}

describe("the meta-schemas", () => {
  it("are those that the packages of Ajv publish, and no others", () => {
    const documents = files.map((file) => load(`${file}.json`) as { $id?: string; id?: string });
    const byUri = documents.map((each) => [(each.$id ?? each.id ?? "").replace(/#$/u, ""), each]);
    expect(published).toEqual(Object.fromEntries(byUri));
  });
});
