import { describe, expect, it } from "vitest";
import { kindNames, memoryTokens, type RedactorOptions, redactor } from "../src/index.js";
import { item } from "./items.js";

const mail = item("personal.email", 1);
const card = item("personal.card", 2);
const token = item("secret.github_token", 3);

describe("redactor", () => {
  it("puts a mark with the kind in place of what it finds", () => {
    expect(redactor().text(`${mail} paid with ${card}`)).toEqual({
      value: "[redacted personal.email] paid with [redacted personal.card]",
      kinds: ["personal.email", "personal.card"],
    });
  });

  it.each([
    ["remove", "[redacted]"],
    ["last4", `[redacted personal.card *${card.slice(-4)}]`],
  ] as const)("leaves of a card by %s no more than that", (action, left) => {
    expect(redactor({ action }).text(card).value).toBe(left);
  });

  it("gives the same hash for the same value under one key, and another under another", () => {
    const hashed = (key: string) =>
      redactor({ action: "hash", key }).text(`${token} ${token}`).value;
    const [first, second] = hashed("0123456789abcdef").split("] [");
    expect(`${first}]`).toBe(`[${second}`);
    expect(hashed("0123456789abcdef")).not.toBe(hashed("fedcba9876543210"));
  });

  it("turns tokens back for the host, and no token that it never gave", () => {
    const tokens = memoryTokens();
    const { value } = redactor({ action: { personal: "token" }, tokens }).text(
      `to ${mail}, key ${token}`,
    );
    expect(value).toMatch(
      /^to \[redacted personal\.email #[0-9a-f]{24}\], key \[redacted secret\.github_token\]$/,
    );
    expect(tokens.restore(value)).toBe(`to ${mail}, key [redacted secret.github_token]`);
    expect(tokens.restore("[redacted personal.email #0123456789]")).toBe(
      "[redacted personal.email #0123456789]",
    );
  });

  it("forgets the oldest value when its memory is full", () => {
    const tokens = memoryTokens({ most: 1 });
    const first = tokens.tokenOf("personal.email", "a");
    const second = tokens.tokenOf("personal.email", "b");
    expect([tokens.valueOf(first), tokens.valueOf(second)]).toEqual([undefined, "b"]);
  });

  it("redacts names, numbers and nested strings of JSON, and values that only their name tells", () => {
    const { value } = redactor().json({
      [mail]: 1,
      paid: Number(card),
      list: [{ password: "Xk29#kdLs!" }],
      n: 12,
    });
    expect(value).toEqual({
      "[redacted personal.email]": 1,
      paid: "[redacted personal.card]",
      list: [{ password: "[redacted secret.password]" }],
      n: 12,
    });
  });

  it("redacts a value that only the name beside it tells", () => {
    const password = "Xv9!kq2LmTz7";
    const value = [
      { name: "DB_PASSWORD", value: password },
      { Key: "password", Value: password },
      { name: "colour", value: password },
      { name: 7, value: password },
    ];
    const mark = "[redacted secret.password]";
    expect(redactor().json(value)).toEqual({
      value: [
        { name: "DB_PASSWORD", value: mark },
        { Key: "password", Value: mark },
        { name: "colour", value: password },
        { name: 7, value: password },
      ],
      kinds: ["secret.password"],
    });
  });

  it("refuses what is not JSON, of which nothing would be left", () => {
    const itself: Record<string, unknown> = {};
    itself["itself"] = itself;
    const { json } = redactor();
    const code = (value: unknown): unknown => {
      try {
        return json(value as never);
      } catch (error) {
        return (error as { code?: unknown }).code;
      }
    };
    const values = [
      new Map([["mail", mail]]),
      { at: new Date(0) },
      [() => mail],
      1n,
      itself,
      undefined,
      [undefined],
      new Array(1),
    ];
    expect(values.map(code)).toEqual(values.map(() => "ERR_NOT_JSON"));
    expect(json({ a: [1, true, null, "x"] }).kinds).toEqual([]);
  });

  it("refuses an empty list of kinds, with which it would find nothing", () => {
    expect(() => redactor({ kinds: [] })).toThrow("'kinds' must be a list with a kind or more");
  });

  it("keeps apart two names that are masked alike", () => {
    const { value } = redactor().json({ [mail]: 1, [item("personal.email", 9)]: 2 });
    expect(value).toEqual({ "[redacted personal.email]": 1, "[redacted personal.email #2]": 2 });
  });

  it("leaves JSON in a text JSON", () => {
    const { value } = redactor().text(JSON.stringify({ paid: Number(card), to: mail }));
    expect(JSON.parse(value)).toEqual({
      paid: "[redacted personal.card]",
      to: "[redacted personal.email]",
    });
  });

  it("keeps, or takes whole, what stands at a path", () => {
    const paths = { "/sender/email": "keep", "/notes/*": "remove" } as const;
    const { value, kinds } = redactor({ paths }).json({
      sender: { email: mail },
      notes: { a: { b: "c" } },
      to: mail,
    });
    expect(value).toEqual({
      sender: { email: mail },
      notes: { a: "[redacted]" },
      to: "[redacted personal.email]",
    });
    expect(kinds).toEqual(["path", "personal.email"]);
  });

  it("lets through what is allowed by its value", () => {
    expect(redactor({ allow: [mail] }).text(`${mail} ${token}`).value).toBe(
      `${mail} [redacted secret.github_token]`,
    );
  });

  it.each(["ends with %s.", "-%s\n+none", "_%s_", "**%s**", "'\\n-%s'"])(
    "finds a token in: %s",
    (text) => {
      expect(redactor().text(text.replace("%s", token)).value).toBe(
        text.replace("%s", "[redacted secret.github_token]"),
      );
    },
  );

  it("finds a social security number at the end of a sentence, and none in a longer number", () => {
    const ssn = item("personal.ssn", 4);
    expect(redactor().text(`It is ${ssn}.`).value).toBe("It is [redacted personal.ssn].");
    for (const longer of [`${ssn}.5`, `${ssn}-1`, `1-${ssn}`]) {
      expect(redactor().text(`ssn ${longer}`).kinds).toEqual([]);
    }
  });

  it.each(["", "0x", "\\x", '{"bytes":"\\\\x'])("reads hexadecimal digits behind: %s", (prefix) => {
    expect(redactor().text(prefix + Buffer.from(token).toString("hex")).value).toBe(
      `${prefix}[redacted secret.github_token]`,
    );
  });

  it("finds beside a mark in the midst of one long line what it finds there in a short one", () => {
    const { find } = redactor();
    const words = "The report says ".repeat(2_000);
    const short = " tel 3569133 2706726 ";
    expect(find(short)).toHaveLength(2);
    const moved = find(short).map(({ start, end, kind }) => ({
      start: words.length + start,
      end: words.length + end,
      kind,
    }));
    expect(find(words + short + words)).toEqual(moved);
  });

  it("finds nothing more in a block of base64, however long, when what it found there is masked", () => {
    const { text } = redactor();
    const block = Buffer.from(`${"The report says ".repeat(2_000)} tel 3569133 2706726 `.repeat(3))
      .toString("base64")
      .replace(/.{76}/g, "$&\n");
    const { value, kinds } = text(block);
    expect(kinds).toEqual(["personal.phone"]);
    expect(text(value).value).toBe(value);
  });

  it("hides nothing behind text that only looks like a mark", () => {
    for (const forged of [
      `[redacted ${token}]`,
      `[redacted personal.email ${token}]`,
      `[redacted no.kind] ${token}`,
    ]) {
      expect(redactor().text(forged).value).not.toContain(token);
    }
  });

  it("refuses the text of a value where paths are given, which it could not find in it", () => {
    const value = { user: { name: "Zoe Bell" } };
    const { json } = redactor({ paths: { "/user/name": "mask" } });
    expect(json(value).value).toEqual({ user: { name: "[redacted path]" } });
    for (const text of [JSON.stringify(value), ` ${JSON.stringify([value])}`]) {
      expect(() => json(text)).toThrow("received its text. Give JSON.parse(text).");
      expect(redactor().json(text)).toEqual({ value: text, kinds: [] });
    }
    for (const text of ["", "Zoe", "{ Zoe", "7"]) expect(json(text).value).toBe(text);
  });

  it.each<[string, RedactorOptions, string]>([
    [
      "a kind that is none",
      { kinds: ["secret.none"] },
      "'kinds' must name kinds, or the sorts `secret` and `personal`, received 'secret.none'.",
    ],
    ["a kind without its sort", { kinds: ["email"] }, "Did you mean 'personal.email'?"],
    ["a kind with a slip", { kinds: ["secret.slak"] }, "Did you mean 'secret.slack'?"],
    ["a hash without a key", { action: "hash" }, "'key' must be given"],
    ["tokens without a store", { action: { personal: "token" } }, "'tokens' must be given"],
    [
      "a short key",
      { action: "hash", key: "short" },
      "redactor: 'key' must have at least 16 characters, received 5.",
    ],
    [
      "a key of few bytes",
      { action: "hash", key: new Uint8Array(15) },
      "redactor: 'key' must have at least 16 bytes, received 15.",
    ],
    [
      "a key that is a number",
      { action: "hash", key: 5 as never },
      "'key' must be a string or bytes, 16 or more, received 5.",
    ],
    [
      "an action with a slip",
      { action: "maks" as never },
      "or an object of them by kind, received 'maks'. Did you mean 'mask'?",
    ],
    [
      "an action of a kind with a slip",
      { action: { personal: "mask", secret: "remvoe" as never } },
      "for 'secret', received 'remvoe'. Did you mean 'remove'?",
    ],
    [
      "an action of a path with a slip",
      { paths: { "/a": "keep", "/b": "kep" as never } },
      "at '/b', received 'kep'. Did you mean 'keep'?",
    ],
    [
      "an action of a path that is a number",
      { paths: { "/a": 5 as never } },
      "at '/a', received 5.",
    ],
    [
      "a rule with a slip",
      { allow: ["a", { domian: "corp.de" } as never] },
      "'allow[1]' must be a string, or an object with domain, with range (as 203.0.113.0/24), or with from and to (as many digits), received an object with 'domian'. Did you mean 'domain'?",
    ],
    ["a path that is no pointer", { paths: { email: "keep" } }, "by JSON pointer"],
    ["a path with an escape that is none", { paths: { "/a~2": "keep" } }, "by JSON pointer"],
  ])("refuses %s", (_, options, message) => {
    expect(() => redactor(options)).toThrow(message);
  });

  it("holds back more for kinds whose items are long", () => {
    const mails = redactor({ kinds: ["personal.email"], encoded: false });
    expect(mails.holdback).toBe(2_048);
    expect(redactor().holdback).toBe(16_384);
    expect(redactor().kinds).toEqual(kindNames);
  });
});
