import { describe, expect, it } from "vitest";
import { Checked } from "../src/guard/read-decision.js";
import { allow, deny, modify, rewrite } from "../src/guard/verdicts.js";
import { judged, phases } from "./support/judged.js";
import { malformed } from "./support/malformed.js";
import { whilePlanted } from "./support/planted.js";

describe("P8 judge under a polluted prototype", () => {
  const planted = {
    decision: "allow",
    reason: "planted",
    code: "planted",
    metadata: { planted: true },
    replacement: "planted",
    approval: { summary: "planted" },
    modifiedArgs: { planted: true },
    modifiedResult: { content: "planted" },
    args: { planted: true },
    body: { content: "planted" },
    records: [{ decision: "allow", provider: "planted" }],
    decidedBy: "planted",
    content: "planted",
    structured: { planted: true },
    summary: "planted",
    type: "text",
    value: "allow",
    get: () => "allow",
  };

  it.each(malformed.map(([what, answer]) => [what, answer] as const))(
    "allows nothing for %s",
    (_, answer) => {
      for (const root of [Object.prototype, Array.prototype, Function.prototype]) {
        const checkedDecisions = phases.map((phase) =>
          whilePlanted(planted, () => judged(answer, phase), root),
        );
        for (const checked of checkedDecisions) {
          expect(checked.decision).toBe("deny");
          expect(checked.basis).toBe("malformed");
        }
      }
    },
  );

  it("keeps a plain DENY as it was given, and puts nothing of its own into it", () => {
    const before = judged(deny("no"));
    const under = whilePlanted(planted, () => judged({ decision: "deny", reason: "no" }));
    expect({ ...under }).toEqual({ ...before });
    expect(under.approval).toBeUndefined();
    expect(under.code).toBeUndefined();
  });

  it("keeps a fault as it is, so that no grant can lift it", () => {
    const before = Checked.fault("error", "guard");
    const under = whilePlanted(planted, () => Checked.fault("error", "guard"));
    expect({ ...under }).toEqual({ ...before });
  });

  it("keeps a MODIFY and a rewrite as they were given", () => {
    const args = whilePlanted(planted, () =>
      judged({ decision: "modify", modifiedArgs: { a: 1 } }),
    );
    expect({ ...args }).toEqual({ ...judged(modify({ a: 1 })) });
    const body = whilePlanted(planted, () =>
      judged({ decision: "modify", modifiedResult: { content: "clean" } }, "result"),
    );
    expect({ ...body }).toEqual({ ...judged(rewrite({ content: "clean" }), "result") });
  });

  it("keeps an ALLOW with a reason as it was given", () => {
    const under = whilePlanted(planted, () => judged({ decision: "allow", reason: "x" }));
    expect({ ...under }).toEqual({ ...judged(allow({ reason: "x" })) });
  });
});
