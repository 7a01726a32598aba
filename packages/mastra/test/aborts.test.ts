import { createTool } from "@mastra/core/tools";
import { allow, allowAll, type GuardrailProvider } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { guardTool, guardTools } from "../src/index.js";
import { mailer } from "./mail.js";
import { agentOf, asking } from "./scripted.js";

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
  it("P4 while a guard decides lets nothing run", async () => {
    const abort = new AbortController();
    const { send, sent } = mailer();
    const observer = recordingObserver();
    const guardrails = [hanging(() => abort.abort(gone))];
    const tools = guardTools({ send }, { guardrails, observers: [observer] });
    const model = asking([["send", { to: "ann" }, "c1"]]);
    await agentOf(model, { tools }).generate("go", { abortSignal: abort.signal });
    expect(sent).toEqual([]);
    expect(observer.records.map(({ outcome }) => outcome)).toMatchObject([
      { status: "aborted", executed: false },
    ]);
  });

  it("while the tool runs reaches the tool, and is on record as unknown", async () => {
    const abort = new AbortController();
    const observer = recordingObserver();
    let seen: AbortSignal | undefined;
    const slow = createTool({
      id: "slow",
      description: "Never ends.",
      execute: (_, context) => {
        seen = context.abortSignal;
        abort.abort(gone);
        return new Promise<never>(() => {});
      },
    });
    const tools = guardTools({ slow }, { guardrails: [allowAll()], observers: [observer] });
    const model = asking([["slow", {}, "c1"]]);
    await agentOf(model, { tools }).generate("go", { abortSignal: abort.signal });
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
    const model = asking([["send", { to: "ann" }, "c1"]]);
    const tools = guardTools({ send }, { guardrails: [judge] });
    const result = await agentOf(model, { tools }).generate("go", { abortSignal: abort.signal });
    expect(sent).toHaveLength(1);
    expect(JSON.stringify(result.steps)).not.toContain('"sent"');
  });

  it("rejects with the signal's reason where your own code runs the tool", async () => {
    const abort = new AbortController();
    const guarded = guardTool(mailer().send, { guardrails: [hanging(() => abort.abort(gone))] });
    const context = { abortSignal: abort.signal } as never;
    await expect(guarded.execute?.({ to: "ann" }, context)).rejects.toBe(gone);
  });
});
