import { describe, expect, it } from "vitest";
import { RailsConfig } from "../../src/config/rails-config.js";
import { problemsOf } from "./load.js";

describe("a wrong configuration", () => {
  it("refuses a cycle, and nesting that no configuration has", () => {
    const cycle: Record<string, unknown> = {};
    cycle["custom_data"] = cycle;
    expect(problemsOf({ config: cycle })[0]).toContain("is nested deeper than 64 levels");
    expect(problemsOf({ yaml: "[".repeat(20_000) }).join()).toContain("it is nested too deeply");
  });

  it("refuses aliases that multiply", () => {
    const lines = ["a: &a0 [x,x,x,x,x,x,x,x,x]"];
    for (let level = 1; level < 9; level++) {
      lines.push(`k${level}: &a${level} [${`*a${level - 1},`.repeat(9)}]`);
    }
    expect(problemsOf({ yaml: lines.join("\n") })).toEqual([
      "<yaml>: cannot be read as YAML: too many aliases or nested too deeply",
    ]);
  });
});

describe("a configuration that is made to be large", () => {
  it("P18 is refused for its aliases before they are looked up", () => {
    const yaml = `a: &a x\ncustom_data: [${"*a,".repeat(20_000)}]\n`;
    expect(() => RailsConfig.fromContent({ yaml })).toThrowError(/too many aliases/);
  });

  it("P18 is refused for its size, or told its first problems and the number of the rest", () => {
    const keys = (count: number): string =>
      Array.from({ length: count }, (_, index) => `unknown_key_${index}: 1\n`).join("");
    expect(() => RailsConfig.fromContent({ yaml: keys(20_000) })).toThrowError(
      /more than 20000 values and keys/,
    );
    expect(() => RailsConfig.fromContent({ yaml: keys(2_000) })).toThrowError(/and 1950 more/);
  });
});
