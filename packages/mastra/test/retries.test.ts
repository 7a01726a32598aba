import { Mastra } from "@mastra/core";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import { allow, deny, type GuardrailProvider } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardHooks, guardTool, guardTools } from "../src/index.js";
import { agentOf, asking } from "./scripted.js";

/** No result is passed on, and the first question is answered by no. */
function strict(): GuardrailProvider {
  let asked = 0;
  return {
    name: "strict",
    evaluate: () => (asked++ === 0 ? deny("too early") : allow()),
    evaluateResult: () => deny("a secret"),
  };
}

/** A tool that pays, and notes each time. */
function payment(options: object = {}) {
  const paid: unknown[] = [];
  const pay = createTool({
    id: "pay",
    description: "Pay.",
    inputSchema: z.object({ cents: z.number() }),
    outputSchema: z.object({ receipt: z.string() }),
    ...options,
    execute: async (input) => {
      paid.push(input);
      return { receipt: "secret" };
    },
  });
  return { pay, paid };
}

describe("a tool whose result is withheld", () => {
  it("P10 is not run again by the retries of a workflow, which take up a denial", async () => {
    const { pay, paid } = payment();
    const observer = recordingObserver();
    const guarded = guardTool(pay, { guardrails: [strict()], observers: [observer] });
    const workflow = createWorkflow({
      id: "paying",
      inputSchema: z.object({ cents: z.number() }),
      outputSchema: z.object({ receipt: z.string() }),
      retryConfig: { attempts: 3, delay: 0 },
    })
      .then(createStep(guarded))
      .commit();
    new Mastra({ workflows: { workflow }, storage: new InMemoryStore(), logger: false });
    const result = await (await workflow.createRun()).start({ inputData: { cents: 5 } });
    expect(result).toMatchObject({
      status: "failed",
      error: { message: "Tool result withheld: a secret", code: "ERR_DENIED" },
    });
    expect(paid).toEqual([{ cents: 5 }]);
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["denied", "withheld"]);
  });

  it.each(["guardTools", "guardHooks"])(
    "P10 is not run again by the retries of a background task, behind %s",
    async (seam) => {
      const { pay, paid } = payment({ background: { enabled: true, maxRetries: 3 } });
      const observer = recordingObserver();
      const guarding = { guardrails: [strict()], observers: [observer] };
      const agent = agentOf(
        asking([
          ["pay", { cents: 5 }, "c1"],
          ["pay", { cents: 6 }, "c2"],
        ]),
        seam === "guardTools"
          ? { tools: guardTools({ pay }, guarding) }
          : { tools: { pay }, hooks: guardHooks(guarding) },
      );
      const mastra = new Mastra({
        agents: { agent },
        storage: new InMemoryStore(),
        logger: false,
        backgroundTasks: { enabled: true },
      });
      await agent.generate("pay", { memory: { thread: "t1", resource: "ann" } });
      await expect
        .poll(async () => {
          const { tasks } = (await mastra.backgroundTaskManager?.listTasks()) ?? { tasks: [] };
          return tasks.map(({ status, error }) => [status, error?.message]);
        })
        .toEqual(Array(2).fill(["failed", "Tool result withheld: a secret"]));
      expect(paid).toHaveLength(2);
      const statuses = observer.records.map(({ outcome }) => outcome?.status);
      expect(statuses.toSorted()).toEqual(["denied", "withheld", "withheld"]);
    },
  );
});
