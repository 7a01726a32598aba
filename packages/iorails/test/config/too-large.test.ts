import { describe, expect, it } from "vitest";
import { RailsConfig } from "../../src/engine/rails-config.js";
import { problemsOf } from "./load.js";

describe("a wrong configuration", () => {
  it("refuses a cycle, and nesting that no configuration has", { tags: "long" }, async () => {
    const cycle: Record<string, unknown> = {};
    cycle["custom_data"] = cycle;
    expect((await problemsOf({ config: cycle }))[0]).toContain("is nested deeper than 64 levels");
    expect((await problemsOf({ yaml: "[".repeat(20_000) })).join()).toContain(
      "it is nested too deeply",
    );
  });

  it("refuses aliases that multiply", async () => {
    const lines = ["a: &a0 [x,x,x,x,x,x,x,x,x]"];
    for (let level = 1; level < 9; level++) {
      lines.push(`k${level}: &a${level} [${`*a${level - 1},`.repeat(9)}]`);
    }
    expect(await problemsOf({ yaml: lines.join("\n") })).toEqual([
      "<yaml>: its aliases stand for too much, or it is nested too deeply",
    ]);
  });
});

describe("a configuration that is made to be large", () => {
  it("P18 is refused for its aliases before they are looked up", { tags: "long" }, async () => {
    const yaml = `a: &a x\ncustom_data: [${"*a,".repeat(10_000)}]\n`;
    await expect(RailsConfig.fromContent({ yaml })).rejects.toThrowError(/more than 100 aliases/);
  });

  it("P18 is refused for its size, or told its first problems and the number of the rest", {
    tags: "long",
  }, async () => {
    const keys = (count: number): string =>
      Array.from({ length: count }, (_, index) => `unknown_key_${index}: 1\n`).join("");
    await expect(RailsConfig.fromContent({ yaml: keys(11_000) })).rejects.toThrowError(
      /more than 20000 values and keys/,
    );
    await expect(RailsConfig.fromContent({ yaml: keys(2_000) })).rejects.toThrowError(
      /and 1950 more/,
    );
  });
});
