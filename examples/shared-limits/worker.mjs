// One of the two processes: an agent with a guarded tool.
import { ToolRunner, tool } from "@toolstile/core";
import { rateLimit } from "@toolstile/rate-limit";
import { redisStore } from "@toolstile/rate-limit/redis";
import { Redis } from "ioredis";

const [, , kind, url, prefix, calls] = process.argv;
const client = kind === "redis" ? new Redis(url) : undefined;
// An error without a listener would end the process.
client?.on("error", () => {});
await client?.ping();

const limit = rateLimit({
  limit: 10,
  windowMs: 60_000,
  // The other process may have the processor: a late answer is a denial.
  ...(client && {
    store: redisStore({ client, prefix, timeoutMs: 2_000, firstTimeoutMs: 10_000 }),
  }),
});
const search = tool({ name: "search", execute: () => "found" });
const runner = new ToolRunner({ tools: [search], guardrails: [limit] });

process.send("ready");
process.once("message", async () => {
  const asked = Array.from({ length: Number(calls) }, () => runner.run({ name: "search" }));
  const outcomes = await Promise.all(asked);
  process.send(outcomes.filter(({ status }) => status === "executed").length);
  await runner.close();
  client?.disconnect();
});
