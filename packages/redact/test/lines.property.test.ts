import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { redactor } from "../src/index.js";
import { Draw } from "./items.js";
import { plantedItems } from "./planted.js";

const whole = redactor();
const hex = "0123456789abcdef";
const written: Readonly<Record<string, (text: string) => string>> = {
  JSON: (text) => JSON.stringify({ out: text }),
  "JSON in JSON": (text) => JSON.stringify(JSON.stringify({ out: text })),
  "percent escapes": (text) => `data=${encodeURIComponent(text)}`,
};

const planted = fc.constantFrom(
  ...plantedItems(3_000, 3).filter(({ phrase }) => !phrase.includes("\n")),
);
/** Lines that look like one of base64 or hexadecimal text, and others. */
const filler = fc.oneof(
  fc.nat().map((seed) => new Draw(seed).text(64, hex)),
  fc.nat().map((seed) => new Draw(seed).text(76)),
  fc.nat().map((seed) => `sha256-${new Draw(seed).text(60)}`),
  fc.constantFrom("", "keep it", "done", "PORT=8080"),
);
const line = fc.oneof(
  filler.map((text) => ({ text, secret: "" })),
  planted.chain(({ phrase, secret }) =>
    fc.constantFrom("", "  ", "- ", "KEY: ").map((head) => ({ text: head + phrase, secret })),
  ),
);

describe("what is found in lines", () => {
  it("is found there when their breaks are escaped, however long a line beside it is", {
    tags: "longer",
  }, () => {
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 6 }),
        fc.constantFrom("\n", "\r\n"),
        fc.constantFrom(...Object.entries(written)),
        (lines, lineBreak, [form, write]) => {
          const text = lines.map(({ text }) => text).join(lineBreak);
          const plain = whole.text(text).value;
          const masked = whole.text(write(text)).value;
          for (const { secret } of lines) {
            if (secret === "" || plain.includes(secret)) continue;
            const own = form === "percent escapes" ? encodeURIComponent(secret) : secret;
            expect(masked).not.toContain(own);
          }
          expect(whole.text(masked).value).toBe(masked);
        },
      ),
      { numRuns: inject("long") ? 6_000 : 500 },
    );
  });

  it.each(Object.entries(written))(
    "is masked, and the lines beside it are kept: %s",
    (_, write) => {
      const digest = new Draw(1).text(64, hex);
      for (const token of [
        `dop_v1_${digest}`,
        `sk-or-v1-${digest}`,
        `xkeysib-${digest}-a1B2c3D4e5F6g7H8`,
      ]) {
        for (const item of [token, "AKIADK54SX3AGGNOEOLA"]) {
          const lines = (item: string) =>
            write(["your token:", digest, item, "keep it safe"].join("\n"));
          const { value, kinds } = whole.text(lines(item));
          expect(value.replaceAll(/%20(?=secret)/g, " ")).toBe(
            lines("MARK").replace("MARK", `[redacted ${kinds[0]}]`),
          );
        }
      }
    },
  );

  it("is found as a whole where it is one block of base64 in escaped lines", () => {
    const block = Buffer.from(
      `${"lorem ipsum ".repeat(9)}AKIADK54SX3AGGNOEOLA ${"dolor ".repeat(9)}`,
    )
      .toString("base64")
      .replace(/.{76}/g, "$&\n");
    const { value } = whole.text(JSON.stringify({ content: block }));
    expect(value).toBe('{"content":"[redacted secret.aws_access_key_id]"}');
  });
});
