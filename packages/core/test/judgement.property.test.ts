import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Phase, readDecision } from "../src/guard/read-decision.js";
import { defaultLimits } from "../src/json/snapshot.js";
import { isDeepFrozen } from "./support/json-values.js";

const phases = fc.constantFrom<Phase>("call", "admit", "result");
const anything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
});

/** Objects of the right keys with the wrong values, and of nearly the right keys. */
const nearly = fc.dictionary(
  fc.constantFrom(
    "decision",
    "reason",
    "code",
    "metadata",
    "replacement",
    "approval",
    "modifiedArgs",
    "modifiedResult",
    "allow",
    "Decision",
    "content",
    "then",
  ),
  fc.oneof(
    fc.constantFrom("allow", "deny", "modify", "ALLOW", "Allow", "allow ", "", "x"),
    anything,
  ),
  { maxKeys: 5 },
);

/** The shapes of an ALLOW, written down once more and in another way. */
function isAllow(answer: unknown): boolean {
  if (typeof answer !== "object" || answer === null) return false;
  const entries = Object.entries(Object.getOwnPropertyDescriptors(answer)).filter(
    ([, { value }]) => value !== undefined,
  );
  const fields = new Map(entries.map(([key, { value }]) => [key, value as unknown]));
  const reason = fields.get("reason");
  const metadata = fields.get("metadata");
  return (
    fields.get("decision") === "allow" &&
    [...fields.keys()].every((key) => ["decision", "reason", "metadata"].includes(key)) &&
    (typeof reason === "string" || reason === undefined || reason === null) &&
    (metadata === undefined || (typeof metadata === "object" && metadata !== null))
  );
}

describe("P1 judge of anything", () => {
  it("never throws, and allows only what is exactly an ALLOW", () => {
    fc.assert(
      fc.property(fc.oneof(anything, nearly), phases, (answer, phase) => {
        const checked = readDecision(answer, phase, "guard", defaultLimits);
        expect(["allow", "deny", "modify"]).toContain(checked.decision);
        if (checked.decision === "allow") expect(isAllow(answer)).toBe(true);
        if (checked.decision === "modify") {
          expect(phase).not.toBe("admit");
          expect((answer as { decision: unknown }).decision).toBe("modify");
          expect(isDeepFrozen(phase === "call" ? checked.args : checked.body)).toBe(true);
        }
        if (checked.decision === "deny") expect(typeof checked.reason).toBe("string");
      }),
      { numRuns: 2_000 },
    );
  });

  it("P2 repeats nothing of an answer that is no decision", () => {
    const secret = fc.stringMatching(/^[G-Z]{10}$/);
    fc.assert(
      fc.property(secret, fc.nat(6), phases, (word, which, phase) => {
        const answers = [
          { decision: word },
          { decision: "allow", [word]: 1 },
          { decision: "deny", reason: { [word]: word } },
          { decision: "modify", modifiedArgs: { [word]: 1n } },
          { decision: "deny", reason: word, code: 1 },
          word,
          new Error(word),
        ];
        const checked = readDecision(answers[which], phase, "guard", defaultLimits);
        expect(checked.basis).toBe("malformed");
        expect(JSON.stringify(checked)).not.toContain(word);
      }),
    );
  });
});
