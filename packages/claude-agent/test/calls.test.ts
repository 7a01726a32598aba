import { allowAll, type GuardrailProvider, modify } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { guardQuery } from "../src/index.js";
import { ask, play } from "./cli.js";
import { annOnly, noting, toolbox } from "./mail.js";

const send = "mcp__mail__send";

describe("the call of a tool", () => {
  it("P6 P12 runs as rewritten, and does not run where it is denied", async () => {
    const { tools, ran } = toolbox();
    const { guard, asked } = noting();
    const observer = recordingObserver();
    const options = guardQuery({}, { guardrails: [annOnly, guard], observers: [observer] });
    const { read } = await play(
      { options, tools },
      [send, { to: "bob" }, "c1"],
      [send, { to: "thief" }, "c2"],
      ["Bash", { command: "ls" }, "c3"],
    );
    expect(ran).toHaveLength(2);
    expect(ran).toEqual(expect.arrayContaining([{ to: "ann" }, { command: "ls" }]));
    expect(Object.fromEntries(asked.map(({ callId, args }) => [callId, args]))).toEqual({
      c1: { to: "ann" },
      c3: { command: "ls" },
    });
    expect(read).toEqual({
      c1: [{ type: "text", text: "sent to ann" }],
      c2: "hook error: Tool call denied: not our customer",
      c3: { stdout: "ls", stderr: "", code: 0 },
    });
    const records = observer.records.map(({ callId, outcome }) => [callId, outcome?.status]);
    expect(records).toHaveLength(3);
    expect(Object.fromEntries(records)).toEqual({ c1: "executed", c2: "denied", c3: "executed" });
  });

  it("that guards allow is left to the SDK's own rules, and not allowed past them", async () => {
    const options = guardQuery({}, { guardrails: [annOnly] });
    const session = { options, tools: {} };
    const told = { tool_name: send, tool_use_id: "c1" };
    const [plain] = await ask(session, "PreToolUse", { ...told, tool_input: { to: "ann" } });
    expect(plain?.specific).toEqual({});
    const changed = { ...told, tool_use_id: "c2", tool_input: { to: "bob" } };
    const [rewritten] = await ask(session, "PreToolUse", changed);
    expect(rewritten?.specific).toEqual({
      hookEventName: "PreToolUse",
      updatedInput: { to: "ann" },
    });
  });

  it("is known by the session, and by the kind of a sub-agent; or as the host says", async () => {
    const { tools } = toolbox();
    const { guard, asked } = noting();
    const agent = { agent_id: "a1", agent_type: "reviewer" };
    const known = guardQuery({}, { guardrails: [guard] });
    await play({ options: known, tools, agent, sessionId: "s7" }, [send, { to: "ann" }, "c1"]);
    expect(asked[0]).toMatchObject({
      callId: "c1",
      toolName: send,
      agentName: "reviewer",
      context: { sessionId: "s7" },
    });
    const described = guardQuery(
      {},
      {
        guardrails: [guard],
        describe: ({ cwd }) => ({ context: { principal: "eve", attributes: { cwd } } }),
      },
    );
    await play({ options: described, tools, agent }, [send, { to: "ann" }, "c1"]);
    expect(asked[1]).toMatchObject({
      agentName: "reviewer",
      context: { principal: "eve", attributes: { cwd: "/" } },
    });
    expect(asked[1]?.context.sessionId).toBeUndefined();
  });

  it.each<[string, GuardrailProvider["evaluate"]]>([
    [
      "throws",
      () => {
        throw new Error("hunter2");
      },
    ],
    ["rejects", () => Promise.reject(new Error("hunter2"))],
    ["answers in the SDK's words", () => ({ permissionDecision: "allow" }) as never],
    ["answers nothing", () => undefined as never],
    ["changes the arguments to what is no JSON", () => modify({ to: 1n } as never)],
  ])("P1 P2 does not run where a guard %s", async (_, evaluate) => {
    const { tools, ran } = toolbox();
    const options = guardQuery({}, { guardrails: [{ name: "bad", evaluate }] });
    const { read } = await play({ options, tools }, [send, { to: "ann" }, "c1"]);
    expect(ran).toEqual([]);
    expect(read.c1).toContain("hook error: Tool call denied: ");
    expect(read.c1).not.toContain("hunter2");
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("hunter2");
      },
    ],
    ["answers later", async () => ({ agentName: "clerk" })],
    ["says what nobody reads", () => ({ session: "s1" })],
  ])("P1 P2 does not run where describe() %s", async (_, describeCall) => {
    const { tools, ran } = toolbox();
    const options = guardQuery({}, { guardrails: [allowAll()], describe: describeCall as never });
    const { read } = await play({ options, tools }, [send, { to: "ann" }, "c1"]);
    expect(ran).toEqual([]);
    expect(read.c1).not.toContain("hunter2");
  });

  it("P3 does not run where no guard judged it", async () => {
    const { tools, ran } = toolbox();
    const options = guardQuery({}, { guardrails: [] });
    const { read } = await play({ options, tools }, [send, { to: "ann" }, "c1"]);
    expect(ran).toEqual([]);
    expect(read.c1).toContain("no guardrail judged tool 'mcp__mail__send'");
  });

  it.each([
    ["no arguments that can be read", { tool_name: send, tool_input: "to ann" }],
    ["no name", { tool_input: {} }],
    ["no name that is text", { tool_name: 7, tool_input: {} }],
  ])("P1 is denied where the SDK says %s", async (_, told) => {
    const options = guardQuery({}, { guardrails: [allowAll()] });
    const call = { tool_use_id: "c1", ...told };
    const [answer] = await ask({ options, tools: {} }, "PreToolUse", call);
    expect(answer?.specific.permissionDecision).toBe("deny");
  });

  it("P10 is denied where another of its id is open", async () => {
    const observer = recordingObserver();
    const options = guardQuery({}, { guardrails: [allowAll()], observers: [observer] });
    const session = { options, tools: {} };
    const call = { tool_name: send, tool_input: { to: "ann" }, tool_use_id: "c1" };
    const [first] = await ask(session, "PreToolUse", call);
    const [second] = await ask(session, "PreToolUse", call);
    expect(first?.specific).toEqual({});
    expect(second?.specific.permissionDecision).toBe("deny");
    const [other] = await ask({ ...session, sessionId: "s2" }, "PreToolUse", call);
    expect(other?.specific).toEqual({});
  });

  it("P6 that ran with other arguments than were decided has its result withheld", async () => {
    const observer = recordingObserver();
    const options = guardQuery({}, { guardrails: [annOnly], observers: [observer] });
    const session = { options, tools: {} };
    const call = { tool_name: send, tool_use_id: "c1" };
    await ask(session, "PreToolUse", { ...call, tool_input: { to: "bob" } });
    const ran = { ...call, tool_input: { to: "eve" }, tool_response: "sent to eve" };
    const [answer] = await ask(session, "PostToolUse", ran);
    expect(answer?.specific.updatedToolOutput).toBe(
      "Tool result withheld: the tool ran with other arguments than were decided",
    );
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["failed"]);
  });
});
