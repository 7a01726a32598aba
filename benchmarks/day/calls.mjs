// Calls one at a time, past three guards: 20 tools, 10,000 sessions, one call in twenty denied.
import { createHistogram, PerformanceObserver } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { allowlist } from "@toolstile/allowlist";
import { ToolRunner } from "@toolstile/core";
import { rateLimit } from "@toolstile/rate-limit";
import { schemaValidation } from "@toolstile/schema";

const parameters = {
  type: "object",
  properties: { to: { type: "string" }, amount: { type: "number", minimum: 0 } },
  required: ["to"],
  additionalProperties: false,
};
const names = Array.from({ length: 20 }, (_, index) => `tool_${index}`);

export const part = {
  name: "guarded calls",
  total: 10_000_000,
  async start() {
    const runner = new ToolRunner({
      tools: names.map((name) => ({ name, parameters, execute: ({ to }) => to.length })),
      guardrails: [
        allowlist(names.slice(1)),
        schemaValidation(),
        rateLimit({ limit: 1_000_000, windowMs: 60_000 }),
      ],
    });
    let number = 0;
    const times = createHistogram();
    const pauses = createHistogram();
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) pauses.record(Math.round(duration * 1e6) + 1);
    });
    return {
      /** The times of the calls of the last run, in nanoseconds, and of the garbage collections under them. */
      tail() {
        const collecting = pauses.mean * pauses.count;
        const told = {
          p50: times.percentile(50),
          p99: times.percentile(99),
          p999: times.percentile(99.9),
          longest: times.max,
          collecting: Number.isNaN(collecting) ? 0 : collecting / (times.mean * times.count),
          longestPause: pauses.count === 0 ? 0 : pauses.max,
        };
        times.reset();
        pauses.reset();
        return told;
      },
      async run(count) {
        observer.observe({ entryTypes: ["gc"] });
        await calls(count);
        // What was observed is told by a later turn of the loop.
        for (let turn = 0; turn < 3; turn++) await setImmediate();
        observer.disconnect();
      },
    };
    async function calls(count) {
      for (const end = number + count; number < end; number++) {
        // As a host's loop does, which has others to serve.
        if (number % 512 === 0) await setImmediate();
        const started = process.hrtime.bigint();
        const { status } = await runner.run(
          { name: names[number % names.length], arguments: { to: "ann@example.com", amount: 12 } },
          { context: { sessionId: `session_${number % 10_000}` } },
        );
        times.record(process.hrtime.bigint() - started);
        const wanted = number % names.length === 0 ? "denied" : "executed";
        if (status !== wanted) throw new Error(`A call was ${status}, and should be ${wanted}.`);
      }
    }
  },
};
