import { leastCpuMs } from "@toolstile/testing/cpu";
import { describe, expect, inject, it } from "vitest";
import { redactor } from "../src/index.js";
import { Draw } from "./items.js";

const { find } = redactor();

function filled(size: number, of: string | ((draw: Draw) => string)): string {
  const draw = new Draw(7);
  const parts: string[] = [];
  for (let length = 0; length < size; ) {
    const part = typeof of === "string" ? of : of(draw);
    parts.push(part);
    length += part.length;
  }
  return Buffer.from(parts.join("").slice(0, size)).toString();
}

const hostile: readonly (readonly [string, string | ((draw: Draw) => string)])[] = [
  ["digits", "1 "],
  ["one number", "1"],
  ["cards that are none", "4111 1111 1111 1112 "],
  ["addresses", (draw) => `${draw.below(255)}.77.30.${draw.below(255)} `],
  ["IPv6 addresses", "2a93:8e70:249c::44ef:9f9c "],
  ["colons", ":"],
  ["mail at unknown domains", (draw) => `a@b.${draw.text(4, "abcdefghijklmnopqrstuvwxyz")} `],
  ["half a mail", "aaaa@"],
  ["phone numbers", (draw) => `+4930${draw.text(8, "23456789")} `],
  ["words for passwords", "password "],
  ["words for passwords with signs", 'password"'],
  ["short numbers behind a word for phones", "tel 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 "],
  ["URLs with passwords", "http://a:b1@c "],
  ["halves of URLs", "http://a:"],
  ["users of URLs", "://a:b@"],
  ["connection strings", "server=a;"],
  ["headers of tokens", "eyJhbGciOiJIUzI1NiJ9."],
  ["beginnings of keys", "-----BEGIN RSA PRIVATE KEY-----\n"],
  ["runs of base64", (draw) => `${draw.text(20)} `],
  ["runs of base64 that are text", "aGVsbG8gd29ybGQgaGVs "],
  ["one run of base64", "aGVsbG8gd29ybGQgaGVs"],
  ["runs of hexadecimal text", "68656c6c6f20776f726c6420 "],
  ["percent escapes", "%41"],
  ["backslashes", "\\"],
  ["escapes of JSON", "\\u0041"],
  ["beginnings of marks", "[redacted "],
  ["brackets", "]["],
  ["IBANs that are none", "GB82 WEST "],
  ["hyphens", "-"],
  ["lines of base64", `${"aGVsbG8gd29ybGQg".repeat(4)}\n`],
  ["lines of base64 that are no text", (draw) => `${draw.text(76)}\n`],
  ["lines of base64 with escaped line breaks", (draw) => `${draw.text(76)}\\n`],
  ["base64 with escaped slashes", (draw) => `${draw.text(60)}\\/`],
  ["colours", "\u001b[31ma"],
  ["beginnings of colours", "\u001b[1;"],
  ["signs of mail", "@"],
  ["one line of letters", (draw) => draw.text(40, "abcdefghijklmnopqrstuvwxyz")],
  ["words that a sign without width joins", "a\u00adversion\n"],
  ["mail in two kinds of escapes", "\\u007aoe@brawyn.de %40 "],
  ["numbers behind words, each of which a mark shows", "tel 3569133 2706726\n"],
  ["secret keys", " sk-aaaaaaaaaaaaaaaaaaaaaaaaaaa"],
];

describe("a scan", () => {
  it.each(hostile)(
    "costs no more than in proportion to its text: %s",
    { tags: "longer" },
    async (_, of) => {
      const size = inject("long") ? 60_000 : 15_000;
      const [small, large] = [filled(size, of), filled(4 * size, of)];
      find(large);
      const once = await leastCpuMs(() => find(small));
      // Four times the text may take eight times as long, where noise and caches are, and sixteen where it is quadratic.
      const most = 8 * Math.max(once, 1);
      expect(await leastCpuMs(() => find(large), { enoughMs: most, tries: 12 })).toBeLessThan(most);
    },
  );
});
