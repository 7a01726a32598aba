import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { citations, page, readPromises, written } from "../../scripts/promises.mjs";

const promises = readPromises();

describe("the promises", () => {
  it.each(promises.filter(({ missing }) => missing === undefined))(
    "are each held by a test that says the id: $id",
    ({ id }) => {
      expect(citations().get(id)?.size ?? 0).toBeGreaterThan(0);
    },
  );

  it("are the only ids that tests say", () => {
    const known = promises.map(({ id }) => id);
    expect([...citations().keys()].filter((id) => !known.includes(id))).toEqual([]);
  });

  it("are marked as missing only while no test says the id", () => {
    const missing = promises.filter((promise) => promise.missing !== undefined);
    expect(missing.filter(({ id }) => citations().has(id))).toEqual([]);
  });

  it("stand on the page as the tests say", () => {
    expect(readFileSync(page, "utf8")).toBe(written());
  });
});
