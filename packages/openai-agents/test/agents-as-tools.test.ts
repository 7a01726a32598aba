import { Agent, handoff, RunState, tool } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { allow, allowAll, deny, type GuardrailProvider, modify } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardHandoff, guardTool, guardTools } from "../src/index.js";
import { annOnly, mailer } from "./mail.js";
import { asking, read, runner } from "./scripted-run.js";

const unchecked = true;

const polite: GuardrailProvider = {
  name: "polite",
  evaluate: ({ args }) => {
    if (args.input === "wipe") return deny("not that");
    return args.input === "please" ? allow() : modify({ input: "please" });
  },
};

/** An agent that is a tool of another, and what it was asked. */
function helper(script: ScriptedModel) {
  return new Agent({ name: "helper", model: script }).asTool({
    toolName: "helper",
    toolDescription: "Helps.",
  });
}

describe("an agent as a guarded tool", () => {
  it("P6 P11 is asked what was decided, and not at all where that is denied", async () => {
    const nested = new ScriptedModel([[assistantMessage("helped")]]);
    const tools = guardTools([helper(nested)], { guardrails: [polite], unchecked });
    const model = asking([
      ["helper", { input: "now!" }, "c1"],
      ["helper", { input: "wipe" }, "c2"],
    ]);
    await runner(model).run(new Agent({ name: "support", tools }), "go");
    expect(nested.calls).toHaveLength(1);
    expect(JSON.stringify(nested.firstCall?.request.input)).toContain("please");
    expect(JSON.stringify(nested.firstCall?.request.input)).not.toContain("now!");
    expect(read(model)).toEqual({ c1: "helped", c2: "Tool call denied: not that" });
  });

  it("P13 hands out no tool without guards where a listener is added", async () => {
    const nested = new ScriptedModel([[assistantMessage("helped")]]);
    const events: string[] = [];
    const guarded = guardTool(helper(nested), { guardrails: [polite], unchecked });
    const listened = guarded.on("*", ({ event }) => void events.push(event.type));
    expect(listened).toBe(guarded);
    const model = asking([["helper", { input: "wipe" }, "c1"]], [["helper", { input: "x" }, "c2"]]);
    await runner(model).run(new Agent({ name: "support", tools: [listened] }), "go");
    expect(nested.calls).toHaveLength(1);
    expect(events.length).toBeGreaterThan(0);
  });

  /** A run that waits for an approval of a tool of the nested agent. */
  async function paused() {
    const { send, sent } = mailer({ needsApproval: true });
    const nested = new ScriptedModel([
      [functionCall("send_mail", { to: "bob" }, { callId: "n1" })],
      [assistantMessage("mailed")],
    ]);
    const inner = new Agent({
      name: "helper",
      model: nested,
      tools: guardTools([send], { guardrails: [annOnly], unchecked }),
    });
    const asTool = inner.asTool({ toolName: "helper", toolDescription: "Helps." });
    const guarded = guardTool(asTool, { guardrails: [polite], unchecked });
    const agent = new Agent({ name: "support", tools: [guarded] });
    const model = asking([["helper", { input: "mail bob" }, "c1"]]);
    const { state } = await runner(model).run(agent, "go");
    return { state, agent, model, sent };
  }

  it("brings approvals of its own tools to the outer run, and guards hold when that goes on", async () => {
    const { state, agent, model, sent } = await paused();
    expect(sent).toEqual([]);
    state.approve(state.getInterruptions()[0] as never);
    await runner(model).run(agent, state);
    expect(sent.map(([callId, input]) => [callId, input])).toEqual([["n1", { to: "ann" }]]);
    expect(read(model)).toEqual({ c1: "mailed" });
  });

  it("asks for them again in a run that was written to text, and runs nothing", async () => {
    const { state, agent, model, sent } = await paused();
    const again = await RunState.fromString(agent, state.toString());
    again.approve(again.getInterruptions()[0] as never);
    const second = await runner(model).run(agent, again);
    expect(second.interruptions).toHaveLength(1);
    expect(sent).toEqual([]);
  });
});

describe("a hand-off", () => {
  const billing = new Agent({ name: "billing" });

  it("passes beside guarded tools as before", async () => {
    const { send, sent } = mailer();
    const model = new ScriptedModel([
      [functionCall("transfer_to_billing", {}, { callId: "h1" })],
      [assistantMessage("billed")],
    ]);
    const tools = guardTools([send], { guardrails: [annOnly], unchecked });
    const result = await runner(model).run(
      new Agent({ name: "support", tools, handoffs: [billing] }),
      "go",
    );
    expect(result.lastAgent?.name).toBe("billing");
    expect(sent).toEqual([]);
  });

  it("behind guards that allow it happens, with the arguments that were decided on", async () => {
    const given: unknown[] = [];
    const inputType = z.object({ reason: z.string() });
    const guarded = guardHandoff(
      handoff(billing, { inputType, onHandoff: (_, input) => void given.push(input) }),
      {
        guardrails: [{ name: "short", evaluate: () => modify({ reason: "refund" }) }],
        describe: () => ({ agentName: "support" }),
        unchecked,
      },
    );
    const model = new ScriptedModel([
      [functionCall("transfer_to_billing", { reason: "hunter2" }, { callId: "h1" })],
      [assistantMessage("billed")],
    ]);
    const agent = new Agent({ name: "support", handoffs: [guarded] });
    const result = await runner(model).run(agent, "go");
    expect(given).toEqual([{ reason: "refund" }]);
    expect(result.lastAgent?.name).toBe("billing");
  });

  it("P11 that is denied ends the run: nobody takes over, and the outcome is in the error", async () => {
    const observer = recordingObserver();
    const guarded = guardHandoff(handoff(billing), {
      guardrails: [{ name: "closed", evaluate: () => deny("billing is closed") }],
      observers: [observer],
      unchecked,
    });
    const model = new ScriptedModel([
      [functionCall("transfer_to_billing", {}, { callId: "h1" })],
      [assistantMessage("billed")],
    ]);
    const agent = new Agent({ name: "support", handoffs: [guarded] });
    await expect(runner(model).run(agent, "go")).rejects.toMatchObject({
      code: "ERR_DENIED",
      message: "Tool call denied: billing is closed",
    });
    expect(model.calls).toHaveLength(1);
    expect(observer.records).toHaveLength(1);
  });
});

describe("other tools of the framework", () => {
  it("P5 are refused where nothing can stand in front of them", () => {
    const hosted = { type: "hosted_tool", name: "web_search" } as never;
    expect(() => guardTools([hosted], { guardrails: [allowAll()] })).toThrow(
      "'web_search' must be a function tool",
    );
  });

  it("P5 are refused where two of one list have one name", () => {
    const two = [mailer().send, mailer().send];
    expect(() => guardTools(two, { guardrails: [allowAll()], unchecked })).toThrow("send_mail");
  });

  it("P5 are refused where they declare a schema that no guard holds them to", () => {
    const plain = tool({
      name: "plain",
      description: "",
      parameters: z.object({ to: z.string() }),
      execute: () => "ran",
    });
    expect(() => guardTool(plain, { guardrails: [allowAll()] })).toThrow("unchecked");
  });
});
