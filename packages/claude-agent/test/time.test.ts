import { type Approver, allow, allowAll, deny, type GuardrailProvider } from "@toolstile/core";
import { fakeClock, recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { guardQuery } from "../src/index.js";
import type { HookCallback } from "../src/sdk.js";
import { ask } from "./cli.js";
import { judging } from "./mail.js";

const call = { tool_name: "mcp__mail__send", tool_use_id: "c1", tool_input: { to: "ann" } };
const answeredCall = { ...call, tool_response: "sent" };

function guarded(guard: GuardrailProvider, more: object = {}) {
  const observer = recordingObserver();
  const clock = fakeClock();
  const guarding = { guardrails: [guard], observers: [observer], clock, ...more };
  const session = { options: guardQuery({}, guarding), tools: {} };
  const statuses = () => observer.records.map(({ outcome }) => outcome?.status);
  return { session, clock, observer, statuses };
}

/** A denial that somebody could lift, who never answers. */
const liftable = (asked: () => void) => {
  const guard: GuardrailProvider = {
    name: "limit",
    evaluate: () => deny("above 50 EUR", { approval: { summary: "A large payment" } }),
  };
  const approver: Approver = {
    name: "nobody",
    ask: () => {
      asked();
      return new Promise<never>(() => {});
    },
    recall: () => undefined,
    consume: () => false,
  };
  return { guard, approver };
};

describe("the time of a hook", () => {
  it("P1 P4 that is over while somebody is asked denies the call", async () => {
    let over = () => {};
    const { guard, approver } = liftable(() => over());
    const { session, clock, statuses } = guarded(guard, { approver, deadlineMs: 20_000 });
    over = () => queueMicrotask(() => clock.advance(20_000));
    const [answer] = await ask(session, "PreToolUse", call);
    expect(answer?.specific).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: "Tool call denied: the guards did not answer in time",
    });
    await ask(session, "Stop", {});
    expect(statuses()).toEqual(["aborted"]);
    expect(clock.waiting()).toBe(0);
  });

  it("P1 P4 that is over while a result is judged withholds it", async () => {
    let over = () => {};
    const judge = judging(() => {
      over();
      return new Promise<never>(() => {});
    });
    const { session, clock, statuses } = guarded(judge, { deadlineMs: 3_000 });
    over = () => queueMicrotask(() => clock.advance(3_000));
    await ask(session, "PreToolUse", call);
    const [answer] = await ask(session, "PostToolUse", answeredCall);
    expect(answer?.specific.updatedToolOutput).toBe(
      "Tool result withheld: the guards did not answer in time",
    );
    const tool_calls = [{ ...call, tool_response: "sent" }];
    const [batch] = await ask(session, "PostToolBatch", { tool_calls });
    expect(batch?.continue).toBe(false);
    expect(statuses()).toEqual(["aborted"]);
    expect(clock.waiting()).toBe(0);
  });

  it("is given to the SDK with ten seconds to spare, and every hook blocks where it fails", () => {
    const { hooks } = guardQuery({} as { hooks?: Record<string, object[]> }, {
      guardrails: [allowAll()],
      deadlineMs: 20_500,
    });
    const matchers = Object.values(hooks ?? {}).flat();
    expect(matchers).toHaveLength(8);
    for (const matcher of matchers) {
      expect(matcher).toEqual({
        hooks: [expect.any(Function)],
        timeout: 31,
        onFailure: "block",
      });
    }
  });

  it("P4 that the SDK itself ends denies the call", async () => {
    const abort = new AbortController();
    const { guard, approver } = liftable(() => abort.abort(new Error("gone")));
    const { session, statuses } = guarded(guard, { approver });
    const [answer] = await ask({ ...session, signal: abort.signal }, "PreToolUse", call);
    expect(answer?.specific.permissionDecision).toBe("deny");
    await ask(session, "Stop", {});
    expect(statuses()).toEqual(["aborted"]);
    const [ended] = await ask({ ...session, signal: abort.signal }, "PreToolUse", call);
    expect(ended?.specific.permissionDecision).toBe("deny");
  });
});

describe("a hook that is told what it cannot read", () => {
  it.each(["PostToolUse", "PostToolUseFailure", "PostToolBatch"])(
    "P1 stops the run at %s",
    async (event) => {
      const { session } = guarded(judging(() => deny("private")));
      const { hooks } = session.options as { hooks?: Record<string, { hooks: HookCallback[] }[]> };
      const hook = hooks?.[event]?.[0]?.hooks[0];
      const signal = new AbortController().signal;
      const answer = await hook?.(undefined as never, undefined, { signal });
      expect(answer?.continue).toBe(false);
    },
  );

  it("P1 stops the run where nothing can stand in the place of a result", async () => {
    let nested: unknown = "secret";
    for (let depth = 0; depth < 50_000; depth++) nested = [nested];
    const { session } = guarded(judging(() => deny("private")));
    const { hooks } = session.options as { hooks?: Record<string, { hooks: HookCallback[] }[]> };
    const told = { hook_event_name: "PostToolUse", session_id: "s1", ...call, tool_name: "Bash" };
    const signal = new AbortController().signal;
    await ask(session, "PreToolUse", { ...call, tool_name: "Bash" });
    const input = { ...told, tool_response: nested } as never;
    const answer = await hooks?.PostToolUse?.[0]?.hooks[0]?.(input, undefined, { signal });
    expect(answer?.continue).toBe(false);
  });

  it("P1 denies the call before it", async () => {
    const { session } = guarded(allowAll());
    const { hooks } = session.options as { hooks?: Record<string, { hooks: HookCallback[] }[]> };
    const hook = hooks?.PreToolUse?.[0]?.hooks[0];
    const answer = await hook?.(undefined as never, undefined, undefined as never);
    expect(answer?.hookSpecificOutput?.permissionDecision).toBe("deny");
  });
});

