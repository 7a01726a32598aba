import { hash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { auditLog, memory, verify } from "../src/index.js";
import { settledCall } from "./calls.js";

const text = fc.string({ unit: "binary", maxLength: 20 });
const aCall = fc
  .record({
    runId: text,
    requestedName: text,
    sessionId: fc.option(text, { nil: undefined }),
    args: fc.dictionary(text, text),
  })
  .map(({ runId, requestedName, sessionId, args }) =>
    settledCall({ runId, requestedName, askedArgs: args, context: { sessionId } }),
  );

async function logOf(calls: readonly ReturnType<typeof settledCall>[]): Promise<readonly string[]> {
  const sink = memory();
  const log = auditLog({ sink, payloads: true });
  await Promise.all(calls.map((call) => log.settle(call)));
  return sink.lines;
}

it("P16 finds a log whole that nobody touched, with as many lines as records, whatever calls hold", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aCall, { minLength: 1, maxLength: 8 }), async (calls) => {
      const lines = await logOf(calls);
      expect(lines).toHaveLength(calls.length + 1);
      expect(await verify(Buffer.from(`${lines.join("\n")}\n`))).toMatchObject({
        ok: true,
        records: calls.length + 1,
      });
    }),
  );
});

it("P16 finds the first line that is not in its place, however lines were moved, lost and repeated", async () => {
  const lines = await logOf(
    Array.from({ length: 7 }, (_, index) => settledCall({ runId: `r${index}` })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 12 }),
      async (order) => {
        const wrong = order.findIndex((from, to) => from !== to);
        const { ok, firstBad, records } = await verify(
          order.map((index) => lines[index] as string),
        );
        expect(ok).toBe(wrong === -1);
        expect(firstBad?.line).toBe(wrong === -1 ? undefined : wrong + 1);
        expect(records).toBe(wrong === -1 ? order.length : wrong);
      },
    ),
    { numRuns: 500 },
  );
});

it("P16 never finds a log whole in which bytes were overwritten", async () => {
  const bytes = Buffer.from(`${(await logOf([settledCall(), settledCall()])).join("\n")}\n`);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(bytes.length - 1),
      fc.uint8Array({ minLength: 1, maxLength: 100 }),
      async (at, patch) => {
        const patched = Buffer.from(bytes);
        patched.set(patch.subarray(0, bytes.length - at), at);
        fc.pre(!patched.equals(bytes));
        expect((await verify(patched)).ok).toBe(false);
      },
    ),
    { numRuns: 500 },
  );
});

it("answers about any bytes at all, and never finds a whole log in noise", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (bytes) => {
      expect((await verify(bytes)).ok).toBe(false);
    }),
  );
});

it("answers about any payload that was put in a record's place and sealed, in printable ASCII", async () => {
  const key = Buffer.alloc(32, 7);
  const sink = memory();
  await auditLog({ sink, payloads: true, key }).settle(settledCall());
  const [head, record] = sink.lines as [string, string];
  const payloads = fc.dictionary(fc.string({ unit: "binary" }), fc.json(), { minKeys: 1 });
  await fc.assert(
    fc.asyncProperty(payloads, fc.boolean(), async (forged, isEscaped) => {
      const written = Object.entries(forged)
        .map(([name, json]) => `${JSON.stringify(name)}:${json}`)
        .join();
      const members = isEscaped ? inAscii(written) : written;
      const body = record
        .slice(0, -75)
        .replace(/"payloads":.*(?=,"times")/, () => `"payloads":{${members}}`);
      const line = `${body},"hash":"${hash("sha256", body)}"}`;
      const { ok, firstBad, digestsChecked } = await verify([head, line], { key });
      expect(digestsChecked).toBe(0);
      const isErased = Object.values(forged).every((json) => json.trim() === "null");
      expect(ok).toBe(isErased && inAscii(members) === members);
      expect(firstBad?.reason ?? "").toMatch(/^[ -~]*$/);
    }),
  );
});

function inAscii(json: string): string {
  return json.replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
