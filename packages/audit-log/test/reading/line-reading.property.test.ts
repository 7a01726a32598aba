import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { LineReading, type ReadLine } from "../../src/files/line-reading.js";
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
      expect(await rest(lines)).toEqual(hasPassed ? left : whole);
      // The last line has no end, or is empty.
      const last = Buffer.from(written).lastIndexOf("\n") + 1;
      expect(hasPassed).toBe(from > 0 && last >= from);
    }),
  );
});
