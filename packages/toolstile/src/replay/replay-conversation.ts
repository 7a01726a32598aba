import { checkLinkage, type LinkageOptions } from "@toolstile/result-linkage";
import { stops } from "../policy/ruling.js";
import type { Conversation } from "../traffic/conversation.js";
import { isResult, requestedCalls } from "../traffic/requested-calls.js";
import type { ConversationReport, Finding } from "./finding.js";
import type { Guards } from "./guards.js";
import { OpenTurn } from "./open-turn.js";
import type { RuledCall } from "./policy-tally.js";

/**
 * Put a recorded conversation before the guards once more.
 *
 * Turn by turn: the calls of an assistant's message are opened together, each
 * is closed with its recorded result, and what has none by the next turn is
 * released.
 */
export async function replayConversation(
  { tools, messages }: Conversation,
  sessionId: string,
  guards: Guards,
  options: LinkageOptions,
): Promise<ConversationReport> {
  const called = () => messages.flatMap(requestedCalls).flatMap(({ name }) => name ?? []);
  const { guard, faults } = guards.of(tools, () => [...new Set(called())]);
  const ruled: RuledCall[] = [];
  const turn = new OpenTurn();
  const findings: Finding[] = faults.map((reason) => ({
    messageIndex: -1,
    code: "malformed_tool",
    reason,
  }));
  let calls = 0;
  let results = 0;
  try {
    for (const [messageIndex, message] of messages.entries()) {
      if (isResult(message)) {
        results++;
        await turn.answer(message);
        continue;
      }
      const requested = requestedCalls(message);
      if (requested.length === 0) continue;
      calls += requested.length;
      await turn.release();
      for (const call of requested) {
        const { callIndex } = call;
        const hear = (ruling: RuledCall): void => {
          ruled.push(ruling);
          for (const stop of stopsIn(ruling)) findings.push({ messageIndex, callIndex, ...stop });
        };
        const { faults, opened } = await guard.open(call, { sessionId }, hear);
        if (opened !== undefined) turn.add(opened);
        if (tools.length === 0 && !guards.isPolicy)
          findings.push({ messageIndex, callIndex, ...noTools });
        for (const { code, reason } of faults)
          findings.push({ messageIndex, callIndex, code, reason });
      }
    }
  } finally {
    // Also of a conversation that cannot be gone on with, each call that was opened is on record.
    await turn.release();
  }
  const unread = new Set<number>();
  for (const { index, callIndex, code, reason } of checkLinkage(messages, options)) {
    findings.push({ messageIndex: index, callIndex, code, reason });
    const isUnread =
      code === "malformed_message" || (code === "malformed_calls" && callIndex === undefined);
    if (isUnread) unread.add(index);
  }
  return { calls, results, unread: unread.size, findings: findings.sort(byPlace), ruled };
}

/** The rulings that would have stopped a call or its result. */
function stopsIn({ rulings }: RuledCall): readonly Pick<Finding, "code" | "reason">[] {
  return rulings
    .filter(({ verdict, shadow }) => !shadow && stops.has(verdict))
    .map(({ code, guard, reason }) => ({ code: code ?? guard, reason }));
}

const noTools = {
  code: "no_tools_declared",
  reason: "the conversation declares no tools, so whether this one was allowed is not known",
};

function byPlace(one: Finding, other: Finding): number {
  return one.messageIndex - other.messageIndex || (one.callIndex ?? -1) - (other.callIndex ?? -1);
}
