import { describe, expect, it } from "vitest";
import { readNameList } from "../src/name-list.js";
import { allows } from "../src/pattern.js";
import { heapUsed } from "./heap.js";

describe("a name list", () => {
  it("P17 remembers a bounded number of answers, and forgetting changes none", () => {
    const list = readNameList("list", ["search", { pattern: "crm_*" }], allows);
    for (let number = 0; number < 2_500; number++) {
      expect(list.covers(`crm_${number}`)).toBe(true);
      expect(list.covers(`erp_${number}`)).toBe(false);
      expect(list.answers.size).toBeLessThanOrEqual(1_000);
    }
    expect(list.covers("crm_0")).toBe(true);
    expect(list.covers("erp_0")).toBe(false);
  });

  it("remembers no name that is longer than any tool's", () => {
    const list = readNameList("list", [{ pattern: "*" }], allows);
    expect(list.covers("a".repeat(257))).toBe(false);
    expect(list.answers.size).toBe(0);
  });

  it("P17 keeps no text alive that a name was cut out of", () => {
    const list = readNameList("list", [{ pattern: "*" }], allows);
    const before = heapUsed();
    for (let number = 0; number < 500; number++) {
      const text = `${String(number).padStart(32, "x")}${"y".repeat(50_000)}`;
      list.covers(JSON.parse(JSON.stringify(text)).slice(0, 32));
    }
    expect(list.answers.size).toBe(500);
    expect(heapUsed() - before).toBeLessThan(5_000_000);
  });

  it("asks no pattern about what is named", () => {
    const list = readNameList("list", ["search", { pattern: "*" }], allows);
    expect(list.covers("search")).toBe(true);
    expect(list.answers.size).toBe(0);
  });

  it("takes any iterable", () => {
    expect([...readNameList("list", new Set(["a", "b", "a"]), allows).names]).toEqual(["a", "b"]);
  });
});
