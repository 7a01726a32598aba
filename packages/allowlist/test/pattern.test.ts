import { describe, expect, it } from "vitest";
import { matches } from "../src/pattern.js";

describe("matches", () => {
  it.each([
    ["crm_*", "crm_find", true],
    ["crm_*", "crm_", true],
    ["crm_*", "crm", false],
    ["crm_*", "my_crm_find", false],
    ["*_read", "crm_read", true],
    ["*_read", "crm_reads", false],
    ["a*b*c", "aXbXbXc", true],
    ["a*b*c", "aXcXb", false],
    ["?at", "cat", true],
    ["?at", "at", false],
    ["?at", "chat", false],
    ["*", "anything", true],
    ["a.c", "abc", false],
    ["[ab]", "a", false],
    ["(a|b)", "a", false],
    ["^a$", "a", false],
  ])("%s on %s is %s", (pattern, name, expected) => {
    expect(matches(pattern, name)).toBe(expected);
  });

  it.each([
    ["white space", "crm_find all"],
    ["a line break", "crm_find\n"],
    ["a Cyrillic letter", "crm_f\u0456nd"],
    ["what cannot be seen", "crm_find\u200b"],
    ["a control character", "crm_\u0000"],
    ["a fullwidth letter", "crm_\uff46ind"],
  ])("lets no wildcard stand for %s", (_, name) => {
    expect(matches("crm_*", name)).toBe(false);
    expect(matches("*", name)).toBe(false);
  });

  it("takes what a pattern spells out literally, whatever it is", () => {
    expect(matches("größe_*", "größe_x")).toBe(true);
  });

  it("P18 answers in at most the product of both lengths, also where a regular expression would explode", () => {
    expect(matches("a*".repeat(127), `${"a".repeat(255)}!`)).toBe(true);
    expect(matches(`${"a*".repeat(127)}b`, "a".repeat(256))).toBe(false);
    expect(matches("*", "a".repeat(257))).toBe(false);
  });
});
