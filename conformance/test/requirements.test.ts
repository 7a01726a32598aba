import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { requirements } from "../requirements.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const ids = requirements.map(({ id }) => id);

/** The ids at the start of the text of a string: `"IO-012 IO-013 blocks …"`. */
const citation = /["'`]((?:IO-\d{3} )+)/g;

/** The files of tests that say an id at the start of a name. */
function citations(): ReadonlyMap<string, readonly string[]> {
  const cited = new Map<string, string[]>();
  for (const path of testFiles()) {
    for (const [, said] of readFileSync(path, "utf8").matchAll(citation)) {
      for (const id of (said ?? "").trim().split(" ")) {
        cited.set(id, [...(cited.get(id) ?? []), relative(root, path)]);
      }
    }
  }
  return cited;
}

function testFiles(): readonly string[] {
  const packages = readdirSync(join(root, "packages")).map((name) =>
    join(root, "packages", name, "test"),
  );
  return [...packages, join(root, "conformance", "test")]
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path !== fileURLToPath(import.meta.url));
}

describe("the requirements of the engine", () => {
  it("are each held by a test that says the id", () => {
    const cited = citations();
    expect(ids.filter((id) => !cited.has(id))).toEqual([]);
  });

  it("are the only ones that tests cite", () => {
    expect([...citations()].filter(([id]) => !ids.includes(id))).toEqual([]);
  });

  it("have one id each, in ascending order", () => {
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(ids.filter((id) => !/^IO-\d{3}$/.test(id))).toEqual([]);
  });

  it("say something, in one sentence each", () => {
    const sentence = /^[^\s].{10,110}\.$/;
    expect(requirements.filter(({ says }) => !sentence.test(says))).toEqual([]);
    const departures = requirements.flatMap(({ insteadOf }) => insteadOf ?? []);
    expect(departures.filter((text) => !sentence.test(text))).toEqual([]);
  });

  it("are in our own words: none shares eight words in a row with the page (needs ../shared/sources)", ({
    skip,
  }) => {
    const source = pageText();
    if (source === undefined) return skip();
    const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
    const page = ` ${words(source).join(" ")} `;
    const copied = requirements.filter(({ says }) => {
      const said = words(says);
      return said.some(
        (_, at) => at + 8 <= said.length && page.includes(` ${said.slice(at, at + 8).join(" ")} `),
      );
    });
    expect(copied).toEqual([]);
  });
});

function pageText(): string | undefined {
  try {
    return readFileSync(join(root, "..", "shared", "sources", "iorails-tool-calling.txt"), "utf8");
  } catch {
    return undefined;
  }
}
