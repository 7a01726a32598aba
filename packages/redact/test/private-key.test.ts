import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { redactor } from "../src/index.js";
import { Draw } from "./items.js";

const whole = redactor();
const mark = "[redacted secret.private_key]";

/** A key of so many bytes, whose structure is right at its beginning. It is nobody's. */
function pem(label: string, bytes: number, headers: readonly string[] = [], first = 0x30): string {
  const draw = new Draw(bytes);
  const body = Buffer.from([first, 0x82, ...Array.from({ length: bytes }, () => draw.below(256))]);
  const lines = body.toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...headers, ...lines, `-----END ${label}-----`].join("\n");
}

const keys: readonly (readonly [string, string])[] = [
  ["of RSA", pem("RSA PRIVATE KEY", 1_190)],
  ["of one line", pem("PRIVATE KEY", 46)],
  [
    "encrypted as RFC 1421 has it",
    pem(
      "RSA PRIVATE KEY",
      1_190,
      ["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-256-CBC,4FA1B09C4FA1B09C4FA1B09C4FA1B09C", ""],
      0x77,
    ),
  ],
  ["of OpenPGP", pem("PGP PRIVATE KEY BLOCK", 700, ["Version: 2", ""], 0x95)],
];

const each = (write: (line: string, number: number) => string) => (key: string) =>
  key.split("\n").map(write).join("\n");
const forms: Readonly<Record<string, (key: string) => string>> = {
  "lines that were added": each((line) => `+${line}`),
  "lines that were removed": each((line) => `-${line}`),
  "a quote": each((line) => `> ${line}`),
  "a comment": each((line) => `# ${line}`),
  "a comment in code": each((line) => `// ${line}`),
  "the log of a container": each((line) => `api-1  | ${line}`),
  "a log with times": each((line, at) => `2026-03-01T10:00:${10 + at}Z ${line}`),
  "lines with numbers": each((line, at) => `${9 + at}\t${line}`),
  "what grep prints": each((line, at) => `key.pem:${3 + at}:${line}`),
  "strings that are joined": each((line) => `"${line}\\n" +`),
  "lines of JSON": each((line, at) => JSON.stringify({ log: `${line}\n`, stream: "stdout", at })),
  HTML: (key) => key.replaceAll("\n", "<br>"),
  JSON: (key) => JSON.stringify({ key }),
  "JSON in JSON": (key) => JSON.stringify({ body: JSON.stringify({ key }) }),
  "escapes of JSON": (key) =>
    JSON.stringify(key).replaceAll("\\n", "\\u000a").replaceAll("+", "\\u002b"),
  "percent escapes": encodeURIComponent,
};

describe.each(keys)("a private key %s", (_, key) => {
  it.each(Object.entries(forms))("is one finding from its begin to its end in %s", (_, write) => {
    const written = write(key);
    const text = `see\n${written}\nend`;
    const [found, ...others] = whole.find(text);
    expect([found?.kind, others]).toEqual(["secret.private_key", []]);
    const masked = text.slice(found?.start, found?.end);
    expect(masked).toMatch(/^-----BEGIN |^-----BEGIN%20/);
    expect(masked).toMatch(/KEY(?: |%20)?(?:BLOCK)?-----$/);
    expect(whole.text(whole.text(text).value).kinds).toEqual([]);
  });
});

describe("a private key without its end", () => {
  const key = keys[0]?.[1] as string;

  it.each([
    ["in plain text", key.slice(0, 600), mark],
    ["before other text", `${key.slice(0, 551)}\n\nthanks`, `${mark}\n\nthanks`],
    ["in a diff", `+${key.slice(0, 600).replaceAll("\n", "\n+")}\n@@ -4`, `+${mark}\n@@ -4`],
    ["in JSON", JSON.stringify({ key: key.slice(0, 600) }), JSON.stringify({ key: mark })],
    ["before a mark", `${key.slice(0, 551)}\n[redacted]`, `${mark}\n[redacted]`],
    ["before another key", `${key.slice(0, 551)}\n${pem("PRIVATE KEY", 46)}`, `${mark}\n${mark}`],
  ])("is found as far as its lines go: %s", (_, text, value) => {
    expect(whole.text(text).value).toBe(value);
  });

  it("is none with other words between its ends, or with the end of another label", () => {
    const draw = new Draw(3);
    for (const body of ["<paste here>", "MIIEpAIB…", `AQAB${draw.text(60)}`]) {
      const text = `-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`;
      expect(whole.find(text)).toEqual([]);
    }
  });
});

describe("private keys with anything before their lines", () => {
  const line = fc.constantFrom(...Object.values(forms));
  const text = fc
    .array(fc.tuple(fc.constantFrom(...keys), line, fc.constantFrom("\n", " a ", "\n\n+", '"')), {
      minLength: 1,
      maxLength: 6,
    })
    .map((parts) => parts.map(([[, key], write, behind]) => write(key) + behind).join(""));

  it("are masked by a stream as by the whole, once and for all, wherever the text is cut", {
    tags: "longer",
  }, () => {
    fc.assert(
      fc.property(
        text,
        fc.nat({ max: 9_000 }),
        fc.integer({ min: 1, max: 9_000 }),
        fc.constantFrom(1_000, 7_000, 100_000),
        (keys, from, length, size) => {
          const given = `${"lorem ipsum ".repeat(900)}\n${keys.slice(from, from + length)}${" dolor".repeat(3_000)}`;
          const { value } = whole.text(given);
          expect(whole.text(value).value).toBe(value);
          const stream = whole.stream();
          let out = "";
          for (let at = 0; at < given.length; at += size)
            out += stream.push(given.slice(at, at + size));
          expect(out + stream.end()).toBe(value);
        },
      ),
      { numRuns: inject("long") ? 40 : 8 },
    );
  });
});
