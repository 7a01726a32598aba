import { describe, expect, it } from "vitest";
import { type Condition, within } from "../src/conditions/condition.js";
import { readRules } from "../src/rules/rules.js";

const places = (...conditions: readonly object[]) =>
  readRules({ rules: conditions.map((when, index) => ({ id: `r${index}`, deny: "no", when })) })
    .rules.flatMap(({ when }) => [...within(when as Condition)])
    .flatMap((each) => (each.kind === "value" || each.kind === "present" ? each.place : []));

describe("conditions of one guard", () => {
  it("share the place that they look at", () => {
    const [one, other, inner] = places(
      { at: "/amount", above: 1 },
      { at: "/amount", present: true },
      { any: [{ not: { at: "/amount", below: 1 } }] },
    );
    expect(other).toBe(one);
    expect(inner).toBe(one);
  });

  it("share no place of another source, or of another name", () => {
    const [one, other, third] = places(
      { at: "/tenant", equals: "a" },
      { host: "/tenant", equals: "a" },
      { at: "/tenant/", equals: "a" },
    );
    expect(other).not.toEqual(one);
    expect(third).not.toEqual(one);
  });
});
