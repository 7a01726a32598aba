import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { allow, deny, type JsonObject, modify, ToolRunner } from "../src/index.js";
import { guard, quota, spyTool } from "./support/runners.js";

describe("P12 calls that run at once, under any interleaving", () => {
  it("P12 each keeps its place, its arguments, its verdict and its result", {
    tags: "longer",
  }, async () => {
    const fates = fc.array(fc.constantFrom("done", "denied", "fails", "withheld", "modified"), {
      minLength: 2,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fates,
        fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
        async (scheduler, all, concurrency) => {
          const order: string[] = [];
          const records: string[] = [];
          const runner = new ToolRunner({
            tools: [
              spyTool("send", async (args) => {
                order.push(`run ${args.n}`);
                await scheduler.schedule(Promise.resolve(), `tool ${args.n}`);
                if (args.how === "fails") throw new Error(`failed ${args.n}`);
                return { n: args.n, mark: args.mark };
              }),
            ],
            guardrails: [
              guard("g", {
                evaluate: async ({ args }) => {
                  await scheduler.schedule(Promise.resolve(), `evaluate ${args.n}`);
                  if (args.how === "denied") return deny(`denied ${args.n}`);
                  return args.how === "modified" ? modify({ ...args, mark: args.n }) : allow();
                },
                admit: async ({ args }) => {
                  await scheduler.schedule(Promise.resolve(), `admit ${args.n}`);
                  order.push(`admit ${args.n}`);
                  return allow();
                },
                evaluateResult: async ({ args }, { structured }) => {
                  await scheduler.schedule(Promise.resolve(), `judge ${args.n}`);
                  if (args.how !== "fails") expect((structured as JsonObject).n).toBe(args.n);
                  return args.how === "withheld" ? deny(`withheld ${args.n}`) : allow();
                },
              }),
            ],
            observers: [
              {
                name: "observer",
                intent: async ({ args }) => {
                  await scheduler.schedule(Promise.resolve(), `intent ${args?.n}`);
                  order.push(`intent ${args?.n}`);
                },
                settle: async ({ callId }) => {
                  await scheduler.schedule(Promise.resolve(), `record ${callId}`);
                  records.push(callId);
                },
              },
            ],
          });
          const requests = all.map((how, n) => ({
            name: "send",
            arguments: { n, how },
            callId: `c${n}`,
          }));
          const running = runner.runAll(requests, { concurrency });
          await scheduler.waitIdle();
          const outcomes = await running;
          expect(outcomes.map(({ callId }) => callId)).toEqual(
            requests.map(({ callId }) => callId),
          );
          for (const [n, outcome] of outcomes.entries()) {
            const how = all[n];
            expect(outcome.askedArgs).toEqual({ n, how });
            if (how === "done") expect(outcome).toMatchObject({ value: { n } });
            if (how === "modified") expect(outcome).toMatchObject({ value: { n, mark: n } });
            if (how === "denied") expect(outcome).toMatchObject({ reason: `denied ${n}` });
            if (how === "withheld") expect(outcome).toMatchObject({ reason: `withheld ${n}` });
            if (how === "fails") expect(outcome.result.content).toBe(`failed ${n}`);
            const own = order.filter((what) => what.endsWith(` ${n}`));
            expect(own).toEqual(how === "denied" ? [] : [`admit ${n}`, `intent ${n}`, `run ${n}`]);
          }
          expect(records.sort()).toEqual(requests.map(({ callId }) => callId));
        },
      ),
      { numRuns: inject("long") ? 60 : 20 },
    );
  });

  it("P14 a quota taken in admit is neither exceeded nor lost", { tags: "longer" }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
        fc.integer({ min: 1, max: 4 }),
        async (scheduler, gates, most) => {
          const limit = quota("limit", most);
          let atOnce = 0;
          let worst = 0;
          const runner = new ToolRunner({
            tools: [
              spyTool("send", async () => {
                worst = Math.max(worst, ++atOnce);
                await scheduler.schedule(Promise.resolve(), "tool");
              }),
            ],
            guardrails: [
              guard("slow", {
                evaluate: async () => {
                  await scheduler.schedule(Promise.resolve(), "evaluate");
                  return allow();
                },
              }),
              limit,
              guard("gate", {
                admit: async ({ args }) => {
                  await scheduler.schedule(Promise.resolve(), "gate");
                  return args.opens === true ? allow() : deny("gate");
                },
              }),
            ],
          });
          const requests = gates.map((opens) => ({ name: "send", arguments: { opens } }));
          const running = runner.runAll(requests);
          await scheduler.waitIdle();
          const outcomes = await running;
          const ran = outcomes.filter(({ executed }) => executed === true).length;
          expect(worst).toBeLessThanOrEqual(most);
          expect(ran).toBeLessThanOrEqual(most);
          // What did not run has been given back.
          expect(limit.taken()).toBe(ran);
        },
      ),
      { numRuns: inject("long") ? 60 : 20 },
    );
  });
});
