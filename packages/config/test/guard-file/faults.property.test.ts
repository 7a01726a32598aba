import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { stringify } from "yaml";
import { Faults } from "../../src/guard-file/faults.js";
import { wellFormed } from "../../src/guard-file/schema.js";
import { type Path, pathText } from "../../src/yaml/path.js";
import { readYaml } from "../../src/yaml/read-yaml.js";
import { Slices } from "../../src/yaml/slices.js";

const key = fc.string({ maxLength: 12 }).filter((text) => text !== "__proto__" && text !== "<<");
const name = fc.string({ minLength: 1, maxLength: 12 });
const scalar = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string());
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(key, tie("json"), { maxKeys: 4 }),
  ),
}));
const isWellFormed = (value: unknown): boolean => JSON.stringify(value).isWellFormed();

const guard = fc.record(
  {
    use: name,
    with: fc.dictionary(key, scalar),
    tools: fc.array(
      fc.oneof(
        name.filter((text) => !/[*?]/.test(text)),
        fc.record({ pattern: fc.string({ minLength: 1, maxLength: 9 }) }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
    mode: fc.constantFrom("enforce", "shadow"),
    failOpen: fc.boolean(),
    timeoutMs: fc.integer({ min: 1 }),
  },
  { requiredKeys: ["use"] },
);
const guards = fc.array(guard, { maxLength: 3 });
const file = fc.record(
  {
    version: fc.constant(1),
    policyVersion: name,
    mode: fc.constantFrom("enforce", "shadow"),
    guards,
    agents: fc.dictionary(
      name.filter((text) => text !== "__proto__" && text !== "<<"),
      fc.record({ guards }),
      { maxKeys: 3 },
    ),
    observers: fc.array(fc.record({ use: name })),
    tools: fc.array(fc.record({ name })),
  },
  { requiredKeys: ["version", "guards"] },
);

const checked = (data: unknown, faults: Faults) =>
  wellFormed(data, faults, new Slices(), { guards: new Set(), observers: new Set() });

/** YAML and JSON: both are ways to write a guard.yaml. */
const writings: readonly ((value: unknown) => string)[] = [
  (value) => stringify(value),
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, null, 2),
];

describe("a guard.yaml", () => {
  it("says what was written, whatever that is", () => {
    fc.assert(
      fc.property(json.filter(isWellFormed), fc.constantFrom(...writings), (value, write) => {
        const faults = new Faults("f");
        const read = faults.read(readYaml(write(value)));
        expect(faults.list).toEqual([]);
        expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("that is right has no fault", async () => {
    await fc.assert(
      fc.asyncProperty(file, fc.constantFrom(...writings), async (value, write) => {
        const faults = new Faults("f");
        const { guards, agents } = await checked(faults.read(readYaml(write(value))), faults);
        expect(faults.list).toEqual([]);
        expect(guards.map(([, { use }]) => use)).toEqual(value.guards.map(({ use }) => use));
        expect(agents.map(([agent]) => agent).sort()).toEqual(
          Object.keys(value.agents ?? {}).sort(),
        );
      }),
    );
  });

  it("that has one key too many has a fault in the line of that key", {
    tags: "longer",
  }, async () => {
    const marked = fc.record({ value: file, place: fc.nat() });
    await fc.assert(
      fc.asyncProperty(marked, async ({ value, place }) => {
        const holders: [Path, object][] = [
          [[], value],
          ...value.guards.map((each, index): [Path, object] => [["guards", index], each]),
          ...Object.entries(value.agents ?? {}).map(([agent, each]): [Path, object] => [
            ["agents", agent],
            each,
          ]),
        ];
        const [path, holder] = holders[place % holders.length] as [Path, object];
        (holder as Record<string, unknown>)["unheard_of"] = 1;
        const text = stringify(value);
        const line = text.split("\n").findIndex((each) => /^[\s-]*unheard_of: 1$/.test(each)) + 1;
        const faults = new Faults("f");
        await checked(faults.read(readYaml(text)), faults);
        expect(faults.list).toMatchObject([{ line, path: pathText([...path, "unheard_of"]) }]);
      }),
    );
  });

  it("of any bytes at all is read or has faults, and nothing is thrown", async () => {
    const pieces = fc.constantFrom(
      "version: 1\n",
      "guards:\n",
      "  - use: a\n",
      "*a",
      "&a ",
      "[",
      "{",
      "}",
      "]",
      ": ",
      "- ",
      "\t",
      "%",
      "|",
      ">",
      "!x ",
      "<<",
      "'",
      '"',
      "#",
      "---\n",
      "\n",
      "? ",
    );
    const text = fc.array(fc.oneof(pieces, fc.string({ unit: "binary", maxLength: 6 })), {
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(text, async (parts) => {
        const faults = new Faults("f");
        const read = faults.read(readYaml(parts.join("")));
        if (read === undefined) expect(faults.list).not.toEqual([]);
        else await checked(read, faults);
      }),
      { numRuns: inject("long") ? 500 : 50 },
    );
  });
});
