// The proxy, with an allowlist, a schema check and a rate limit for guards.
import { allowlist } from "@toolstile/allowlist";
import { startStdioProxy } from "@toolstile/mcp/proxy";
import { rateLimit } from "@toolstile/rate-limit";
import { schemaValidation } from "@toolstile/schema";

const [command, ...args] = process.argv.slice(2);
const proxy = await startStdioProxy({
  command,
  args,
  guardrails: [
    allowlist([process.env.TOOLSTILE_BENCH_TOOL ?? "send_mail"]),
    schemaValidation(),
    rateLimit({ limit: 1_000_000_000, windowMs: 60_000 }),
  ],
});
process.exitCode = (await proxy.exited).code ?? 1;
