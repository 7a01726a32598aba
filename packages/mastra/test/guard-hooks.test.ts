import { createTool } from "@mastra/core/tools";
import { allow, allowAll, deny, type GuardrailProvider, rewrite } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardHooks } from "../src/index.js";
import { annOnly, mailer, noting } from "./mail.js";
import { agentOf, asking, readBy, ways } from "./scripted.js";

const judging = (evaluateResult: GuardrailProvider["evaluateResult"]): GuardrailProvider => ({
  name: "judge",
  evaluate: () => allow(),
  evaluateResult,
});

/** A tool that answers with this, and notes what it was run with. */
function answering(answer: () => unknown) {
  const ran: unknown[] = [];
  const tool = createTool({
    id: "t",
    description: "Answers.",
    inputSchema: z.looseObject({}),
    execute: async (input) => {
      ran.push(input);
      return answer() as never;
    },
  });
  return { tool, ran };
}

async function ask(tool: unknown, options: Parameters<typeof guardHooks>[0], args: object = {}) {
  const model = asking([["t", args, "c1"]]);
  const agent = agentOf(model, { tools: { t: tool as never }, hooks: guardHooks(options) });
  const result = await agent.generate("go");
  return { read: readBy(model).c1, result };
}

describe("guards as the hooks of an agent", () => {
  it.each(["generate", "stream"] as const)(
    "P6 P11 P12 run one of two parallel calls as rewritten, and not the one that is denied, by %s",
    async (way) => {
      const { send, sent } = mailer();
      const { guard, asked } = noting();
      const observer = recordingObserver();
      const model = asking([
        ["send", { to: "bob" }, "c1"],
        ["send", { to: "thief" }, "c2"],
      ]);
      const hooks = guardHooks({ guardrails: [annOnly, guard], observers: [observer] });
      const result = await ways[way](agentOf(model, { tools: { send }, hooks }));
      expect(await result.text).toBe("done");
      expect(sent).toEqual([{ to: "ann" }]);
      expect(asked).toMatchObject([
        { callId: "c1", toolName: "send", agentName: "support", args: { to: "ann" } },
      ]);
      expect(readBy(model)).toEqual({
        c1: "sent to ann",
        c2: "error: Tool call denied: not our customer",
      });
      const records = observer.records.map(({ callId, outcome }) => [callId, outcome?.status]);
      expect(Object.fromEntries(records)).toEqual({ c1: "executed", c2: "denied" });
    },
  );

  it("P6 run the tool with what was decided, also where somebody changes the arguments meanwhile", async () => {
    const { tool, ran } = answering(() => "ok");
    const hooks = guardHooks({ guardrails: [allowAll()] });
    const input: Record<string, unknown> = { to: { name: "ann" }, more: 1 };
    const nested = input.to as { name: string };
    const context = { toolCallId: "c1" };
    const deciding = hooks.beforeToolCall({ toolName: "t", input, context });
    nested.name = "thief";
    input.extra = true;
    await deciding;
    await tool.execute?.(input, {} as never);
    expect(ran).toEqual([{ to: { name: "ann" }, more: 1 }]);
    expect(Object.isFrozen(input)).toBe(true);
  });

  it("P6 deny where the arguments cannot be held to what was decided", async () => {
    const observer = recordingObserver();
    const hooks = guardHooks({ guardrails: [annOnly], observers: [observer] });
    const input = Object.freeze({ to: "bob" });
    const context = { toolCallId: "c1" };
    await expect(hooks.beforeToolCall({ toolName: "t", input, context })).rejects.toThrow(
      "cannot be held to what was decided",
    );
    expect(observer.records.map(({ outcome }) => outcome?.executed)).toEqual([false]);
  });

  it("deny the second of two calls that cannot be told apart, and let the first settle", async () => {
    const observer = recordingObserver();
    const hooks = guardHooks({ guardrails: [allowAll()], observers: [observer] });
    const context = {};
    await hooks.beforeToolCall({ toolName: "t", input: {}, context });
    await expect(hooks.beforeToolCall({ toolName: "t", input: {}, context })).rejects.toThrow(
      "Tool call denied",
    );
    await hooks.afterToolCall({ toolName: "t", input: {}, context, output: "ok" });
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["aborted", "executed"]);
  });

  it("withhold the result of a call that was never decided", async () => {
    const hooks = guardHooks({ guardrails: [allowAll()] });
    const call = { toolName: "t", input: {}, context: {} };
    const after = () => hooks.afterToolCall({ ...call, output: "secret" });
    await expect(after()).rejects.toThrow("Tool result withheld");
    await hooks.beforeToolCall(call);
    await after();
    await expect(after()).rejects.toThrow("Tool result withheld");
  });

  it("rewrite a result in place, where it is an object or a list", async () => {
    const redacting = judging((_, { structured }) =>
      JSON.stringify(structured) === '{"name":"-"}'
        ? allow()
        : rewrite({ content: "-", structured: { name: "-" } }),
    );
    const { read, result } = await ask(answering(() => ({ name: "Ann", pin: 7 })).tool, {
      guardrails: [redacting],
    });
    expect(read).toEqual({ name: "-" });
    expect(JSON.stringify(result.steps)).not.toContain("Ann");
  });

  it("withhold a list that a judge makes an object of", async () => {
    const judge = judging((_, { structured }) =>
      Array.isArray(structured) ? rewrite({ content: "-", structured: { name: "-" } }) : allow(),
    );
    const { read } = await ask(answering(() => ["Ann"]).tool, { guardrails: [judge] });
    expect(read).toContain("error: Tool result withheld: it was changed");
  });

  it("withhold a result that is text and was rewritten, and one that is denied", async () => {
    const redacting = judging((_, { content }) =>
      content === "-" ? allow() : rewrite({ content: "-" }),
    );
    const text = () => answering(() => "Ann").tool;
    const rewritten = await ask(text(), { guardrails: [redacting] });
    expect(rewritten.read).toContain("error: Tool result withheld: it was changed");
    const denied = await ask(text(), { guardrails: [judging(() => deny("private"))] });
    expect(denied.read).toBe("error: Tool result withheld: private");
    expect(JSON.stringify([rewritten.result.steps, denied.result.steps])).not.toContain("Ann");
  });

  it("P6 withhold a result whose parts could say something else than was judged", async () => {
    class Account {
      asked = 0;
      get name() {
        return this.asked++ === 0 ? "Ann" : "Eve";
      }
      toJSON() {
        return { name: this.name };
      }
    }
    const { read } = await ask(answering(() => new Account()).tool, {
      guardrails: [judging(() => allow())],
    });
    expect(read).toContain("error: Tool result withheld");
  });

  it("judge what the tool threw, and pass it on as it was", async () => {
    const failing = answering(() => {
      throw new Error("no such mailbox");
    }).tool;
    const observer = recordingObserver();
    const plain = await ask(failing, { guardrails: [allowAll()], observers: [observer] });
    expect(plain.read).toBe("error: no such mailbox");
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["failed"]);
    const kept = await ask(failing, { guardrails: [judging(() => deny("private"))] });
    expect(kept.read).toBe("error: Tool result withheld: private");
  });

  it("P4 let nothing run after an abort, and settle", async () => {
    const abort = new AbortController();
    const { tool, ran } = answering(() => "ok");
    const observer = recordingObserver();
    const leaving: GuardrailProvider = {
      name: "leaving",
      evaluate: () => {
        abort.abort(new Error("gone"));
        return new Promise<never>(() => {});
      },
    };
    const model = asking([["t", {}, "c1"]]);
    const hooks = guardHooks({ guardrails: [leaving], observers: [observer] });
    await agentOf(model, { tools: { t: tool }, hooks }).generate("go", {
      abortSignal: abort.signal,
    });
    expect(ran).toEqual([]);
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["aborted"]);
  });

  it("take what describe() says of the host, and P1 deny where it throws", async () => {
    const { guard, asked } = noting();
    const { tool, ran } = answering(() => "ok");
    await ask(tool, {
      guardrails: [guard],
      describe: ({ toolName }) => ({ context: { sessionId: `s-${toolName}` } }),
    });
    expect(asked[0]).toMatchObject({ agentName: "support", context: { sessionId: "s-t" } });
    const { read } = await ask(tool, {
      guardrails: [guard],
      describe: () => {
        throw new Error("hunter2");
      },
    });
    expect(read).toContain("error: Tool call denied");
    expect(read).not.toContain("hunter2");
    expect(ran).toHaveLength(1);
  });

  it("guard an agent that is a tool of another", async () => {
    const inner = agentOf(asking(), { id: "clerk", name: "Clerk", description: "Answers." });
    const model = asking([["agent-clerk", { prompt: "wire the money" }, "c1"]]);
    const guard: GuardrailProvider = {
      name: "no-agents",
      evaluate: ({ toolName }) =>
        toolName.startsWith("agent-") ? deny("not to be asked") : allow(),
    };
    const hooks = guardHooks({ guardrails: [guard] });
    await agentOf(model, { agents: { clerk: inner }, hooks }).generate("go");
    expect(readBy(model).c1).toBe("error: Tool call denied: not to be asked");
  });
});
