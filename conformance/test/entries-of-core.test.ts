import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { exportsOf } from "../../scripts/structure/figures.mjs";

const core = fileURLToPath(new URL("../../packages/core", import.meta.url));
const manifest = JSON.parse(readFileSync(join(core, "package.json"), "utf8"));
const entries = new Map(
  Object.entries<Record<string, string>>(manifest.exports).flatMap(([key, entry]) => {
    const source = entry["@toolstile/source"];
    return source === undefined ? [] : [[key, exportsOf(join(core, source))] as const];
  }),
);

/** The names of an entry: of values, types, or both. */
function names(key: string, kinds: readonly ("values" | "types")[]): string[] {
  const found = entries.get(key);
  if (found === undefined) throw new Error(`core has no entry ${key}`);
  return kinds.flatMap((kind) => found[kind]);
}

describe("the entries of core", () => {
  it("are few names at the root: at most 21 values and 45 types", () => {
    expect(names(".", ["values"]).length).toBeLessThanOrEqual(21);
    expect(names(".", ["types"]).length).toBeLessThanOrEqual(45);
  });

  it("have no name twice, but for values of the root that packages of guards need without a runner", () => {
    const all = [...entries.keys()].flatMap((key) => names(key, ["values", "types"]));
    expect(all.filter((name, place) => all.indexOf(name) !== place).toSorted()).toEqual([
      "ToolstileError",
      "allow",
      "deny",
      "modify",
      "rewrite",
    ]);
  });
});
