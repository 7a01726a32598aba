import { allowlist } from "@toolstile/allowlist";
import { auditLog, jsonLines } from "@toolstile/audit-log";
import { forTools, type ToolOutcome, ToolRunner } from "@toolstile/core";
import { rateLimit } from "@toolstile/rate-limit";
import { resultLinkage } from "@toolstile/result-linkage";
import { schemaValidation } from "@toolstile/schema";
import { mailOnlyTo, noCardNumbers, refundLimit } from "./policies.js";
import { requests, type Turn } from "./script.js";
import { type Deed, shop } from "./shop.js";

/** One call that the agent made: what the guards made of it, and what the shop did. */
export interface Act {
  readonly outcome: ToolOutcome;
  /** Absent: no tool ran. */
  readonly deed: Deed | undefined;
}

/**
 * Play the model's turns against the shop, with guards in between.
 *
 * This is all there is to using the library: tools, guards, a log, and `run`
 * or `runAll` where the agent would have called the tool.
 */
export async function* guardedAgent(
  turns: readonly Turn[],
  auditPath: string,
): AsyncGenerator<{ readonly turn: Turn; readonly acts: readonly Act[] }> {
  const { tools, deeds } = shop();
  await using runner = new ToolRunner({
    tools,
    guardrails: [
      allowlist(tools.map(({ name }) => name)),
      schemaValidation(),
      forTools(["send_mail"], mailOnlyTo("mara@example.com")),
      forTools(["refund"], refundLimit(50)),
      forTools(["search_books"], rateLimit({ limit: 3, windowMs: 60_000 })),
      resultLinkage(),
      noCardNumbers(),
    ],
    observers: [auditLog({ sink: jsonLines(auditPath), required: true })],
    policyVersion: "shop-1",
  });
  let asked = 0;
  for (const turn of turns) {
    const outcomes = await runner.runAll(requests(turn, asked), {
      agentName: "support",
      context: { sessionId: "chat-1", principal: "mara" },
    });
    asked += outcomes.length;
    const acts = outcomes.map((outcome) => ({
      outcome,
      deed: deeds.find(({ callId }) => callId === outcome.callId),
    }));
    yield { turn, acts };
  }
}
