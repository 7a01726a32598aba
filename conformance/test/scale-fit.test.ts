import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exponents, growthOf, tooSteep } from "../../benchmarks/scale/fit.mjs";

const sizes = [10, 100, 1_000, 10_000];
const planted = {
  constant: () => 1,
  "log n": (n: number) => Math.log2(n + 1),
  n: (n: number) => n,
  "n log n": (n: number) => n * Math.log2(n + 1),
  "n²": (n: number) => n * n,
} as const;
type Growth = keyof typeof planted;
const slowestFirst = Object.keys(planted) as Growth[];

/** Points of a planted growth, each off by at most so much of itself. */
function points(growth: Growth, scale: number, noise: readonly number[]) {
  return sizes.map((n, index) => ({
    n,
    value: scale * planted[growth](n) * (1 + (noise[index] ?? 0)),
  }));
}

const scale = fc.double({ min: 1, max: 1e6, noNaN: true });
const noise = fc.array(fc.double({ min: -0.1, max: 0.1, noNaN: true }), {
  minLength: sizes.length,
  maxLength: sizes.length,
});

describe("the fit of a curve", () => {
  it.each(slowestFirst)("accepts %s where %s is allowed, a tenth of noise aside", (growth) => {
    fc.assert(
      fc.property(scale, noise, (size, off) => {
        expect(tooSteep(points(growth, size, off), growth)).toBeUndefined();
      }),
    );
  });

  it.each([
    ["n", "constant"],
    ["n", "log n"],
    ["n²", "constant"],
    ["n²", "n"],
    ["n²", "n log n"],
  ] as const)("refuses %s where %s is allowed", (growth, allowed) => {
    fc.assert(
      fc.property(scale, noise, (size, off) => {
        expect(tooSteep(points(growth, size, off), allowed)).toMatch(/n\^/);
      }),
    );
  });

  it("refuses a cliff at the end of a curve that is flat before", () => {
    const cliff = [5, 5, 5, 50].map((value, index) => ({ n: sizes[index] ?? 0, value }));
    expect(exponents(cliff).tail).toBeCloseTo(1);
    expect(tooSteep(cliff, "constant")).toMatch(/^ends with n\^1\.00|^grows as/);
  });

  it.each(slowestFirst)("names %s by its name where nothing else is in the figures", (growth) => {
    expect(growthOf(points(growth, 7, [0, 0, 0, 0]))).toBe(growth);
  });

  it("sees a linear part over a large constant one", () => {
    const curve = sizes.map((n) => ({ n, value: 50_000 + 10 * n }));
    expect(growthOf(curve)).toBe("n");
  });
});
