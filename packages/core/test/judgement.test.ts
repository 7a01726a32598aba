import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { allowed, Checked } from "../src/guard/read-decision.js";
import { allow, deny } from "../src/guard/verdicts.js";
import { isDeepFrozen } from "./support/json-values.js";
import { judged, phases } from "./support/judged.js";
import { hidden, malformed, Verdict } from "./support/malformed.js";
import { whilePlanted } from "./support/planted.js";

class Inheriting extends Verdict {
  reason = "x";
}

describe.each(phases)("P1 judge in the phase %s", (phase) => {
  it.each(malformed)("makes a DENY, basis malformed, of %s", (_, answer) => {
    const checked = judged(answer, phase);
    expect(checked).toMatchObject({
      decision: "deny",
      basis: "malformed",
      reason: "guardrail 'guard' gave no well-formed decision",
    });
    expect(JSON.stringify(checked)).not.toContain("hunter2");
  });

  it.each([
    ["the shared one", allow(), {}],
    ["a literal", { decision: "allow" }, {}],
    ["with a reason", allow({ reason: "known" }), { reason: "known" }],
    ["with an empty reason", { decision: "allow", reason: "" }, { reason: "" }],
    ["with metadata", allow({ metadata: { n: 1 } }), { metadata: { n: 1 } }],
    ["with undefined fields", { decision: "allow", reason: undefined, code: undefined }, {}],
    ["of a class", new Inheriting(), { reason: "x" }],
    ["without prototype", Object.assign(Object.create(null), { decision: "allow" }), {}],
    ["of another realm", runInNewContext("({ decision: 'allow' })"), {}],
    ["with hidden fields", hidden({}, "decision", "allow"), {}],
  ])("takes an ALLOW: %s", (_, answer, fields) => {
    expect(judged(answer, phase)).toMatchObject({ decision: "allow", basis: "policy", ...fields });
  });

  it.each([
    ["with a reason", deny("no"), { reason: "no" }],
    ["without a reason", { decision: "deny" }, { reason: "policy violation" }],
    ["with an empty reason", deny(""), { reason: "policy violation" }],
    ["with a code", deny("no", { code: "big" }), { reason: "no", code: "big" }],
    [
      "with a text in its place",
      deny("no", { replacement: "Ask less." }),
      { replacement: "Ask less." },
    ],
    ["with an empty text in its place", deny("no", { replacement: "" }), { replacement: "" }],
    [
      "with parts in its place",
      deny("no", { replacement: [{ type: "text", text: "Ask less." }] }),
      { replacement: [{ type: "text", text: "Ask less." }] },
    ],
    [
      "with metadata",
      deny("no", { metadata: { at: new Date(0) } }),
      { metadata: { at: "1970-01-01T00:00:00.000Z" } },
    ],
  ])("takes a DENY: %s", (_, answer, fields) => {
    expect(judged(answer, phase)).toMatchObject({ decision: "deny", basis: "policy", ...fields });
  });

  it("cuts a reason after 2,000 units, for the model reads it", () => {
    expect(judged(deny("x".repeat(2_000)), phase).reason).toBe("x".repeat(2_000));
    expect(judged(deny("x".repeat(1_000_000)), phase).reason).toBe("x".repeat(2_000));
  });

  it("P6 shares nothing that can change with the answer", () => {
    const metadata = { list: [1] };
    const replacement = [{ type: "text", text: "a" }];
    const checked = judged({ decision: "deny", reason: "no", metadata, replacement }, phase);
    metadata.list.push(2);
    (replacement[0] as { text: string }).text = "b";
    expect(checked.metadata).toEqual({ list: [1] });
    expect(checked.replacement).toEqual([{ type: "text", text: "a" }]);
    expect(isDeepFrozen(checked.metadata)).toBe(true);
    expect(isDeepFrozen(checked.replacement)).toBe(true);
  });
});

describe("the shared allow", () => {
  it("is judged without an object of its own", () => {
    expect(judged(allow())).toBe(allowed);
    expect(judged({ decision: "allow" })).not.toBe(allowed);
  });
});

describe("a checked decision", () => {
  it("P8 has no then from anywhere, so that a promise can carry it", async () => {
    const then = whilePlanted(
      { then: () => undefined },
      () => (allowed as { then?: unknown }).then,
    );
    expect(then).toBeUndefined();
    expect(Object.getPrototypeOf(Checked.prototype)).toBeNull();
  });

  it.each([
    ["error", "guardrail 'guard' failed"],
    ["timeout", "guardrail 'guard' did not answer in time"],
    ["malformed", "guardrail 'guard' gave no well-formed decision"],
  ] as const)("P1 says of a fault %s no more than: %s", (basis, reason) => {
    const checked = Checked.fault(basis, "guard");
    expect(checked).toMatchObject({ decision: "deny", basis, reason });
    expect(checked.metadata).toBeUndefined();
    expect(checked.replacement).toBeUndefined();
  });
});

describe("a reason that is null", () => {
  it("counts as none", () => {
    for (const decision of ["allow", "deny"]) {
      expect(judged({ decision, reason: null })).toMatchObject({ decision, basis: "policy" });
    }
  });
});
