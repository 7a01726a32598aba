import fc from "fast-check";
import { describe, expect, it } from "vitest";

type Call = { readonly facts: object; readonly record: object };
type Term = { readonly field: string | undefined; readonly value: string };

/** The page's own modules are JavaScript, which has no types here. */
async function part(name: string) {
  return import(new URL(`../src/audit/page/${name}`, import.meta.url).href);
}

const { matcher, termsOf, termText } = await part("filter.js");
const { byProvider, byStatus, byTool, denials, overTime } = await part("summary.js");

function call(facts: object, decisions: readonly unknown[] = [], members: object = {}): Call {
  const all = { time: 0, runId: "", session: "", tool: "", status: "executed", code: "" };
  return { facts: { ...all, ...facts }, record: { decisions, ...members } };
}

const calls = [
  call({ tool: "refund", status: "denied", code: "not_allowed" }, [
    { provider: "allowlist", decision: "deny", code: "not_allowed", reason: "Not on the list." },
  ]),
  call(
    { tool: "forecast" },
    [
      { provider: "allowlist", decision: "allow" },
      { provider: "trial", decision: "deny", mode: "shadow", reason: "It would not." },
    ],
    { tenant: "acme" },
  ),
];

describe("the filter box of the page", () => {
  it.each([
    ["", [0, 1]],
    ["REFUND", [0]],
    ["tool:refund", [0]],
    ["tool:ref", []],
    ["status:executed list", [1]],
    ["tenant:acme", [1]],
    ["tenant:acm", []],
    ['"on the list"', [0]],
    ["provider:trial", [1]],
    ["provider:allowlist status:denied", [0]],
    ["__proto__:x", []],
    ["constructor:refund", []],
  ])("finds with %j just those calls", (text, expected) => {
    const isMatch = matcher(termsOf(text));
    expect(calls.flatMap((each, index) => (isMatch(each) ? [index] : []))).toEqual(expected);
  });

  it("reads a term that it wrote as the same term, whatever the log's name is", () => {
    const field = fc.constantFrom(undefined, "tool", "status", "session", "provider");
    const value = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.string({ unit: "binary", minLength: 1 }),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ field, value })), (terms: Term[]) => {
        const text = terms.map((each) => termText(each.field, each.value)).join(" ");
        expect(termsOf(text)).toEqual(terms);
      }),
    );
  });
});

describe("the sums of the page", () => {
  it("count each call in one part of time, and each part as long as the others", () => {
    const time = fc.option(fc.integer({ min: -8e12, max: 8e12 }));
    const status = fc.constantFrom("executed", "failed", "denied", "no_outcome", "__proto__");
    const facts = fc.array(fc.record({ time, status }), { minLength: 1 });
    fc.assert(
      fc.property(facts, fc.integer({ min: 12, max: 72 }), (given, most) => {
        const timed = given.filter((each) => each.time !== null).length;
        const found = overTime(
          given.map((each) => call(each)),
          most,
        );
        if (timed === 0) {
          expect(found).toBeUndefined();
          return;
        }
        const bins = found.bins as { total: number; counts: number[]; start: number }[];
        expect(bins.length).toBeLessThanOrEqual(most);
        expect(bins.reduce((sum, { total }) => sum + total, 0)).toBe(timed);
        for (const { total, counts } of bins) {
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total);
        }
      }),
    );
  });

  it("take no shadow's word for a denial", () => {
    expect(denials(calls)).toMatchObject([{ provider: "allowlist", count: 1 }]);
    expect(byTool(calls)).toMatchObject([
      { name: "refund", counts: [0, 0, 1] },
      { name: "forecast", counts: [1, 0, 0] },
    ]);
    expect(byProvider(calls)).toMatchObject([
      { name: "allowlist", counts: [1, 0, 1], isAdvisory: false },
      { name: "trial (shadow)", counts: [0, 0, 1], isAdvisory: true },
    ]);
  });

  it("take no denial that an approval lifted for one, and one after it for one", () => {
    const lifted = { provider: "humans", phase: "call", decision: "deny", reason: "Ask." };
    const used = { provider: "approvals", phase: "admit", decision: "allow", basis: "approval" };
    const late = { provider: "redact", phase: "result", decision: "deny", reason: "A key." };
    const approved = [
      call({ tool: "refund" }, [lifted, used]),
      call({ tool: "refund" }, [lifted, used, late]),
      call({ tool: "refund", status: "denied" }, [lifted]),
    ];
    expect(denials(approved)).toMatchObject([
      { provider: "redact", count: 1 },
      { provider: "humans", count: 1 },
    ]);
    expect(byTool(approved)).toMatchObject([{ name: "refund", counts: [2, 0, 2] }]);
    expect(byProvider(approved)).toContainEqual(
      expect.objectContaining({ name: "humans (lifted)", counts: [0, 0, 2], isAdvisory: true }),
    );
  });

  it("keep statuses apart, also those that are no status", () => {
    const odd = [call({ status: "__proto__" }), call({ status: "constructor" }), ...calls];
    expect(Object.fromEntries(byStatus(odd))).toEqual(
      Object.fromEntries([
        ["denied", 1],
        ["executed", 1],
        ["constructor", 1],
        ["__proto__", 1],
      ]),
    );
  });
});
