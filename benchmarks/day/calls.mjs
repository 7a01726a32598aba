// Calls one at a time, past three guards: 20 tools, 10,000 sessions, one call in twenty denied.
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
    return {
      async run(count) {
        for (const end = number + count; number < end; number++) {
          const { status } = await runner.run(
            {
              name: names[number % names.length],
              arguments: { to: "ann@example.com", amount: 12 },
            },
            { context: { sessionId: `session_${number % 10_000}` } },
          );
          const wanted = number % names.length === 0 ? "denied" : "executed";
          if (status !== wanted) throw new Error(`A call was ${status}, and should be ${wanted}.`);
        }
      },
    };
  },
};
