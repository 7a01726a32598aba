import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { barsOf } from "../../benchmarks/bars.mjs";

const page = readFileSync(new URL("../../docs/benchmarks.md", import.meta.url), "utf8");

describe("docs/benchmarks.svg", () => {
  it("is drawn from the figures of the page", async () => {
    await expect(barsOf(page)).toMatchFileSnapshot("../../docs/benchmarks.svg");
  });

  it("has a bar for a row with a goal, and none for one without", () => {
    const rows = ["| a | 0.5 C | x | 1 |", "| b | 3 C | x | 2 |", "| c | 1 C | x | none |"];
    const drawn = barsOf(rows.join("\n"));
    expect([...drawn.matchAll(/class="(reached|missed)"/g)].map(([, kind]) => kind)).toEqual([
      "reached",
      "missed",
    ]);
    expect(drawn).toContain(">1.50<");
  });
});
