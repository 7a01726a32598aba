import type { JsonObject } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { redactor } from "../src/index.js";

const { json, text } = redactor();
const password = "[redacted secret.password]";
const mail = "[redacted personal.email]";

describe("a member of an object", () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      "behind a name that holds an item itself",
      { "zoe@brawyn.de password": "Tr0ub4dor3xyz" },
      { [`${mail} password`]: password },
    ],
    [
      "behind a member that names it and holds an item",
      { name: "zoe@brawyn.de password", value: "Tr0ub4dor3xyz" },
      { name: `${mail} password`, value: password },
    ],
    [
      "behind the member `name`, wherever a title stands",
      { title: "Login of Zoe", name: "password", value: "Tr0ub4dor3xyz" },
      { title: "Login of Zoe", name: "password", value: password },
    ],
    ["as a whole, whatever signs it has", { password: "Tr0ub4dor&3xyz" }, { password }],
    [
      "however much stands behind it",
      { password: `Tr0ub4dor3xyz ${"and more ".repeat(40)}` },
      { password: `${password} ${"and more ".repeat(40)}` },
    ],
  ])("is masked %s, and stays as it is the second time", (_, given, expected) => {
    const once = json(given).value;
    expect(once).toEqual(expected);
    expect(json(once).value).toEqual(expected);
  });

  it("has no name that is longer when its items are masked than a name may be", () => {
    const given = { name: `${"a@brawyn.de ".repeat(5)}pwd`, value: "Tr0ub4dor3xyz" };
    const once = json(given).value;
    expect(json(once).value).toEqual(once);
  });
});

describe("a mark in a text that is JSON", () => {
  it("is text of its own in place of a number, and a part of the text in a string", () => {
    const given =
      '{"a":"card 5018083346444446 ok","b":[5018083346444446 ],"c\\"":"\\\\","d":5018083346444446}';
    const card = "[redacted personal.card]";
    const { value } = text(given);
    expect(JSON.parse(value)).toEqual({ a: `card ${card} ok`, b: [card], 'c"': "\\", d: card });
  });
});
