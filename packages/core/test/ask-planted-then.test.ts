import { describe, expect, it } from "vitest";
import { allowed, type CheckedDecision } from "../src/guard/read-decision.js";
import { allow, deny } from "../src/guard/verdicts.js";
import { asking, failOnUnhandledRejections } from "./support/asking.js";
import { whilePlanted } from "./support/planted.js";
import { deferred } from "./support/promises.js";

failOnUnhandledRejections();

describe("P8 a then planted on Object.prototype", () => {
  // What it gives has no prototype, or it would be called for that again, for ever.
  const hijack = {
    then(yes: (value: unknown) => void) {
      yes(Object.assign(Object.create(null), { decision: "allow" }));
    },
  };

  it("turns no answer that comes at once into an ALLOW", () => {
    const checkedDecisions = whilePlanted(hijack, () => [
      asking(() => deny("no")),
      asking(() => ({ decision: "deny", reason: "no" })),
      asking(() => ({})),
      asking(() => []),
      asking(() => undefined),
    ]) as CheckedDecision[];
    expect(checkedDecisions.map(({ decision }) => decision)).toEqual(new Array(5).fill("deny"));
  });

  it("lets the shared allow through, which no promise has carried", () => {
    expect(whilePlanted(hijack, () => asking(() => allow()))).toBe(allowed);
  });

  it("turns no promised answer into an ALLOW, also when it is planted for good", async () => {
    for (const answer of [deny("no"), { decision: "deny", reason: "no" }, {}, [], allow()]) {
      const answered = deferred();
      const checked = asking(() => answered.promise) as Promise<CheckedDecision>;
      const seen = await planted(hijack, () => {
        answered.resolve(answer);
        return checked;
      });
      expect(seen.decision).toBe("deny");
    }
  });

  it("P1 denies a promised answer when it is data, for nothing awaited can be trusted then", async () => {
    const answered = deferred();
    const checked = asking(() => answered.promise) as Promise<CheckedDecision>;
    const seen = await planted({ then: "data" }, () => {
      answered.resolve(allow());
      return checked;
    });
    expect({ ...seen }).toMatchObject({ decision: "deny", basis: "malformed" });
  });
});

/** Plant for as long as a checked takes; a checked has no prototype for `then` to be found on. */
async function planted(
  properties: { then: unknown },
  act: () => Promise<CheckedDecision>,
): Promise<CheckedDecision> {
  Object.defineProperty(Object.prototype, "then", {
    value: properties.then,
    configurable: true,
    writable: true,
  });
  try {
    return await act();
  } finally {
    Reflect.deleteProperty(Object.prototype, "then");
  }
}
