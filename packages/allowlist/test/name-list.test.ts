import { patternAllows as allows } from "@toolstile/core/provider";
import { heapUsed } from "@toolstile/testing/heap";
import { describe, expect, it } from "vitest";
import { readNameList } from "../src/name-list.js";

describe("a name list", () => {
  it("P17 keeps nothing of the names that it is asked about", () => {
    const list = readNameList("list", "allow", ["search", { pattern: "crm_*" }], allows);
    const before = heapUsed();
    for (let number = 0; number < 500; number++) {
      const text = `crm_${number}_${"y".repeat(50_000)}`;
      const name = JSON.parse(JSON.stringify(text)).slice(0, 32);
      expect(list.covers(name)).toBe(true);
      expect(list.covers(`erp_${name}`)).toBe(false);
    }
    expect(heapUsed() - before).toBeLessThan(5_000_000);
  });

  it("takes any iterable", () => {
    expect([...readNameList("list", "allow", new Set(["a", "b", "a"]), allows).names]).toEqual([
      "a",
      "b",
    ]);
  });
});
