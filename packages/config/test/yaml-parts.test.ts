import type { JsonValue } from "@toolstile/core";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import type { Path } from "../src/yaml/path.js";
import { type PartsReading, readYamlInParts } from "../src/yaml/read-parts.js";
import { readYaml, type YamlReading } from "../src/yaml/read-yaml.js";
import { Slices } from "../src/yaml/slices.js";
import { changedYaml } from "./yaml-texts.js";

function pathsIn(value: unknown, path: Path = []): Path[] {
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [
    path,
    ...members.flatMap(([key, member]) =>
      pathsIn(member, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

/** All that a reading says: data, faults, and the place of each value and of a key that is missing there. */
function all({ data, faults, locate }: YamlReading) {
  const places = pathsIn(data).flatMap((path) => [locate(path), locate([...path, "missing"])]);
  return { data: JSON.stringify(data), faults, places };
}

const guards = (count: number, line: (at: number) => string = (at) => `  - name: g${at}\n`) =>
  `version: 1\nguards:\n${Array.from({ length: count }, (_, at) => line(at)).join("")}`;
const read = (text: string, known?: PartsReading) =>
  readYamlInParts(text, new Slices(), known?.items);
const listIn = ({ data }: YamlReading) =>
  (data as { readonly guards: readonly JsonValue[] }).guards;

describe("the place of an empty item", () => {
  it.each([
    ["- a\n-\n", 1, 2],
    ["- a:\n-\n", 1, 2],
    ["- {a}\n-\n", 1, 2],
    ["- a:\n  b:\n-\n-\n- c\n-\n", 2, 4],
    ["- a:\n  b:\n-\n-\n- c\n-\n", 4, 6],
    ["- 'a -' # -\n-\n", 1, 2],
  ])("is its own in %j", (text, index, line) => {
    expect(readYaml(text).locate([index])).toMatchObject({ line, column: 1 });
  });
});

describe("YAML that is read in parts", () => {
  it("P5 says the same as when it is read at once", { tags: "longer" }, async () => {
    let inParts = 0;
    await fc.assert(
      fc.asyncProperty(changedYaml, changedYaml, async (before, text) => {
        const first = await read(before);
        for (const known of [undefined, first]) {
          const reading = await read(text, known);
          expect(all(reading)).toEqual(all(readYaml(text)));
          if (reading.items.size > 0) inParts++;
        }
      }),
      { numRuns: inject("long") ? 4_000 : 150 },
    );
    expect(inParts).toBeGreaterThan(inject("long") ? 800 : 10);
  });

  it("keeps the data of items whose text is as before, wherever they stand", async () => {
    const before = await read(guards(100));
    const changed = guards(100, (at) =>
      at === 50 ? "  - name: new\n  - { name: other }\n" : `  - name: g${at}\n`,
    );
    const after = await read(`# one line more\n${changed}`, before);
    const kept = listIn(after).filter((item) => listIn(before).includes(item));
    expect([kept.length, listIn(after).length]).toEqual([99, 101]);
    expect(after.locate(["guards", 51, "name"])).toEqual({ line: 55, column: 7 });
    expect(after.locate(["guards", 99])).toEqual({ line: 103, column: 5 });
  });

  it("may be longer than what is read at once", async () => {
    const text = guards(7_000);
    expect(readYaml(text).faults).toMatchObject([{ message: expect.stringContaining("20000") }]);
    expect(listIn(await read(text))).toHaveLength(7_000);
  });

  it("P18 has no more than 200,000 values and keys", async () => {
    const { data, faults } = await read(
      guards(19_000, () => "  - [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n"),
    );
    expect(data).toBeUndefined();
    expect(faults).toMatchObject([{ message: "it has more than 200000 values and keys" }]);
  });

  it("P18 has no more than 20,000 items in its lists, which are not read where there are more", async () => {
    for (const [items, others] of [
      [20_001, 0],
      [15_000, 5_001],
      [262_000, 0],
    ] as const) {
      const { data, faults } = await read(
        `a:\n${"- 1\n".repeat(items)}b:\n${"- 1\n".repeat(others)}`,
      );
      expect(data).toBeUndefined();
      expect(faults).toMatchObject([{ message: "it has more than 20000 items in its lists" }]);
    }
    expect((await read(`a:\n${"- 1\n".repeat(20_000)}`)).faults).toEqual([]);
  });

  it.each([
    ["a key twice", "  - { a: 1, a: 2 }\n", "a key stands twice in one mapping", 13],
    ["what is no YAML", "  - a: @b\n", "a text that begins with a sign", 8],
    ["an anchor", "  - &a 1\n", "anchors and aliases can stand in files of at most 20000", 1],
  ])("says in a long file where there is %s", async (_, line, message, column) => {
    const { data, faults } = await read(
      guards(7_000, (at) => (at === 6_900 ? line : "  - a: 1\n")),
    );
    expect(data).toBeUndefined();
    expect(faults).toMatchObject([
      { message: expect.stringContaining(message), position: { line: 6_903, column } },
    ]);
  });

  it("is read at once where anchors join the parts", async () => {
    const { data, items } = await read("a:\n- &x 1\n- &x 2\nb: *x\n");
    expect([JSON.stringify(data), items.size]).toEqual(['{"a":[1,2],"b":2}', 0]);
  });

  it.each([
    ["of a text", "a: |\n  - b\n  - c\n"],
    ["of a quoted text", "a: 'b\n  - c\n  - d'\n"],
    ["of a text that is folded", "a: b\n  - c\n  - d\n"],
    ["in brackets", "a: [b,\n  - c,\n  - d]\n"],
  ])("is not misled by lines %s that look like a list", async (_, text) => {
    expect(all(await read(text))).toEqual(all(readYaml(text)));
  });

  it.each([
    ["only of a tab", "\t"],
    ["only of spaces and a tab", "  \t "],
    ["of a comment behind a tab", "\t# c"],
    ["of a tab and a carriage return", "\t\r"],
  ])("P5 keeps what stands in an entry behind a line %s", async (_, line) => {
    const text = `guards:\n  - use: a\n${line}\n    mode: shadow\n  - use: b\n${line}\n    with: {}\n`;
    const reading = await read(text);
    expect(all(reading)).toEqual(all(readYaml(text)));
    expect([JSON.stringify(listIn(reading)), reading.items.size]).toEqual([
      '[{"use":"a","mode":"shadow"},{"use":"b","with":{}}]',
      2,
    ]);
  });

  it.each([
    ["a text", "guards:\n- a\n\tb\n"],
    ["a key", "guards:\n- a: 1\n\tb: 2\n"],
    ["an item", "guards:\n- a\n\t- b\n"],
    ["the key behind the list", "guards:\n- a\n\tversion: 1\n"],
  ])("is refused where a tab indents %s", async (_, text) => {
    const reading = await read(text);
    expect(reading.data).toBeUndefined();
    expect(all(reading)).toEqual(all(readYaml(text)));
  });

  it("lets others have their turn", async () => {
    let turns = 0;
    const slices = { isOver: true, pause: async () => void turns++ };
    await readYamlInParts(guards(10), slices as unknown as Slices);
    expect(turns).toBe(10);
  });
});
