import { describe, expect, it } from "vitest";
import { Call } from "../src/call/head.js";
import { Permit } from "../src/call/permit.js";
import { allowAll } from "../src/guard/combinators.js";
import { start } from "../src/run/execute.js";
import { isPermitted } from "../src/run/run.js";
import { open } from "../src/run/steps.js";
import { Pipeline } from "../src/runner/pipeline.js";
import { callOf, scopeOn } from "./support/calls.js";
import { request, spyTool } from "./support/runners.js";

const refused = expect.objectContaining({ code: "ERR_PERMIT" });
const refusedFor = (message: string) => expect.objectContaining({ code: "ERR_PERMIT", message });

describe("P7 dispatch spends a permit", () => {
  it("P7 once, for the call and the very arguments that it was minted for", () => {
    const call = callOf({ to: "ada" });
    const permit = Permit.mint(call);
    const foreign = refusedFor("This permit was not minted for this call and these arguments.");
    expect(() => Permit.spend(permit, callOf({ to: "ada" }))).toThrow(foreign);
    expect(() => Permit.spend(permit, callOf({ to: "ada" }, { run: call.run }))).toThrow(foreign);
    Permit.spend(permit, call);
    expect(() => Permit.spend(permit, call)).toThrow(refusedFor("This permit has been used."));
  });

  it("P7 not for another run, though its arguments be the very same", () => {
    const call = callOf({ to: "ada" });
    const { scope } = scopeOn();
    const other = new Call({ ...call, run: {} }, call.args, scope);
    expect(other.args).toBe(call.args);
    expect(() => Permit.spend(Permit.mint(call), other)).toThrow(refused);
  });

  it("P7 never after it was revoked", () => {
    const call = callOf();
    const permit = Permit.mint(call);
    Permit.revoke(permit);
    expect(() => Permit.spend(permit, call)).toThrow(refused);
    expect(() => Permit.enter(permit, call.toolName, call.args)).toThrow(
      refusedFor(`This permit does not, or no longer, let in the tool '${call.toolName}'.`),
    );
  });

  it("P7 so that a run which gets there twice runs its tool once", () => {
    const tool = spyTool();
    const run = new Pipeline({ tools: [tool], guardrails: [allowAll()] }).start(request, {});
    open(run);
    if (!isPermitted(run)) throw new Error("The run has no permit.");
    start(run);
    expect(run.answered).toEqual({ value: "done" });
    start(run);
    expect(run.answered).toEqual({ error: refused });
    expect(tool.runs).toHaveLength(1);
  });

  it("P7 that is one: nothing else has been minted", () => {
    const call = callOf();
    for (const forged of [{}, Object.create(Permit.prototype), Permit.prototype]) {
      expect(() => Permit.spend(forged as Permit, call)).toThrow(refused);
    }
    const Constructor = Permit as unknown as new (key: symbol, given: object) => Permit;
    expect(() => new Constructor(Symbol("minting"), call)).toThrow(refused);
  });
});
