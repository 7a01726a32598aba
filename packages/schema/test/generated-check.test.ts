import { heapUsed } from "@toolstile/testing/heap";
import { describe, expect, it } from "vitest";
import { compile } from "../src/admission/compile.js";
import { plainCopy } from "../src/document/plain-copy.js";
import { readCompileOptions } from "../src/options.js";

const schema = (n: number) => ({
  properties: { [`a${n}`]: { type: "string", pattern: "^[a-z0-9]*$", enum: [`v${n}`, `w${n}`] } },
  required: [`a${n}`],
});

const made = (given: object, codeAfter?: number) =>
  compile(plainCopy(given).value, readCompileOptions("test", {}), codeAfter);
/** With code from its first check on. */
const coded = (n: number) => {
  const compiled = made(schema(n), 0);
  compiled.check(null);
  return compiled;
};

describe("generated code", () => {
  it("comes once checks have cost as much, and changes no verdict", () => {
    const compiled = made(schema(1));
    const verdicts = new Set<unknown>();
    let checks = 0;
    for (; checks < 100_000 && !compiled.hasCode; checks++) {
      verdicts.add(compiled.check({ a1: "v1" }));
    }
    expect(checks).toBeGreaterThan(100);
    expect(checks).toBeLessThan(100_000);
    for (let more = 0; more < 10; more++) verdicts.add(compiled.check({ a1: "v1" }));
    expect([...verdicts]).toEqual([undefined]);
    expect(compiled.check({ a1: "b" })).toEqual(made(schema(1)).check({ a1: "b" }));
  });

  it("does not come for a schema whose checks can be long", () => {
    const long = made({ allOf: Array.from({ length: 300 }, () => ({ minProperties: 1 })) }, 0);
    long.check({});
    expect(long.hasCode).toBe(false);
  });

  it("P17 leaves nothing behind of a schema that is dropped", () => {
    for (let n = 0; n < 40; n++) coded(n);
    const before = heapUsed();
    for (let n = 40; n < 200; n++) coded(n);
    expect(heapUsed() - before).toBeLessThan(300_000);
  });

  it("has the patterns and names of its own schema, whatever is compiled next", () => {
    const all = Array.from({ length: 20 }, (_, n) => coded(n));
    for (const [n, compiled] of all.entries()) {
      expect(compiled.hasCode).toBe(true);
      expect(compiled.check({ [`a${n}`]: `v${n}` })).toBeUndefined();
      expect(compiled.check({ [`a${n}`]: `w${n + 1}` })).toMatchObject({ keyword: "enum" });
      expect(compiled.check({ [`a${n + 1}`]: `v${n}` })).toMatchObject({ keyword: "required" });
    }
  });

  it("goes on after a schema that it could not compile", () => {
    expect(() => made({ type: "dict" })).toThrow("no type");
    expect(coded(1).check({ a1: "b" })).toMatchObject({ keyword: "enum" });
  });
});
