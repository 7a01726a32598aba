import { allow, deny, ToolRunner } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { call, fakeTool, recordingObserver } from "../src/index.js";

describe("recordingObserver", () => {
  it("keeps intents and outcomes apart, in order", async () => {
    const observer = recordingObserver({ name: "seen", required: true });
    const { runId, callId, requestedName, context } = call();
    const record = { runId, callId, requestedName, context, decisions: [], times: { askedAt: 0 } };
    await observer.intent?.(record);
    await observer.settle({ ...record, runId: "later" });
    expect(observer.intents.map((each) => each.runId)).toEqual([runId]);
    expect(observer.records.map((each) => each.runId)).toEqual(["later"]);
    expect(observer).toMatchObject({ name: "seen", required: true });
  });

  it.each([false, true])(
    "is told of every call by a real runner (required: %s)",
    async (required) => {
      const observer = recordingObserver({ required });
      const runner = new ToolRunner({
        tools: [fakeTool("search"), fakeTool("wipe")],
        guardrails: [
          {
            name: "no-wipe",
            evaluate: ({ toolName }) => (toolName === "wipe" ? deny("no") : allow()),
          },
        ],
        observers: [observer],
      });
      await runner.run({ name: "search", callId: "a" });
      await runner.run({ name: "wipe", callId: "b" });
      expect(observer.intents.map(({ callId, outcome }) => [callId, outcome])).toEqual([
        ["a", undefined],
      ]);
      expect(observer.records.map(({ callId, outcome }) => [callId, outcome?.status])).toEqual([
        ["a", "executed"],
        ["b", "denied"],
      ]);
    },
  );
});
