import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { LineReading, type ReadLine } from "../../src/files/line-reading.js";
import { linesBefore } from "../../src/files/lines-before.js";
import { temporaryPath } from "../temporary.js";

async function rest(lines: LineReading): Promise<readonly ReadLine[]> {
  const found: ReadLine[] = [];
  for (let line = await lines.next(); line; line = await lines.next()) found.push(line);
  return found;
}

it("reads of the last bytes of a file the lines that begin in them, as they are in the whole", async () => {
  const path = temporaryPath("lines.jsonl");
  const text = fc.string({ unit: fc.constantFrom("a", "é", "\n", "\n"), maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(text, fc.nat(260), async (written, bytes) => {
      writeFileSync(path, written);
      const from = Buffer.byteLength(written) - bytes;
      const whole = await rest(new LineReading(path));
      const lines = new LineReading(path);
      const hasPassed = await lines.toLast(bytes);
      const left = whole.filter(({ offset }) => offset >= from);
      const passed = await linesBefore(path, lines.countedFrom);
      const found = (await rest(lines)).map((each) => ({ ...each, line: passed + each.line }));
      expect(found).toEqual(hasPassed ? left : whole);
      // The last line has no end, or is empty.
      const last = Buffer.from(written).lastIndexOf("\n") + 1;
      expect(hasPassed).toBe(from > 0 && last >= from);
    }),
  );
});

it("leaves out no line in which the search has a place, and looks at no line before it", async () => {
  const path = temporaryPath("searched.jsonl");
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(text, async (written) => {
      writeFileSync(path, written);
      const looked: number[] = [];
      const search = (bytes: Buffer, start: number) => {
        const at = bytes.indexOf("b", start);
        return at === -1 ? bytes.length : at;
      };
      const glance = (_bytes: Buffer, _start: number, _end: number, _at: number, line: number) => {
        looked.push(line);
        return true;
      };
      const found = await rest(new LineReading(path, { search, glance }));
      const whole = await rest(new LineReading(path));
      expect(found).toEqual(whole.filter((line) => line.text.includes("b")));
      expect(looked).toEqual(found.map(({ line }) => line));
    }),
  );
});
