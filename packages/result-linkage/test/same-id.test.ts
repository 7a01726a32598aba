import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkLinkage } from "../src/index.js";
import { SameIdCalls, type TurnCall } from "../src/same-id.js";

const turnCall = (name: string | undefined): TurnCall => ({
  callIndex: 0,
  id: "a",
  name,
  oddId: false,
  twoNames: false,
  raw: undefined,
  answered: false,
});

describe("calls of one id", () => {
  it.each([
    ["of one name", () => "t", () => "t"],
    ["of many names", (at: number) => `t-${at}`, (at: number) => `t-${at}`],
    ["answered backwards", (at: number) => `t-${at}`, (at: number) => `t-${1_999 - at}`],
    ["answered under no name", (at: number) => `t-${at}`, () => undefined],
    ["answered under another name", () => "t", () => "u"],
  ])(
    "P18 are found with a look or two at each, however many collide: %s",
    (_, nameOf, claimedBy) => {
      let looks = 0;
      const same = new SameIdCalls();
      for (let at = 0; at < 2_000; at++) {
        let answered = false;
        same.add({
          ...turnCall(nameOf(at)),
          get answered() {
            looks += 1;
            return answered;
          },
          set answered(value) {
            answered = value;
          },
        });
      }
      const found = new Set<TurnCall>();
      for (let at = 0; at < 2_000; at++) {
        const call = same.answeredBy(claimedBy(at)) as TurnCall;
        call.answered = true;
        found.add(call);
      }
      expect(found.size).toBe(2_000);
      expect(looks).toBeLessThan(20_000);
    },
  );

  it("are those that a look through all of them would find", () => {
    const name = fc.constantFrom("t", "u", undefined);
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 6 }),
        fc.array(fc.constantFrom("t", "u", "v", undefined, null, 7), { maxLength: 9 }),
        (names, claims) => {
          const calls = names.map(turnCall);
          const same = new SameIdCalls();
          for (const call of calls) same.add(call);
          for (const claimed of claims) {
            const open = calls.filter(({ answered }) => !answered);
            const expected = open.find((call) => call.name === claimed) ?? open[0] ?? calls[0];
            const found = same.answeredBy(claimed) as TurnCall;
            expect(found).toBe(expected);
            found.answered = true;
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

it("P19 matches every result of a turn in which all calls have one id", () => {
  const calls = Array.from({ length: 40_000 }, () => ({ id: "a", function: { name: "t" } }));
  const results = calls.map(() => ({ role: "tool", tool_call_id: "a", content: "x" }));
  const findings = checkLinkage([{ role: "assistant", tool_calls: calls }, ...results, results[0]]);
  const codes = new Set(findings.map(({ code }) => code));
  expect([...codes]).toEqual(["duplicate_call_id", "duplicate_result"]);
  expect(findings).toHaveLength(40_000);
});
