import { leastCpuMs, quietCpuMs } from "@toolstile/testing/cpu";
import { describe, expect, it } from "vitest";
import { readYamlInParts } from "../src/yaml/read-parts.js";
import { readYaml } from "../src/yaml/read-yaml.js";
import { Slices } from "../src/yaml/slices.js";

/** At most 34 ms were measured. */
const mostMs = 50;
const mebibyte = 1_024 * 1_024;
/** Less than this is mostly noise. */
const noiseMs = 8;

const dimensions = {
  keys: 400,
  items: 400,
  depth: 15,
  length: 400,
  lines: 400,
  comments: 400,
  escapes: 200,
  aliases: 20,
  documents: 1,
};
type Dimension = keyof typeof dimensions;
const names = Object.keys(dimensions) as Dimension[];
const pairs = names.flatMap((one, at) => names.slice(at).map((other) => [one, other] as const));

/** A text that has so much of each; of what is not named, little. */
function textOf(size: Partial<Record<Dimension, number>>): string {
  const of = (name: Dimension) => size[name] ?? 1;
  const list = <Made>(count: number, make: (at: number) => Made) =>
    Array.from({ length: count }, (_, at) => make(at));
  const word = "x".repeat(of("length"));
  const escaped = `"${"\\u0041".repeat(of("escapes"))}"`;
  const deep = `${"{ a: [".repeat(of("depth") >> 1)}1${"] }".repeat(of("depth") >> 1)}`;
  const value = `{ ${list(of("keys"), (at) => `k${at}: ${word}`).join(", ")}, deep: ${deep} }`;
  const lines = list(of("lines"), () => `    ${word}\n`).join("");
  const comments = list(of("comments"), () => `# ${word}\n`).join("");
  const aliases = list(of("aliases"), () => "*anchor").join(", ");
  const item = (at: number) => `  - name: n${at}\n    value: ${at === 0 ? value : word}\n`;
  const last = size.aliases === undefined ? "" : `anchored: &anchor ${value}\nall: [${aliases}]\n`;
  const text = `${comments}text: |\n${lines}escaped: ${escaped}\nlist:\n${list(of("items"), item).join("")}${last}`;
  return list(of("documents"), () => text).join("---\n");
}

const sized = (one: Dimension, other: Dimension, times: number): string =>
  textOf({ [one]: dimensions[one] * times, [other]: dimensions[other] * times });

const ways: readonly (readonly [string, (text: string) => unknown])[] = [
  ["at once", readYaml],
  ["in parts", (text) => readYamlInParts(text, new Slices())],
];

describe.each(ways)("reading YAML %s", (_, read) => {
  it.each(pairs)(
    "P18 costs no more than n log n, and is bounded, where %s and %s grow",
    { tags: "long" },
    async (one, other) => {
      const [small, large] = [sized(one, other, 1), sized(one, other, 4)];
      const bounded = await quietCpuMs(() => read(large), { enoughMs: mostMs, tries: 12 });
      // A larger file is refused before it is read.
      if (large.length <= mebibyte) expect(bounded).toBeLessThanOrEqual(mostMs);
      if ((await leastCpuMs(() => read(large), { tries: 1 })) <= noiseMs) return;
      const grown = large.length / small.length;
      const allowed = (grown * Math.log2(large.length)) / Math.log2(small.length);
      const less = await leastCpuMs(() => read(small));
      // Twice: time is no count.
      const enoughMs = 2 * allowed * Math.max(less, noiseMs / grown);
      expect(await leastCpuMs(() => read(large), { enoughMs })).toBeLessThanOrEqual(enoughMs);
    },
  );
});

it("P18 the places of all values in an item are told for less than the item is read for again each time", async () => {
  const rules = Array.from({ length: 1_000 }, (_, at) => `      - { id: r${at}, deny: no }\n`);
  const text = `guards:\n  - use: x\n    rules:\n${rules.join("")}`;
  const { locate } = await readYamlInParts(text, new Slices());
  const places = () => rules.map((_, at) => locate(["guards", 0, "rules", at])?.line);
  expect(places()).toEqual(rules.map((_, at) => 4 + at));
  expect(await quietCpuMs(places, { enoughMs: mostMs, tries: 12 })).toBeLessThanOrEqual(mostMs);
});
