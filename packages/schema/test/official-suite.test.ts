import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { compileSchema, type Draft } from "../src/index.js";
import { compileBothWays } from "./both-ways.js";

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { description: string; data: unknown; valid: boolean }[];
}

const data =
  process.env.TOOLSTILE_SHARED_DATA ??
  fileURLToPath(new URL("../../../../shared/data", import.meta.url));
const suite = `${data}/json-schema-test-suite/tests`;
const present = existsSync(suite);

const folders: readonly (readonly [string, Draft])[] = [
  ["draft4", "draft-04"],
  ["draft6", "draft-06"],
  ["draft7", "draft-07"],
  ["draft2019-09", "2019-09"],
  ["draft2020-12", "2020-12"],
];

const neverFetched = "refers to another document, and none is ever fetched";
const unknownMetaSchema = "announces a meta-schema of its own, which would have to be fetched";

/** Groups whose schema is refused at load, by design. */
const refused = new Map<string, string>([
  ...[
    "remote ref",
    "fragment within remote ref",
    "anchor within remote ref",
    "ref within remote ref",
    "base URI change",
    "base URI change - change folder",
    "base URI change - change folder in subschema",
    "root ref in remote ref",
    "remote ref with ref to definitions",
    "remote ref with ref to defs",
    "Location-independent identifier in remote ref",
    "retrieved nested refs resolve relative to their URI not $id",
    "remote HTTP ref with different $id",
    "remote HTTP ref with different URN $id",
    "remote HTTP ref with nested absolute ref",
    "$ref to $ref finds location-independent $id",
    "$ref to $ref finds detached $anchor",
  ].map((description) => [`refRemote.json: ${description}`, neverFetched] as const),
  ...[
    "strict-tree schema, guards against misspelled properties",
    "tests for implementation dynamic anchor and reference link",
    "$ref and $dynamicAnchor are independent of order - $defs first",
    "$ref and $dynamicAnchor are independent of order - $ref first",
    "$ref to $dynamicRef finds detached $dynamicAnchor",
  ].map((description) => [`dynamicRef.json: ${description}`, neverFetched] as const),
  ...[
    "schema that uses custom metaschema with with no validation vocabulary",
    "ignore unrecognized optional vocabulary",
  ].map((description) => [`vocabulary.json: ${description}`, unknownMetaSchema] as const),
]);

/** Optional behaviour that is promised here as well. */
const optional = [
  ..."anchor bignum dependencies-compatibility dynamicRef ecmascript-regex float-overflow id".split(
    " ",
  ),
  ..."no-schema non-bmp-regex refOfUnknownKeyword unknownKeyword".split(" "),
].map((name) => `${name}.json`);

function groups(folder: string, file: string): Group[] {
  return JSON.parse(readFileSync(`${suite}/${folder}/${file}`, "utf8")) as Group[];
}

describe.skipIf(!present)("the official JSON Schema test suite (needs ../shared/data)", () => {
  const seen = new Set<string>();

  describe.each(folders)("%s", (folder, defaultDraft) => {
    const required = present
      ? readdirSync(`${suite}/${folder}`).filter((file) => file.endsWith(".json"))
      : [];
    const files = [
      ...required,
      ...optional
        .map((file) => `optional/${file}`)
        .filter((file) => existsSync(`${suite}/${folder}/${file}`)),
    ];

    it.each(files)("%s is answered as the suite says", (file) => {
      const wrong: string[] = [];
      for (const { description, schema, tests } of groups(folder, file)) {
        const exception = `${file}: ${description}`;
        if (refused.has(exception)) {
          seen.add(exception);
          expect(() => compileSchema(schema, { defaultDraft }), exception).toThrow(
            /never|ever fetched|known drafts/u,
          );
          continue;
        }
        const compiled = compileBothWays(schema, { defaultDraft });
        for (const test of tests) {
          const valid = compiled.check(test.data) === undefined;
          if (valid !== test.valid) wrong.push(`${description}: ${test.description}`);
        }
      }
      expect(wrong).toEqual([]);
    });
  });

  it("lists no exception that the suite does not have", () => {
    expect([...refused.keys()].filter((exception) => !seen.has(exception))).toEqual([]);
  });
});
