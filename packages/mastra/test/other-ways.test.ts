import { Mastra } from "@mastra/core";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardTool, guardTools } from "../src/index.js";
import { annOnly, mailer, noting } from "./mail.js";
import { agentOf, asking, readBy } from "./scripted.js";

describe("a guarded tool that suspends itself", () => {
  it("is decided on anew when it goes on", async () => {
    const wait = createTool({
      id: "wait",
      description: "Wait.",
      execute: async (_, context) => {
        if (context.agent?.resumeData !== undefined) return { went: "on" };
        return (await context.agent?.suspend({ for: "a word" })) as never;
      },
    });
    const observer = recordingObserver();
    const { guard, asked } = noting();
    const model = asking([["wait", {}, "c1"]]);
    const tools = guardTools({ wait }, { guardrails: [guard], observers: [observer] });
    const agent = agentOf(model, { tools });
    new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    const { runId, finishReason } = await agent.generate("go");
    expect(finishReason).toBe("suspended");
    await agent.resumeGenerate({ word: "go" }, { runId: runId as string, toolCallId: "c1" });
    expect(readBy(model).c1).toEqual({ went: "on" });
    expect(asked).toHaveLength(2);
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual([
      "executed",
      "executed",
    ]);
  });
});

describe("a guarded tool outside an agent", () => {
  it("P11 is guarded where your own code runs it", async () => {
    const { send, sent } = mailer();
    const guarded = guardTool(send, { guardrails: [annOnly] });
    expect(await guarded.execute?.({ to: "bob" }, {} as never)).toEqual({ sent: "ann" });
    await expect(guarded.execute?.({ to: "thief" }, {} as never)).rejects.toMatchObject({
      code: "ERR_DENIED",
      message: "Tool call denied: not our customer",
    });
    await expect(guarded.execute?.({ to: 7 } as never, undefined as never)).rejects.toThrow(
      "do not match its schema",
    );
    expect(sent).toEqual([{ to: "ann" }]);
  });

  it("P11 is guarded as a step of a workflow, which fails where it is denied", async () => {
    const { send, sent } = mailer();
    const step = createStep(guardTool(send, { guardrails: [annOnly] }));
    const workflow = createWorkflow({
      id: "mailing",
      inputSchema: z.object({ to: z.string() }),
      outputSchema: z.object({ sent: z.string() }),
    })
      .then(step)
      .commit();
    new Mastra({ workflows: { workflow }, logger: false });
    const start = async (to: string) => (await workflow.createRun()).start({ inputData: { to } });
    expect(await start("bob")).toMatchObject({ status: "success", result: { sent: "ann" } });
    expect(await start("thief")).toMatchObject({
      status: "failed",
      error: { message: "Tool call denied: not our customer" },
    });
    expect(sent).toEqual([{ to: "ann" }]);
  });
});
