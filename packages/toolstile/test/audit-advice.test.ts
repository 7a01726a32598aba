import { describe, expect, it } from "vitest";
import { main } from "../src/main.js";
import { decision, denied, outcome, type RecordMembers, writeChain } from "./audit-folder.js";
import { capturedTerminal } from "./captured-terminal.js";
import { temporaryFolder } from "./temporary-folder.js";

async function listed(record: RecordMembers, ...options: readonly string[]): Promise<string> {
  const path = temporaryFolder().at("audit");
  writeChain(path, "a".repeat(16), [record]);
  const terminal = capturedTerminal();
  expect(await main(["audit", path, ...options], terminal)).toBe(0);
  return terminal.written().out;
}

const shadow = decision("deny", {
  provider: "trial",
  mode: "shadow",
  code: "odd",
  reason: "It would not.",
});
const lifted = decision("deny", { provider: "humans", code: "ask", reason: "A human decides." });
const used = decision("allow", {
  provider: "approvals",
  phase: "admit",
  basis: "approval",
  reason: "approval 'a1' by 'bob'",
});

describe("toolstile audit", () => {
  it.each([[[]], [["--decision", "deny"]]])(
    "says of an executed call which guard would have denied it, and why: %j",
    async (options) => {
      const call = outcome("one", { decisions: [decision("allow"), shadow] });
      const out = await listed(call, ...options);
      expect(out).toMatch(/executed {2,}trial \(shadow\) {2,}odd {2,}It would not\./);
    },
  );

  it("says what a guard in shadow would have changed, and which guard failed open", async () => {
    const changed = decision("modify", { provider: "cut", mode: "shadow", reason: "Too long." });
    const open = decision("allow", {
      provider: "remote",
      basis: "timeout",
      mode: "fail-open",
      reason: "guardrail 'remote' timed out",
    });
    const call = outcome("one", { decisions: [changed, open] });
    const out = await listed(call);
    expect(out).toMatch(/executed {2,}cut \(shadow\), remote/);
    expect(out).toContain("guardrail 'remote' timed out");
    expect(await listed(outcome("one", { decisions: [changed] }))).toContain("Too long.");
  });

  it("gives the approval and not the shadow as the reason why a call ran", async () => {
    const out = await listed(outcome("one", { decisions: [shadow, lifted, used] }));
    expect(out).toMatch(/executed {2,}approvals, trial \(shado… {2,}approval 'a1' by 'bob'/);
  });

  it.each([
    ["approval '0mx1pk0h2-43xw6akrrfocpjvsmqei' is pending"],
    ["approval '0mx1pk0h2-43xw6akrrfocpjvsmqei' was refused by 'bob'"],
  ])("says of a denied call which approval it waits for, or who refused it: %s", async (said) => {
    const asked = { provider: "approvals", basis: "approval", reason: said };
    const why = "It is money, and of all that is money somebody has to be asked first.";
    const decisions = [decision("deny", { reason: why }), decision("deny", asked)];
    const out = await listed(denied("one", "", { basis: "approval", decisions }));
    expect(out).toContain(`not_allowed  ${said}; It is money`);
    const whole = await listed(denied("one", "", { decisions }), "--run", "one");
    expect(whole).toMatch(new RegExp(`^ +approval +${said}$`, "m"));
  });

  it.each([
    ["invalid", "invalid_json", "arguments for tool 'forecast' cannot be read"],
    ["not_found", "not_found", "Tool 'forecast' not found."],
    ["denied", "no_provider", "no guardrail judged tool 'forecast'"],
  ])("says why a call is %s without a guard's denial", async (status, code, reason) => {
    const modify = decision("modify", { provider: "cut", reason: "Too long." });
    const ending = { status, executed: false, code, reason, modifiedBy: ["cut"] };
    const call = outcome("one", { ...ending, decisions: [modify] });
    expect(await listed(call)).toMatch(new RegExp(`${status} .* {2,}${code} {2,}${reason}\n`));
    expect(await listed(call, "--run", "one")).toMatch(new RegExp(`^ +reason +${reason}$`, "m"));
  });

  it("says which guard cut or rewrote the result of an executed call", async () => {
    const cut = decision("modify", { provider: "rules", phase: "result", reason: "cut by long" });
    expect(await listed(outcome("one", { decisions: [cut] }))).toMatch(
      /executed {2,}rules {2,}cut by long/,
    );
    const silent = decision("modify", { provider: "redact", phase: "result" });
    expect(await listed(outcome("one", { decisions: [silent] }))).toMatch(
      /executed {2,}redact {2,}result rewritten/,
    );
  });

  it("calls a denial lifted that an approval lifted, and not one that came after it", async () => {
    const late = decision("deny", { provider: "redact", phase: "result", reason: "A key." });
    const withheld = { status: "withheld", decidedBy: "redact", decisions: [lifted, used, late] };
    const out = await listed(outcome("one", withheld), "--run", "one");
    expect(out).toMatch(/humans +call +deny +policy +lifted +ask/);
    expect(out).toMatch(/redact +result +deny +policy {2,}A key\./);
    expect(out).toMatch(/reason +A key\./);
  });

  it("says of a denied call what denied it, whatever a shadow says", async () => {
    const bound = decision("deny", { code: "not_allowed", reason: "It binds." });
    const out = await listed(denied("one", "", { decisions: [shadow, bound] }));
    expect(out).toMatch(/denied {2,}allowlist {2,}not_allowed {2,}It binds\./);
    expect(out).not.toContain("trial");
  });
});