describe("a call of which the SDK says no more", () => {
  it("settles as released when its turn is over, and its id is free again", async () => {
    const { session, statuses, clock } = guarded(allowAll());
    await ask(session, "PreToolUse", call);
    const [batch] = await ask(session, "PostToolBatch", { tool_calls: [call] });
    expect(batch?.continue).toBeUndefined();
    expect(statuses()).toEqual(["released"]);
    const [again] = await ask(session, "PreToolUse", call);
    expect(again?.specific).toEqual({});
    await ask(session, "Stop", {});
    expect(clock.waiting()).toBe(0);
  });

  it.each(["Stop", "StopFailure", "SessionEnd"])("settles at %s", async (event) => {
    const { session, statuses } = guarded(allowAll());
    await ask(session, "PreToolUse", call);
    await ask({ ...session, sessionId: "s2" }, event, {});
    expect(statuses()).toEqual([]);
    await ask(session, event, {});
    expect(statuses()).toEqual(["released"]);
  });

  it("of a sub-agent settles when that one is over, or the session", async () => {
    const { session, statuses } = guarded(allowAll());
    const inner = { ...session, agent: { agent_id: "a1" } };
    await ask(inner, "PreToolUse", call);
    await ask(session, "Stop", {});
    await ask({ ...session, agent: { agent_id: "a2" } }, "SubagentStop", {});
    expect(statuses()).toEqual([]);
    await ask(inner, "SubagentStop", {});
    expect(statuses()).toEqual(["released"]);
    await ask(inner, "PreToolUse", { ...call, tool_use_id: "c2" });
    await ask(session, "SessionEnd", {});
    expect(statuses()).toEqual(["released", "released"]);
  });

  it("settles once its time is over, and a result that comes later is withheld", async () => {
    const { session, statuses, clock } = guarded(allowAll(), { openForMs: 60_000 });
    await ask(session, "PreToolUse", call);
    clock.advance(60_000);
    const [late] = await ask(session, "PostToolUse", answeredCall);
    expect(late?.specific.updatedToolOutput).toContain("it answers no call that was decided");
    expect(statuses()).toEqual(["released"]);
  });

  it("P17 is one of so many, and no more", async () => {
    const { session } = guarded(allowAll(), { maxOpenCalls: 2 });
    const decisions: unknown[] = [];
    for (const tool_use_id of ["c1", "c2", "c3"]) {
      const [answer] = await ask(session, "PreToolUse", { ...call, tool_use_id });
      decisions.push(answer?.specific.permissionDecision);
    }
    expect(decisions).toEqual([undefined, undefined, "deny"]);
  });

  it("P17 counts until the model reads what stands for its result, and its id is taken until then", async () => {
    const { session } = guarded(
      judging(() => deny("private")),
      { maxOpenCalls: 2 },
    );
    const decision = async (tool_use_id: string) => {
      const [answer] = await ask(session, "PreToolUse", { ...call, tool_use_id });
      return answer?.specific.permissionDecision;
    };
    expect(await decision("c1")).toBeUndefined();
    const [answer] = await ask(session, "PostToolUse", answeredCall);
    expect(await decision("c1")).toBe("deny");
    expect(await decision("c2")).toBeUndefined();
    await ask(session, "PostToolUse", { ...answeredCall, tool_use_id: "c2" });
    expect(await decision("c3")).toBe("deny");
    const read = answer?.specific.updatedToolOutput;
    await ask(session, "PostToolBatch", { tool_calls: [{ ...call, tool_response: read }] });
    expect(await decision("c1")).toBeUndefined();
  });

  it("is judged no more, where guards hold nothing for it", async () => {
    const judged: string[] = [];
    const judge = judging(({ callId }) => {
      judged.push(callId);
      return allow();
    });
    const { session } = guarded(judge);
    await ask(session, "PreToolUse", call);
    await ask(session, "PostToolUse", answeredCall);
    const [again] = await ask(session, "PostToolUse", answeredCall);
    expect(again?.specific.updatedToolOutput).toContain("Tool result withheld");
    expect(judged).toEqual(["c1"]);
  });
});
