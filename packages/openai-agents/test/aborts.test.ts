import { tool } from "@openai/agents";
import { allow, allowAll, type GuardrailProvider } from "@toolstile/core";
import { fakeClock, recordingObserver } from "@toolstile/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { guardTool } from "../src/index.js";
import { mailer, noting } from "./mail.js";
import { asking, read, run } from "./scripted-run.js";

const unchecked = true;
const gone = new Error("the user left");

/** A guard that calls this when it is asked, and then never answers. */
function hanging(asked: () => void): GuardrailProvider {
  return {
    name: "hanging",
    evaluate: () => {
      asked();
      return new Promise<never>(() => {});
    },
  };
}

describe("an abort", () => {
  it("before the run lets no guard be asked and nothing run", async () => {
    const { send, sent } = mailer();
    const { guard, asked } = noting();
    const model = asking([["send_mail", { to: "ann" }, "c1"]]);
    const guarded = guardTool(send, { guardrails: [guard], unchecked });
    await expect(run([guarded], model, { signal: AbortSignal.abort(gone) })).rejects.toThrow();
    expect([sent, asked]).toEqual([[], []]);
  });

  it("while a guard decides rejects the run by its reason, and nothing runs", async () => {
    const abort = new AbortController();
    const { send, sent } = mailer();
    const observer = recordingObserver();
    const guarded = guardTool(send, {
      guardrails: [hanging(() => abort.abort(gone))],
      observers: [observer],
      unchecked,
    });
    const model = asking([["send_mail", { to: "ann" }, "c1"]]);
    await expect(run([guarded], model, { signal: abort.signal })).rejects.toBe(gone);
    expect(sent).toEqual([]);
    expect(observer.records.map(({ outcome }) => outcome)).toMatchObject([
      { status: "aborted", executed: false },
    ]);
  });

  it("while the tool runs reaches the tool, and is on record as unknown", async () => {
    const abort = new AbortController();
    const observer = recordingObserver();
    let seen: AbortSignal | undefined;
    const slow = tool({
      name: "slow",
      description: "Never ends.",
      parameters: z.object({}),
      execute: (_input, _context, details) => {
        seen = details?.signal;
        abort.abort(gone);
        return new Promise<never>(() => {});
      },
    });
    const guarded = guardTool(slow, {
      guardrails: [allowAll()],
      observers: [observer],
      unchecked,
    });
    const model = asking([["slow", {}, "c1"]]);
    await expect(run([guarded], model, { signal: abort.signal })).rejects.toBe(gone);
    expect(seen?.aborted).toBe(true);
    expect(observer.records.map(({ outcome }) => outcome)).toMatchObject([
      { status: "aborted", executed: "unknown" },
    ]);
  });

  it("while a judge looks at the result keeps the result from the model", async () => {
    const abort = new AbortController();
    const { send, sent } = mailer();
    const judge: GuardrailProvider = {
      name: "judge",
      evaluate: () => allow(),
      evaluateResult: () => {
        abort.abort(gone);
        return new Promise<never>(() => {});
      },
    };
    const model = asking([["send_mail", { to: "ann" }, "c1"]]);
    const guarded = guardTool(send, { guardrails: [judge], unchecked });
    await expect(run([guarded], model, { signal: abort.signal })).rejects.toBe(gone);
    expect(sent).toHaveLength(1);
    expect(model.calls).toHaveLength(1);
  });

  it("by a sibling that ends the run leaves the other call unrun", async () => {
    const error = new Error("no such file");
    let asked = () => {};
    const deciding = new Promise<void>((resolve) => (asked = resolve));
    const fail = tool({
      name: "fail",
      description: "Fails.",
      parameters: z.object({}),
      errorFunction: null,
      execute: async () => {
        await deciding;
        throw error;
      },
    });
    const { send, sent } = mailer();
    const observer = recordingObserver();
    const guarded = guardTool(send, {
      guardrails: [hanging(() => asked())],
      observers: [observer],
      unchecked,
    });
    const model = asking([
      ["fail", {}, "c1"],
      ["send_mail", { to: "ann" }, "c2"],
    ]);
    await expect(run([fail, guarded], model)).rejects.toMatchObject({ error });
    expect(sent).toEqual([]);
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["aborted"]);
  });

  it("after the run changes nothing", async () => {
    const abort = new AbortController();
    const { send } = mailer();
    const model = asking([["send_mail", { to: "ann" }, "c1"]]);
    const guarded = guardTool(send, { guardrails: [allowAll()], unchecked });
    const result = await run([guarded], model, { signal: abort.signal });
    abort.abort(gone);
    expect(result.finalOutput).toBe("done");
    expect(read(model)).toEqual({ c1: "sent to ann" });
  });
});

describe("the framework's own deadline of a tool", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("P1 that passes while a guard decides leaves the tool unrun", async () => {
    const { send, sent } = mailer({ timeoutMs: 300 });
    const observer = recordingObserver();
    const model = asking([["send_mail", { to: "ann" }, "c1"]]);
    const guarded = guardTool(send, {
      guardrails: [hanging(() => queueMicrotask(() => vi.advanceTimersByTime(300)))],
      observers: [observer],
      clock: fakeClock(),
      unchecked,
    });
    await run([guarded], model);
    expect(read(model)).toEqual({ c1: "Tool 'send_mail' timed out after 300ms." });
    expect(sent).toEqual([]);
    expect(observer.records.map(({ outcome }) => outcome?.executed)).toEqual([false]);
  });
});
