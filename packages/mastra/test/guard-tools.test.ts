import { MockMemory } from "@mastra/core/memory";
import { RequestContext } from "@mastra/core/request-context";
import { createTool } from "@mastra/core/tools";
import { allow, allowAll, type GuardrailProvider, modify } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardTools } from "../src/index.js";
import { annOnly, mailer, noting } from "./mail.js";
import { agentOf, asking, promptOf, readBy, ways } from "./scripted.js";

const toBoth = () =>
  asking([
    ["send", { to: "bob" }, "c1"],
    ["send", { to: "thief" }, "c2"],
  ]);

describe("guarded tools of an agent", () => {
  it.each(["generate", "stream"] as const)(
    "P6 P11 P12 run one of two parallel calls as rewritten, and not the one that is denied, by %s",
    async (way) => {
      const { send, sent } = mailer();
      const { guard, asked } = noting();
      const observer = recordingObserver();
      const model = toBoth();
      const guardrails = [annOnly, guard];
      const tools = guardTools({ send }, { guardrails, observers: [observer] });
      const result = await ways[way](agentOf(model, { tools }));
      expect(await result.text).toBe("done");
      expect(sent).toEqual([{ to: "ann" }]);
      expect(asked.map(({ callId, args }) => [callId, args])).toEqual([["c1", { to: "ann" }]]);
      expect(readBy(model)).toEqual({
        c1: "sent to ann",
        c2: "error: Tool call denied: not our customer",
      });
      const records = observer.records.map(({ callId, outcome }) => [callId, outcome?.status]);
      expect(Object.fromEntries(records)).toEqual({ c1: "executed", c2: "denied" });
    },
  );

  it("give the application the reason of a denial as Mastra's error, and observers its outcome", async () => {
    const model = asking([["send", { to: "thief" }, "c1"]]);
    const observer = recordingObserver();
    const options = { guardrails: [annOnly], observers: [observer] };
    const tools = guardTools({ send: mailer().send }, options);
    const { fullStream } = await agentOf(model, { tools }).stream("go");
    const errors: unknown[] = [];
    for await (const chunk of fullStream) {
      if (chunk.type === "tool-error") errors.push(chunk.payload.error);
    }
    expect(errors).toMatchObject([
      { id: "TOOL_EXECUTION_FAILED", message: "Tool call denied: not our customer" },
    ]);
    expect(observer.records.map(({ outcome }) => outcome)).toMatchObject([
      { status: "denied", code: "stranger" },
    ]);
  });

  it("keep the model's own arguments in its history", async () => {
    const model = asking([["send", { to: "bob" }, "c1"]]);
    const tools = guardTools({ send: mailer().send }, { guardrails: [annOnly] });
    await agentOf(model, { tools }).generate("go");
    expect(JSON.stringify(promptOf(model))).toContain('"to":"bob"');
  });

  it("P6 are held to their schema again after a rewrite", async () => {
    const { send, sent } = mailer();
    const model = asking([["send", { to: "bob" }, "c1"]]);
    const toNumber: GuardrailProvider = {
      name: "to-number",
      evaluate: ({ args }) => (args.to === 7 ? allow() : modify({ to: 7 })),
    };
    await agentOf(model, { tools: guardTools({ send }, { guardrails: [toNumber] }) }).generate(
      "go",
    );
    expect(sent).toEqual([]);
    expect(readBy(model).c1).toContain("do not match its schema");
  });

  it("leave arguments that the schema refuses to Mastra, which runs nothing", async () => {
    const ran: unknown[] = [];
    const search = createTool({
      id: "search",
      description: "Search.",
      inputSchema: z.object({ q: z.string() }),
      execute: async (input) => ran.push(input),
    });
    const { guard, asked } = noting();
    const model = asking([["search", { q: 7 }, "c1"]]);
    const tools = guardTools({ search }, { guardrails: [guard] });
    await agentOf(model, { tools }).generate("go");
    expect([ran, asked]).toEqual([[], []]);
    expect(JSON.stringify(readBy(model).c1)).toContain("validation failed");
  });

  it("P8 have no tool of a name that every object has", async () => {
    const { send, sent } = mailer();
    const model = asking([
      ["constructor", { to: "ann" }, "c1"],
      ["__proto__", { to: "ann" }, "c2"],
    ]);
    const tools = guardTools({ send }, { guardrails: [allowAll()] });
    await agentOf(model, { tools }).generate("go");
    expect(sent).toEqual([]);
    expect("constructor" in tools).toBe(false);
  });

  it("tell guards what Mastra knows of the call, and take the host's word for what that says otherwise", async () => {
    const { guard, asked } = noting();
    const { send } = mailer();
    const options = { memory: { thread: "t1", resource: "ann" } };
    const turn = () => asking([["send", { to: "ann" }, "c1"]]);
    const memory = new MockMemory();
    const plain = guardTools({ send }, { guardrails: [guard] });
    await agentOf(turn(), { tools: plain, memory }).generate("go", options);
    expect(asked[0]).toMatchObject({
      callId: "c1",
      toolName: "send",
      agentName: "support",
      context: { sessionId: "t1", principal: "ann" },
      tool: { description: "Send a mail.", parameters: { properties: { to: {} } } },
    });
    const requestContext = new RequestContext([["user", "eve"]]);
    const described = guardTools(
      { send },
      {
        guardrails: [guard],
        describe: (call) => ({
          context: { principal: String(call.requestContext?.get("user")) },
        }),
      },
    );
    await agentOf(turn(), { tools: described, memory }).generate("go", {
      ...options,
      requestContext,
    });
    expect(asked[1]).toMatchObject({ agentName: "support", context: { principal: "eve" } });
    expect(asked[1]?.context.sessionId).toBeUndefined();
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("hunter2");
      },
    ],
    ["answers later", async () => ({ agentName: "clerk" })],
    ["says what nobody reads", () => ({ agent: "clerk" })],
  ])("P1 P2 deny where describe() %s", async (_, describeCall) => {
    const { send, sent } = mailer();
    const observer = recordingObserver();
    const model = asking([["send", { to: "ann" }, "c1"]]);
    const tools = guardTools(
      { send },
      { guardrails: [allowAll()], describe: describeCall as never, observers: [observer] },
    );
    await agentOf(model, { tools }).generate("go");
    expect(sent).toEqual([]);
    expect(readBy(model).c1).toContain("error: Tool call denied: ");
    expect(readBy(model).c1).not.toContain("hunter2");
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["invalid"]);
  });

  it("P10 take equal call ids of two runs at once for two calls", async () => {
    const { send, sent } = mailer();
    let asked = 0;
    let meet = () => {};
    const both = new Promise<void>((resolve) => (meet = resolve));
    const together: GuardrailProvider = {
      name: "together",
      evaluate: async () => {
        if (++asked === 2) meet();
        await both;
        return allow();
      },
    };
    const tools = guardTools({ send }, { guardrails: [together] });
    const one = () => agentOf(asking([["send", { to: "ann" }, "c1"]]), { tools }).generate("go");
    await Promise.all([one(), one()]);
    expect(sent).toEqual([{ to: "ann" }, { to: "ann" }]);
  });

  it("P3 run nothing where no guard judged the call", async () => {
    const { send, sent } = mailer();
    const model = asking([["send", { to: "ann" }, "c1"]]);
    await agentOf(model, { tools: guardTools({ send }, { guardrails: [] }) }).generate("go");
    expect(sent).toEqual([]);
    expect(readBy(model).c1).toContain("no guardrail judged tool 'send'");
  });
});
