import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import type { Path } from "../src/yaml/path.js";
import { readYaml } from "../src/yaml/read-yaml.js";
import { changedYaml } from "./yaml-texts.js";

/** The lines of all values, as the library knows them; of one that says nothing it knows none. */
function linesOf(document: Document, lines: LineCounter): [Path, number][] {
  const found: [Path, number][] = [];
  const walk = (node: unknown, path: Path): void => {
    const pairs = isMap(node) ? node.items.map(({ key, value }) => [key, key, value]) : [];
    const items = isSeq(node) ? node.items.map((item, index) => [index, item, item]) : [];
    for (const [key, shown, value] of [...pairs, ...items]) {
      const at = [...path, isScalar(key) ? String(key.source) : (key as number)];
      const { range } = shown as { range?: readonly [number, number] };
      if (range && range[0] < range[1]) found.push([at, lines.linePos(range[0]).line]);
      walk(value, at);
    }
  };
  walk(document.contents, []);
  return found;
}

describe("YAML that is read", () => {
  it("P5 means the same to another reader, each value in the same line", { tags: "longer" }, () => {
    let read = 0;
    fc.assert(
      fc.property(changedYaml, (text) => {
        const { data, locate } = readYaml(text);
        if (data === undefined) return;
        read++;
        const lines = new LineCounter();
        const options = { lineCounter: lines, stringKeys: true, schema: "core" } as const;
        const document = parseDocument(text, options);
        expect([...document.errors, ...document.warnings]).toEqual([]);
        expect(JSON.parse(JSON.stringify(data))).toEqual(
          JSON.parse(JSON.stringify(document.toJS())),
        );
        for (const [path, line] of linesOf(document, lines)) {
          expect([path, locate(path)?.line]).toEqual([path, line]);
        }
      }),
      { numRuns: inject("long") ? 20_000 : 1_000 },
    );
    expect(read).toBeGreaterThan(inject("long") ? 3_000 : 100);
  });
});

describe("YAML that one parser takes and the grammar has not", () => {
  it.each([
    ["a list and a key in one line", "a:\n- [b] c: d\n", 2, 7],
    ["a mapping behind an anchor", "a: &b c: d\n", 1, 4],
    ["a mapping behind an empty key", "a: 1\n: b: c\n", 2, 1],
    ["an anchor without a space behind it", "&b{ a: 1 }", 1, 3],
    ["a key behind a question mark", "? a\n: 1\n", 1, 3],
    ["the mark of a document that is indented", " ---\na: 1\n", 1, 2],
    ["an anchor with signs", "- &a: b\n", 1, 4],
    ["a line that ends with a carriage return only", "a: 1\rb: 2\n", 1, 5],
    ["a key behind the tag of nothing", "!  int a: 1\n", 1, 1],
    ["a value behind the tag of nothing", "a: ! 1\n", 1, 4],
    ["a value of a list behind a comment that is indented less", "-\n#c\n x\n- b\n", 3, 2],
    ["a value of a key behind such a comment", "a:\n\n#c\n   # d\n  &b x\nc: 1\n", 5, 6],
    ["one block of text as the whole", "\n  >\n#a\n", 2, 3],
    ["the same behind the mark of a document", "# b\n--- |\n a\n", 2, 5],
  ])("is refused: %s", (_, text, line, column) => {
    const { data, faults } = readYaml(text);
    expect(data).toBeUndefined();
    expect(faults[0]).toMatchObject({ position: { line, column } });
  });
});

describe("a comment before a value", () => {
  it.each([
    ["as deep as the value", "a:\n  # c\n  x\nb: 1\n", { a: "x", b: 1 }],
    ["behind the key", "a: # c\n  x\nb: 1\n", { a: "x", b: 1 }],
    ["before a key", "a:\n# c\n  x: 1\nb: 1\n", { a: { x: 1 }, b: 1 }],
    ["before an item", "a:\n# c\n  - x\nb: 1\n", { a: ["x"], b: 1 }],
    ["in a list in brackets", "a: [\n# c\n  x,\n  y ]\n", { a: ["x", "y"] }],
    ["before a text in quotes", "a:\n# c\n  'x'\nb: 1\n", { a: "x", b: 1 }],
  ])("is read %s", (_, text, data) => {
    expect(JSON.parse(JSON.stringify(readYaml(text).data ?? null))).toEqual(data);
    expect(parseDocument(text).toJS()).toEqual(data);
  });
});
