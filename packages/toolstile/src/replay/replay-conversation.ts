import type { GuardrailProvider, ToolObserver } from "@toolstile/core";
import { checkLinkage } from "@toolstile/result-linkage";
import type { Conversation } from "./conversation.js";
import { ConversationGuard } from "./conversation-guard.js";
import { readTools } from "./declared-tools.js";
import type { ConversationReport, Finding } from "./finding.js";
import { OpenTurn } from "./open-turn.js";
import { isResult, requestedCalls } from "./requested-calls.js";

/** What is the same for all conversations of a replay. */
export interface ReplaySettings {
  /** Shared, so that a schema is compiled once. */
  readonly schema: GuardrailProvider;
  readonly observers: readonly ToolObserver[];
  readonly requireNames: boolean;
  /** Told of an observer that could not write its record. */
  readonly onUnrecorded: (error: unknown) => void;
}

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
  { schema, observers, requireNames, onUnrecorded }: ReplaySettings,
): Promise<ConversationReport> {
  const isDeclaring = tools.length > 0;
  const declared = readTools(tools);
  const guard = new ConversationGuard({
    tools: isDeclaring ? declared.tools : undefined,
    schema,
    observers,
    sessionId,
    onUnrecorded,
  });
  const turn = new OpenTurn();
  const findings: Finding[] = declared.faults.map((reason) => ({
    messageIndex: -1,
    code: "malformed_tool",
    reason,
  }));
  let calls = 0;
  let results = 0;
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
      const { faults, opened } = await guard.open(call);
      if (opened !== undefined) turn.add(opened);
      if (!isDeclaring) findings.push({ messageIndex, callIndex, ...noTools });
      for (const { code, reason } of faults)
        findings.push({ messageIndex, callIndex, code, reason });
    }
  }
  await turn.release();
  for (const { index, callIndex, code, reason } of checkLinkage(messages, { requireNames })) {
    findings.push({ messageIndex: index, callIndex, code, reason });
  }
  return { calls, results, findings: findings.sort(byPlace) };
}

const noTools = {
  code: "no_tools_declared",
  reason: "the conversation declares no tools, so whether this one was allowed is not known",
};

function byPlace(one: Finding, other: Finding): number {
  return one.messageIndex - other.messageIndex || (one.callIndex ?? -1) - (other.callIndex ?? -1);
}
