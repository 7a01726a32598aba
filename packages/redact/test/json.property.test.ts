import type { JsonValue } from "@toolstile/core";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { redactor } from "../src/index.js";
import { item, kinds } from "./items.js";
import { plantedItems } from "./planted.js";

const { findInJson, json, text } = redactor();
const password = "kmG7oqFYv8dHWicI";
const awsSecret = "0ePRRZeAQltp8eyMv16QFi2uWY+5MLoI+IZglb5k";
const runs = () => (inject("long") ? 6_000 : 500);

const words = [
  "password",
  "--password",
  "password=",
  "SET PASSWORD='",
  "Enter password>",
  "<th>Password</th>",
  "<td>`",
  "O'Brien",
  "C:\\x",
  "phone",
  "SSN",
  "card",
  "aws_secret_access_key",
  "name",
  "value",
  "tab\there\n",
];
const string = fc.oneof(
  fc.constantFrom(...words, password, awsSecret, "536904399", "[redacted secret.password]"),
  fc
    .record({ kind: fc.constantFrom(...kinds), seed: fc.nat(50) })
    .map(({ kind, seed }) => item(kind, seed)),
  fc.string({ unit: "grapheme", maxLength: 12 }),
);
const leaf = fc.oneof(
  string,
  fc.tuple(string, string).map(([head, tail]) => `${head} ${tail}`),
  fc.constantFrom(5018083346444446, -5018083346444446, 5018083346444.25, 536904399, 2025550123, 12),
  fc.constantFrom(null, true),
);
/** No two of these are masked alike: they would be one member of a text. */
const name = fc.oneof(fc.constantFrom(...words), fc.string({ unit: "grapheme", maxLength: 8 }));
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 4 }),
  ),
}));
const given = fc.oneof(
  fc.array(value, { maxLength: 5 }),
  fc.dictionary(name, value, { maxKeys: 5 }),
);

/** The names, strings, numbers and the like in a value, in order. */
function leavesOf(value: JsonValue): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((each: JsonValue) => leavesOf(each));
  if (typeof value !== "object" || value === null) return [value];
  return Object.entries(value).flatMap(([name, each]) => [name, ...leavesOf(each as JsonValue)]);
}

describe("a text that is JSON", () => {
  it("is JSON of the same members when it is redacted", { tags: "longer" }, () => {
    fc.assert(
      fc.property(given, (given) => {
        const before = leavesOf(given);
        const after = leavesOf(JSON.parse(text(JSON.stringify(given)).value));
        expect(after.length).toBe(before.length);
        for (const [index, leaf] of after.entries())
          if (leaf !== before[index]) expect(leaf).toContain("[redacted");
      }),
      { numRuns: runs() },
    );
  });

  it.each<JsonValue>([
    { x: { html: "<th>Password</th>" }, n: 12345, cwd: "C:\\x" },
    { x: { prompt: "Enter password>" }, n: 12345, cwd: "C:\\x" },
    { x: { sql: "SET PASSWORD='" }, amount: 1234567, to: "O'Brien" },
    { usage: "mysql -u <user> -p<password>", code: 5, host: "<host>" },
    { html: "<input type=password>", balance: 1200, next: "<br>" },
    { code: "const password = `", lines: 12, next: "`;" },
    { password: [null, 2221872155771216.5] },
    ["password=", [12345678, null, "card"]],
    ["--password", [null, 12345678, "jan"]],
  ])("keeps what stands behind a quote that its string leaves open: %j", (given) => {
    for (const space of [0, 1, 2]) {
      const plain = JSON.stringify(given, undefined, space);
      expect(text(plain).value).toBe(plain);
      const nested = JSON.stringify({ out: plain });
      expect(text(nested).value).toBe(nested);
    }
  });
});

describe("a value of JSON", () => {
  it("is masked wherever its text is, and the second time stays as it is", {
    tags: "longer",
  }, () => {
    fc.assert(
      fc.property(given, (given) => {
        const before = leavesOf(given);
        const inText = leavesOf(JSON.parse(text(JSON.stringify(given)).value));
        const { value, kinds } = json(given);
        const after = leavesOf(value);
        for (const [index, leaf] of inText.entries())
          if (leaf !== before[index]) expect(after[index]).not.toBe(before[index]);
        expect(JSON.stringify(value) !== JSON.stringify(given)).toBe(kinds.length > 0);
        expect(json(value)).toEqual({ value, kinds: [] });
      }),
      { numRuns: runs() },
    );
  });

  it.each<[string, JsonValue, string]>([
    ["the id beside it", { id: "AKIADK54SX3AGGNOEOLA", key: awsSecret }, awsSecret],
    ["the id before it in a list", ["AKIADK54SX3AGGNOEOLA", awsSecret], awsSecret],
    [
      "the name of its column",
      { columns: ["user", "password"], rows: [["jan", password]] },
      password,
    ],
    ["the first of a pair", [["password", password]], password],
    ["the flag before it", ["--password", password], password],
    ["the word before it", ["SSN", "536904399"], "536904399"],
    ["the word before it, a number", ["SSN", 536904399], "536904399"],
    ["the name of the list in which it stands", { phone: ["n/a", 2025550123] }, "2025550123"],
    ["the name of what it is in", { phone: { home: { number: 2025550123 } } }, "2025550123"],
  ])("is masked by %s", (_, given, secret) => {
    expect(JSON.stringify(json(given).value)).not.toContain(secret);
    expect(JSON.stringify(json(given).value)).toContain("[redacted");
  });

  it("has its findings in its own places, whatever says what they are", () => {
    expect(findInJson({ list: [12, "--password", `\n"${password}"`], SSN: [536904399] })).toEqual([
      { path: "/list/2", start: 2, end: 2 + password.length, kind: "secret.password" },
      { path: "/SSN/0", start: 0, end: 9, kind: "personal.ssn" },
    ]);
  });

  it("is masked in its own places, whatever is escaped in it", () => {
    const line = (secret: string) => `"\\\u0007\n${secret} "quoted"\ttab 𝒳`;
    const mark = "[redacted secret.aws_secret_access_key]";
    expect(json(["AKIADK54SX3AGGNOEOLA", line(awsSecret)]).value).toEqual([
      "[redacted secret.aws_access_key_id]",
      line(mark),
    ]);
  });

  it("is let through as it stands, not as it is written in JSON", () => {
    const key = plantedItems(99, 1).find(({ kind }) => kind === "secret.private_key");
    const given = [key?.phrase ?? ""];
    expect(json(given).kinds).toEqual(["secret.private_key"]);
    expect(redactor({ allow: given }).json(given)).toEqual({ value: given, kinds: [] });
  });

  it("has a text in the hash of what is masked in it, whether by itself or by its neighbours", () => {
    const hash = redactor({ action: "hash", key: "k".repeat(16) });
    const alone = hash.text(`aws_secret_access_key=${awsSecret}`).value.split("=")[1];
    expect(hash.json(["AKIADK54SX3AGGNOEOLA", awsSecret]).value).toContain(alone);
  });
});
