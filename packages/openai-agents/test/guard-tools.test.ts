import { runInNewContext } from "node:vm";
import { Agent, RunContext, tool, toolNamespace } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { allowAll } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardTool, guardTools } from "../src/index.js";
import { annOnly, mailer, noting } from "./mail.js";
import { asking, read, run, runner } from "./scripted-run.js";

const unchecked = true;

/** Facts that are no members of their object's own. */
class Facts {
  get agentName() {
    return "support";
  }
  get principal() {
    return "ann";
  }
}

describe("guarded function tools", () => {
  it("P6 P11 run one of two parallel calls as rewritten, and not the one that is denied", async () => {
    const { send, sent } = mailer();
    const observer = recordingObserver();
    const { guard, asked } = noting();
    const model = asking([
      ["send_mail", { to: "bob" }, "c1"],
      ["send_mail", { to: "thief" }, "c2"],
    ]);
    const guardrails = [annOnly, guard];
    const guarded = guardTool(send, { guardrails, observers: [observer], unchecked });
    const result = await run([guarded], model);
    expect(sent).toEqual([["c1", { to: "ann" }, '{"to":"ann"}']]);
    expect(asked.map(({ callId, args }) => [callId, args])).toEqual([["c1", { to: "ann" }]]);
    expect(read(model)).toEqual({
      c1: "sent to ann",
      c2: "Tool call denied: not our customer",
    });
    expect(observer.records.map(({ callId, outcome }) => [callId, outcome?.status])).toEqual([
      ["c2", "denied"],
      ["c1", "executed"],
    ]);
    expect(result.finalOutput).toBe("done");
    model.assertComplete();
  });

  it("P11 are guarded in a streaming run as well", async () => {
    const { send, sent } = mailer();
    const model = asking([
      ["send_mail", { to: "bob" }, "c1"],
      ["send_mail", { to: "thief" }, "c2"],
    ]);
    const tools = guardTools([send], { guardrails: [annOnly], unchecked });
    const agent = new Agent({ name: "support", tools });
    const result = await runner(model).run(agent, "go", { stream: true });
    for await (const _ of result);
    await result.completed;
    expect(sent.map(([callId, input]) => [callId, input])).toEqual([["c1", { to: "ann" }]]);
    expect(read(model)).toEqual({
      c1: "sent to ann",
      c2: "Tool call denied: not our customer",
    });
  });

  it("keep the model's own arguments in its history", async () => {
    const model = asking([["send_mail", { to: "bob" }, "c1"]]);
    await run([guardTool(mailer().send, { guardrails: [annOnly], unchecked })], model);
    expect(JSON.stringify(model.lastCall?.request.input)).toContain('{\\"to\\":\\"bob\\"}');
  });

  it("are held to the framework's own schema as rewritten", async () => {
    const { send, sent } = mailer();
    const model = asking([["send_mail", { to: 7 }, "c1"]]);
    await run([guardTool(send, { guardrails: [allowAll()], unchecked })], model);
    expect(sent).toEqual([]);
    expect(read(model).c1).toContain("An error occurred while running the tool");
  });

  it.each([
    ["a key that comes twice", '{"to":"ann","to":"thief"}'],
    ["__proto__", '{"to":"ann","__proto__":{"admin":true}}'],
    ["an integer that is rounded", '{"to":"ann","cents":9007199254740993}'],
    ["a list", '["ann"]'],
  ])("P6 deny arguments with %s", async (_, text) => {
    const { guard, asked } = noting();
    const ran: string[] = [];
    const raw = tool({
      name: "raw",
      description: "Takes anything.",
      strict: false,
      parameters: { type: "object", properties: {}, required: [], additionalProperties: true },
      execute: () => ran.push("raw"),
    });
    const model = asking([["raw", text, "c1"]]);
    await run([guardTool(raw, { guardrails: [guard], unchecked })], model);
    expect([ran, asked]).toEqual([[], []]);
    expect(read(model).c1).toContain("Tool call denied: arguments for tool 'raw' cannot be read");
  });

  it("run nothing, and end no run, for arguments that are no JSON", async () => {
    const { send, sent } = mailer();
    const { guard, asked } = noting();
    const model = asking([["send_mail", '{"to":', "c1"]]);
    await run([guardTool(send, { guardrails: [guard], unchecked })], model);
    expect([sent, asked]).toEqual([[], []]);
    expect(read(model).c1).toContain("An error occurred while parsing tool arguments");
  });

  it("leave a call to an unknown tool to the framework, and run nothing", async () => {
    const { send, sent } = mailer();
    const model = asking([["wipe", { to: "ann" }, "c1"]]);
    const guarded = guardTool(send, { guardrails: [allowAll()], unchecked });
    await expect(run([guarded], model)).rejects.toThrow("wipe");
    expect(sent).toEqual([]);
  });

  it("tell guards the call, the tool, and what the host says of it", async () => {
    const { guard, asked } = noting();
    const { send } = mailer();
    const model = asking([["send_mail", { to: "ann" }, "c1"]]);
    const guarded = guardTool(send, {
      guardrails: [guard],
      unchecked,
      describe: ({ context }) => ({
        agentName: "support",
        context: { sessionId: (context as { session: string }).session },
      }),
    });
    const agent = new Agent({ name: "support", tools: [guarded] });
    await runner(model).run(agent, "go", { context: { session: "s1" } });
    expect(asked[0]).toMatchObject({
      callId: "c1",
      toolName: "send_mail",
      agentName: "support",
      context: { sessionId: "s1" },
      tool: { description: "Send a mail.", parameters: { properties: { to: {} } } },
    });
  });

  it.each([
    [
      "throws",
      (): never => {
        throw new Error("hunter2");
      },
    ],
    ["is asynchronous", async () => ({ agentName: "support" })],
    ["says nothing", () => undefined],
    ["says what nobody reads", () => ({ session: "s1" })],
    ["says a list", () => [{ agentName: "support" }]],
    ["says what its class has getters for", () => new Facts()],
    ["says what a prototype has", () => Object.create({ agentName: "support" })],
    ["says what a class has as its context", () => ({ context: new Facts() })],
    ["says a list as its context", () => ({ context: ["ann"] })],
    ["says text as its context", () => ({ context: "ann" })],
    ["says what a class has as attributes", () => ({ context: { attributes: new Facts() } })],
    [
      "hides who asks",
      () => ({ context: Object.defineProperty({}, "principal", { value: "ann" }) }),
    ],
    ["promises", async () => Promise.reject(new Error("hunter2"))],
    ["promises its context", () => ({ context: Promise.reject(new Error("hunter2")) })],
    ["promises its agent", () => ({ agentName: Promise.reject(new Error("hunter2")) })],
    ["promises who asks", () => ({ context: { principal: Promise.reject(new Error("hunter2")) } })],
    [
      "promises who asks and where",
      () => ({
        agentName: Promise.reject(new Error("hunter2")),
        context: {
          principal: Promise.reject(new Error("hunter2")),
          attributes: Promise.reject(new Error("hunter2")),
        },
      }),
    ],
  ])("P1 P2 deny where describe() %s", async (_, describe) => {
    const { send, sent } = mailer();
    const model = asking([["send_mail", { to: "ann" }, "c1"]]);
    const options = { guardrails: [allowAll()], unchecked, describe: describe as never };
    await run([guardTool(send, options)], model);
    expect(sent).toEqual([]);
    expect(read(model).c1).toContain("Tool call denied: ");
    expect(read(model).c1).not.toContain("hunter2");
  });

  it("leave no promise that describe() gave to reject without anybody listening", async () => {
    const unheard: unknown[] = [];
    const note = (reason: unknown) => unheard.push(reason);
    process.on("unhandledRejection", note);
    try {
      for (const describe of [
        () => Promise.reject(new Error("fine")),
        () => ({ context: Promise.reject(new Error("fine")) }),
        () => ({ context: { tenant: Promise.reject(new Error("fine")) } }),
        () => ({ context: { attributes: Promise.reject(new Error("fine")) } }),
      ]) {
        const options = { guardrails: [allowAll()], unchecked, describe: describe as never };
        await run(
          [guardTool(mailer().send, options)],
          asking([["send_mail", { to: "ann" }, "c1"]]),
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 0));
      expect(unheard).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });

  it.each([
    ["an object", (facts: object) => facts],
    ["one without a prototype", (facts: object) => Object.assign(Object.create(null), facts)],
    [
      "one of another realm",
      (facts: object) => runInNewContext("Object.assign({}, facts)", { facts }),
    ],
  ])("take the host's facts from %s", async (_, make) => {
    const { guard, asked } = noting();
    const describe = () =>
      make({
        agentName: "support",
        context: make({ principal: "ann", attributes: make({ room: 7 }) }),
      });
    const options = { guardrails: [guard], unchecked, describe };
    const model = asking([["send_mail", { to: "ann" }, "c1"]]);
    await run([guardTool(mailer().send, options)], model);
    expect(asked[0]).toMatchObject({
      agentName: "support",
      context: { principal: "ann", attributes: { room: 7 } },
    });
  });

  it("P10 take equal call ids of two runs at once for two calls", async () => {
    let both = () => {};
    const met = new Promise<void>((resolve) => (both = resolve));
    let running = 0;
    const wait = tool({
      name: "wait",
      description: "Waits for the other.",
      parameters: z.object({}),
      execute: async () => {
        if (++running === 2) both();
        await met;
        return "met";
      },
    });
    const guarded = guardTool(wait, { guardrails: [allowAll()], unchecked });
    const models = [asking([["wait", {}, "call_0"]]), asking([["wait", {}, "call_0"]])];
    await Promise.all(models.map((model) => run([guarded], model)));
    expect(models.map(read)).toEqual([{ call_0: "met" }, { call_0: "met" }]);
  });

  it("ask for approval as before, and run what the guards made of it", async () => {
    const { send, sent } = mailer({ needsApproval: true });
    const { guard, asked } = noting();
    const model = asking([["send_mail", { to: "bob" }, "c1"]]);
    const guarded = guardTool(send, { guardrails: [annOnly, guard], unchecked });
    const agent = new Agent({ name: "support", tools: [guarded] });
    const first = await runner(model).run(agent, "go");
    expect(first.interruptions).toHaveLength(1);
    expect([sent, asked]).toEqual([[], []]);
    first.state.approve(first.interruptions[0] as never);
    await runner(model).run(agent, first.state);
    expect(sent.map(([, input]) => input)).toEqual([{ to: "ann" }]);
  });

  it("ask a policy of approval about the arguments as the model wrote them", async () => {
    const shown: unknown[] = [];
    const policy = async (_: unknown, args: unknown) => shown.push(args) > 2;
    const pay = tool({
      name: "pay",
      description: "Pays.",
      parameters: z.object({ to: z.string().trim() }),
      needsApproval: policy,
      execute: ({ to }) => `paid ${to}`,
    });
    for (const each of [pay, guardTool(pay, { guardrails: [allowAll()], unchecked })]) {
      const model = asking([["pay", { to: " ann " }, "c1"]]);
      await run([each], model);
      expect(read(model).c1).toBe("paid ann");
    }
    expect(shown).toEqual([{ to: "ann" }, { to: " ann " }]);
  });

  it("P7 stay denied though a human approved of them in the framework", async () => {
    const { send, sent } = mailer({ needsApproval: true });
    const model = asking([["send_mail", { to: "thief" }, "c1"]]);
    const agent = new Agent({
      name: "support",
      tools: [guardTool(send, { guardrails: [annOnly], unchecked })],
    });
    const first = await runner(model).run(agent, "go");
    first.state.approve(first.interruptions[0] as never);
    await runner(model).run(agent, first.state);
    expect(sent).toEqual([]);
    expect(read(model)).toEqual({ c1: "Tool call denied: not our customer" });
  });

  it("are shown to the model only where they were before", async () => {
    const model = asking();
    const hidden = guardTool(mailer({ isEnabled: false }).send, {
      guardrails: [allowAll()],
      unchecked,
    });
    await run([hidden], model);
    expect(model.lastCall?.request.tools).toEqual([]);
  });

  it("may be frozen, and in a namespace", async () => {
    const { send, sent } = mailer();
    const [named] = toolNamespace({ name: "crm", description: "Customers.", tools: [send] });
    const guarded = guardTool(Object.freeze(named as typeof send), {
      guardrails: [annOnly],
      unchecked,
    });
    const model = new ScriptedModel([
      [functionCall("send_mail", { to: "bob" }, { callId: "c1", namespace: "crm" })],
      [assistantMessage("done")],
    ]);
    await run([guarded], model);
    expect(sent.map(([, input]) => input)).toEqual([{ to: "ann" }]);
  });

  it("are the same to the model as before", async () => {
    const { send } = mailer();
    const models = [asking(), asking()];
    await run([send], models[0] as never);
    await run([guardTool(send, { guardrails: [allowAll()], unchecked })], models[1] as never);
    const [plain, guarded] = models.map((model) => model.lastCall?.request.tools);
    expect(guarded).toEqual(plain);
  });

  it("are guarded without the framework's runner, too", async () => {
    const { send, sent } = mailer();
    const guarded = guardTool(send, { guardrails: [annOnly], unchecked });
    expect(await guarded.invoke(new RunContext(), '{"to":"thief"}')).toBe(
      "Tool call denied: not our customer",
    );
    expect(await guarded.invoke(new RunContext(), '{"to":"bob"}')).toBe("sent to ann");
    expect(sent).toHaveLength(1);
  });
});
