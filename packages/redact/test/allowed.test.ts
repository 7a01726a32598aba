import { describe, expect, it } from "vitest";
import { type AllowRule, redactor } from "../src/index.js";

const masked = (text: string, ...allow: readonly AllowRule[]) =>
  redactor({ allow }).text(text).value;

describe("a rule of what is allowed", () => {
  it.each<[string, AllowRule, string]>([
    ["a domain", { domain: "brawyn.de" }, "mail zoe@brawyn.de and zoe@eu.Brawyn.DE"],
    ["a domain in its own script", { domain: "bücher.de" }, "mail zoe@xn--bcher-kva.de"],
    ["a range of IPv4", { range: "81.2.69.0/24" }, "from 81.2.69.142"],
    ["a range of IPv6", { range: "2a01:4f8::/32" }, "from 2a01:4f8:1c1c:aaaa::1"],
    [
      "a range of cards",
      { from: "5018083346444440", to: "5018083346444449" },
      "card 5018083346444446 or 5018 0833 4644 4446",
    ],
    ["a value", "5018083346444446", "card 5018083346444446"],
  ])("lets through %s", (_, rule, text) => {
    expect(masked(text)).toContain("[redacted personal.");
    expect(masked(text, rule)).toBe(text);
  });

  it.each<[string, AllowRule, string]>([
    ["another domain that ends so", { domain: "brawyn.de" }, "mail zoe@notbrawyn.de"],
    ["the domain as a part", { domain: "brawyn.de" }, "mail brawyn.de@mail-brawyn.com"],
    ["a password at the domain", { domain: "brawyn.de" }, "https://app:x7Kq9ZtW2mPv@brawyn.de/a"],
    ["the next address", { range: "81.2.69.0/24" }, "from 81.2.70.1"],
    ["an address of the other version", { range: "2a01:4f8::/32" }, "from 81.2.69.142"],
    [
      "a number beside the range",
      { from: "5018083346444440", to: "5018083346444445" },
      "card 5018083346444446",
    ],
    ["a longer number", { from: "5018", to: "5019" }, "card 5018083346444446"],
  ])("does not let through %s", (_, rule, text) => {
    expect(masked(text, rule)).toContain("[redacted ");
  });

  it.each<unknown>([
    7,
    {},
    { domain: "" },
    { domain: "zoe@brawyn.de" },
    { domain: "de" },
    { range: "81.2.69.0" },
    { from: "5019", to: "5018" },
    { from: "5018", to: "50180" },
    { domain: "brawyn.de", range: "81.2.69.0/24" },
  ])("is refused as %j", (rule) => {
    expect(() => redactor({ allow: [rule as AllowRule] })).toThrow("'allow");
  });
});
