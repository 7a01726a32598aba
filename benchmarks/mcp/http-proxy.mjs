// The proxy over HTTP, in a process of its own: started with the upstream's address, it sends its own, and
// answers each message with the processor's time (µs) that it has used, and its heap after a collection.
import { allowlist } from "@toolstile/allowlist";
import { startHttpProxy } from "@toolstile/mcp/proxy";
import { rateLimit } from "@toolstile/rate-limit";
import { schemaValidation } from "@toolstile/schema";
import { heapUsed } from "@toolstile/testing/heap";

const [upstream] = process.argv.slice(2);
const proxy = await startHttpProxy({
  upstream,
  maxSessions: 100_000,
  guardrails: [
    allowlist([{ pattern: "tool_*" }]),
    schemaValidation(),
    rateLimit({ limit: 1_000_000_000, windowMs: 60_000 }),
  ],
});

process.on("message", async (asked) => {
  if (asked === "heap") {
    // What is to be dropped is dropped once callbacks that tell of it have run.
    for (let turn = 0; turn < 5; turn++) {
      heapUsed();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    process.send({ heap: heapUsed() });
    return;
  }
  const { user, system } = process.cpuUsage();
  process.send({ cpu: user + system });
});
process.on("disconnect", () => process.exit());
process.send({ url: proxy.url });
