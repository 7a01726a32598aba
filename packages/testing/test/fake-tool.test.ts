import { describe, expect, it } from "vitest";
import { fakeTool } from "../src/index.js";

describe("fakeTool", () => {
  it("remembers the arguments of each run", () => {
    const tool = fakeTool("search");
    expect(tool.execute({ q: 1 })).toBe("done");
    tool.execute({ q: 2 });
    expect(tool.runs).toEqual([{ q: 1 }, { q: 2 }]);
  });

  it("remembers a run that failed", () => {
    const tool = fakeTool("search", {
      execute: () => {
        throw new Error("down");
      },
    });
    expect(() => tool.execute({ q: 1 })).toThrow("down");
    expect(tool.runs).toEqual([{ q: 1 }]);
  });

  it("is defined as it is told", () => {
    const parameters = { type: "object" } as const;
    expect(fakeTool("x", { parameters })).toMatchObject({ name: "x", parameters });
  });
});
