import fc from "fast-check";
import { expect, it } from "vitest";
import { auditLog, memory } from "../src/index.js";
import { CallForms } from "../src/verify/call-shape.js";
import { faultOfMembers } from "../src/verify/json-syntax.js";
import { settledCall } from "./calls.js";

const sealLength = 75;
const opening = /^.*?"v":1,/;

/** The members of an opening, and of calls' records with and without what is optional in them. */
async function recorded(): Promise<readonly string[]> {
  const sink = memory();
  const log = auditLog({ sink });
  await log.settle(settledCall());
  await log.settle(settledCall({ context: { sessionId: "s", principal: "p", tenant: "t" } }));
  await log.settle(settledCall({ requestedName: 'quote " and \u2014', turnId: "turn" }));
  const ending = { status: "invalid", executed: false, code: "no", reason: "not read" };
  await log.settle(settledCall({}, ending));
  await log.close();
  return sink.lines.flatMap((line) => {
    const own = line.replace(opening, "").slice(0, -sealLength);
    return [own, own.replace(',"times":', ',"salted":true,"times":')];
  });
}

const before = '{"seq":1,"prev":"0","v":1,';
const after = `,"hash":"${"0".repeat(64)}"}\n`;

/** One for all, as in a log: what it remembers must not mislead it. */
const forms = new CallForms();

function formOf(members: string) {
  const text = before + members + after;
  return forms.of(text, before.length, before.length + members.length);
}

it("knows the form of records that a writer makes", async () => {
  const [head, , plain, salted] = await recorded();
  expect(formOf(head as string)).toBeUndefined();
  expect(formOf(plain as string)).toBe("plain");
  expect(formOf(salted as string)).toBe("salted");
  const invalid = (await recorded()).find((each) => each.includes('"reason"'));
  expect(formOf(invalid as string)).toBe("plain");
});

it("knows no record that the full check refuses, and none by the wrong form, however one is mutated", {
  tags: "long",
}, async () => {
  const all = await recorded();
  const pieces = all.flatMap((members) => members.split(/(?<=[,:{}[\]"])|(?=[,:{}[\]"])/));
  const piece = fc.oneof(
    fc.constantFrom("", '"', "\\", ",", "{", "}", "[", "]", "0", "-1", "1e3", "null", "\n"),
    fc.constantFrom("\x1f", "\x7f", "\x80", "\xff", "\u2028", ',"salted":true', ',"a":1'),
    fc.constantFrom("A", "a", "7", " "),
    fc.constantFrom(...pieces),
    fc.string({ unit: "binary", maxLength: 2 }),
  );
  let known = 0;
  let refused = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...all),
      fc.noBias(fc.nat()),
      fc.constantFrom(0, 0, 1, 1, 2, 5, 12),
      piece,
      (members, at, length, put) => {
        const start = at % (members.length + 1);
        const mutated = members.slice(0, start) + put + members.slice(start + length);
        const form = formOf(mutated);
        const fault = faultOfMembers(mutated);
        if (fault !== undefined) refused++;
        if (form === undefined) return;
        known++;
        expect(fault).toBeUndefined();
        const record = JSON.parse(`{${mutated}}`);
        expect(["intent", "outcome"]).toContain(record.kind);
        expect(record.salted === true).toBe(form === "salted");
      },
    ),
    { numRuns: 20_000 },
  );
  expect(known).toBeGreaterThan(1_000);
  expect(refused).toBeGreaterThan(1_000);
});

it("does not take the seal of a record for its form's when it stands elsewhere", async () => {
  const [, , plain] = await recorded();
  const text = before + plain + after;
  const end = before.length + (plain as string).length;
  expect(forms.of(text, before.length, end)).toBe("plain");
  for (const wrong of [end - 1, end + 1]) {
    expect(forms.of(text, before.length, wrong)).toBeUndefined();
  }
});
