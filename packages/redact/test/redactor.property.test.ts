import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { redactor } from "../src/index.js";
import { item, kinds } from "./items.js";

const all = redactor();

const kind = fc.constantFrom(...kinds);
const planted = fc.record({ kind, seed: fc.nat() }).map(({ kind, seed }) => item(kind, seed));
const filler = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constantFrom(
    "password: ",
    "DB_PASS=",
    "--pwd '",
    '{"value":"k9Rw4xT7bq2',
    '","name":"DB_PASSWORD"}',
    "tel ",
    "order no. ",
    "𝒳🔐",
    '{"a":"',
    '","b":',
    "\n",
    '"',
    '\\"',
    "\\n",
    "&x=",
    "%20",
    "\\u0041",
    "[redacted]",
    "[redacted personal.email]",
    "secret access key ",
    "4111 ",
    "-----BEGIN ",
    "://",
    "=",
    "aGVsbG8gd29ybGQ",
  ),
);
const text = fc
  .array(fc.oneof(planted, filler, fc.constant(" ")), { maxLength: 24 })
  .map((parts) => parts.join(""));

describe("redactor", () => {
  it("finds nothing in what it has redacted", { tags: "longer" }, () => {
    const removing = redactor({ action: "remove" });
    fc.assert(
      fc.property(text, fc.constantFrom(all, removing), (given, { text }) => {
        const once = text(given).value;
        expect(text(once).value).toBe(once);
      }),
      {
        numRuns: inject("long") ? 6_000 : 600,
        examples: [
          [
            "zoe.afddig@brloumo.deⰀeyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJFUlh2eXM3OSJ9.qmjuNcon2OiYgK0VXUp6P98vA2DiDuSE4dqOqHuk4Mo",
            all,
          ],
          // A row that is too long for a value, until the token at its end is masked.
          [`password=${"aB3+".repeat(30)}@${item("secret.openai", 1)}`, all],
          // A row of digits that is too long for a phone number, until its end is masked as one.
          ["tel 3569133 2706726", all],
          // What a mark would show begins so near to the start that what was looked at begins before it.
          [
            "2024 01 0240049 9999999999999999999912 tel 12327067262024-01-0200+49 30 123456(212) 555-01871 1 1 1 (030)(.030 ",
            all,
          ],
          // A word for passwords that is the end of another word, until that is masked.
          [`${item("secret.github_token", 1)}пароль c76%48%6`, all],
          // A mark before a quote, the words before which were lost when another one came behind them.
          [`[redacted]"${item("personal.card", 1)} ${item("personal.email", 1)}\\"`, all],
          ['"PASSORD"valuekVBHotS"%40[redacted]"\n2.1.4.3 [redacted]%40', all],
          // A value that is too long for its line, until the token at its end is masked.
          [
            `Pass:${"aB3xY9".repeat(12)}{pscale_pw_YVERSnCcnHWebTwcwaXR7Aq5-BJ3q7UTN07En_1ryjv`,
            all,
          ],
          [
            `passord=46007272a02:gZRKUmriPAWYI2EDt3pv/vXzAPuzYrQ3biDHKbYGaws_secret_access_key=:(postgres://u:&>${item("secret.service_token", 1)}`,
            all,
          ],
          [
            `password: ;${"aB3xY9:".repeat(13)}passord=093-28-3860eD1zYnBfMjg==${item("secret.service_token", 1)}`,
            all,
          ],
          // A value before its name, behind which another one stands.
          ['{"value":"k9Rw4xT7bq2","name":"DB_PASSWORD"}aGVsbG8gd29ybGQ', all],
          // A value in quotes, in the middle of which stands another secret.
          [`password: "aB3![${item("secret.slack", 1)}]!x9Z"`, removing],
        ],
      },
    );
  });

  it("finds in JSON, at places within their texts, just the kinds that it redacts there", {
    tags: "longer",
  }, () => {
    const value = fc.dictionary(
      fc.oneof(fc.constantFrom("to", "password", "a/b"), text),
      fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.integer()),
      { maxKeys: 4 },
    );
    fc.assert(
      fc.property(value, (value) => {
        const found = all.findInJson(value);
        const kinds = new Set(found.map(({ kind }) => kind));
        expect(kinds).toEqual(new Set(all.json(value).kinds));
        for (const { start, end } of found) expect(start < end && start >= 0).toBe(true);
      }),
      { numRuns: inject("long") ? 2_000 : 200 },
    );
  });

  it("gives for the pieces of a text what it gives for the whole", { tags: "longer" }, () => {
    const long = fc
      .tuple(text, fc.integer({ min: 3_000, max: 9_000 }), text, text)
      .map(
        ([head, size, middle, tail]) =>
          `${head} ${"lorem ipsum 12 ".repeat(size / 15)} ${middle} ${"dolor, ".repeat(900)}${tail}`,
      );
    const small = redactor({
      kinds: ["personal", "secret.github_token", "secret.password"],
      encoded: false,
    });
    fc.assert(
      fc.property(
        long,
        fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 8 }),
        (given, sizes) => {
          const stream = small.stream();
          let out = "";
          for (let at = 0, index = 0; at < given.length; index++) {
            const size = sizes[index % sizes.length] as number;
            out += stream.push(given.slice(at, at + size));
            at += size;
          }
          expect(out + stream.end()).toBe(small.text(given).value);
        },
      ),
      { numRuns: inject("long") ? 150 : 40 },
    );
  });

  it("counts offsets in UTF-16 units, whatever stands before an item", () => {
    const before = fc.string({
      unit: fc.constantFrom("𝒳", "🔐", "日", "x ", "\u200d"),
      maxLength: 20,
    });
    fc.assert(
      fc.property(before, kind, fc.nat(), (head, kind, seed) => {
        const value = item(kind, seed);
        const given = `${head} ${value} .`;
        const found = all
          .find(given)
          .map(({ start, end, kind }) => [given.slice(start, end), kind]);
        expect(found).toEqual([[value, kind]]);
      }),
    );
  });

  it("finds an item that is encoded once, as the run that holds it", () => {
    fc.assert(
      fc.property(kind, fc.nat(), (kind, seed) => {
        const value = item(kind, seed);
        const bytes = Buffer.from(`note=${value}`);
        const forms = [
          bytes.toString("base64"),
          bytes.toString("hex"),
          [...value].map((sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0")}`).join(""),
          [...value]
            .map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`)
            .join(""),
        ];
        for (const form of forms) {
          const given = `x "${form}" y`;
          expect(all.find(given)).toEqual([{ start: 3, end: 3 + form.length, kind }]);
        }
      }),
    );
  });

  it("finds an item in a run of base64 that is longer than what it takes as a whole", () => {
    fc.assert(
      fc.property(kind, fc.nat(), fc.nat({ max: 40 }), (kind, seed, shift) => {
        const value = item(kind, seed);
        const head = "lorem ipsum ".repeat(800) + "x".repeat(shift);
        const given = Buffer.from(`${head} ${value} dolor`).toString("base64");
        const [found] = all.find(given);
        expect(found?.kind).toBe(kind);
        const decoded = Buffer.from(given.slice(found?.start, found?.end), "base64").toString();
        expect(decoded).toContain(value);
      }),
      { numRuns: 40 },
    );
  });
});
