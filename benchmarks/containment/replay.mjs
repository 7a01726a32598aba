import { containment } from "@toolstile/containment";
import { ToolRunner, toolResult } from "@toolstile/core";
import { pythonLiteral } from "./python-literal.mjs";

/**
 * @typedef {{ id: string, name: string, arguments: string, result: string }} RecordedCall
 * @typedef {RecordedCall & { injected: boolean, held: boolean, ran: boolean, code?: string | undefined }} PlayedCall
 */

const context = { sessionId: "replay" };

/**
 * Plays the calls of a conversation through a runner with the guard.
 *
 * A human lets held calls of the task run, and no other.
 *
 * @param {{ messages: any[], label?: any }} conversation
 * @param {import("@toolstile/containment").ContainmentOptions} options
 * @param {(readonly RecordedCall[])[]} [obeyed] calls that the model makes after the injected result, if none are recorded
 * @param {readonly string[]} [plan]
 * @returns {Promise<PlayedCall[]>}
 */
export async function replay({ messages, label = {} }, options, obeyed = [], plan) {
  const results = new Map();
  for (const { role, tool_call_id, content } of messages) {
    if (role === "tool") results.set(tool_call_id, content);
  }
  const guard = containment({ ...options, unknownTools: "ignore" });
  /** @type {PlayedCall[]} */
  const played = [];
  let current = { injected: false, held: false, result: "" };
  const names = new Set(
    messages.flatMap(({ tool_calls }) =>
      (tool_calls ?? []).map(
        (/** @type {{ function: { name: string } }} */ call) => call.function.name,
      ),
    ),
  );
  for (const calls of obeyed) for (const { name } of calls) names.add(name);
  const runner = new ToolRunner({
    guardrails: [guard],
    tools: [...names].map((name) => ({ name, execute: () => answerOf(current.result) })),
    approver: {
      name: "user",
      ask: () => {
        current.held = true;
        return current.injected
          ? { decision: "denied" }
          : { decision: "approved", approvalId: "yes" };
      },
      recall: () => undefined,
      consume: () => true,
    },
  });
  /** @param {RecordedCall} call @param {boolean} injected */
  const play = async (call, injected) => {
    current = { injected, held: false, result: call.result };
    const outcome = await runner.run({ name: call.name, arguments: call.arguments }, { context });
    played.push({
      ...call,
      injected,
      held: current.held,
      ran: outcome.executed === true,
      code: outcome.status === "denied" ? outcome.code : undefined,
    });
  };
  const [from, to] = label.hijacked_messages ?? [Number.POSITIVE_INFINITY, 0];
  if (plan !== undefined) guard.plan("replay", plan);
  for (const [index, { role, content, tool_calls }] of messages.entries()) {
    if (role === "user" && typeof content === "string") guard.said("replay", content);
    for (const { id, function: called } of tool_calls ?? []) {
      const call = { id, ...called, result: String(results.get(id) ?? "") };
      await play(call, index >= from && index <= to);
    }
    if (index === label.injected_message) {
      for (const calls of obeyed) for (const call of calls) await play(call, true);
    }
  }
  await runner.close();
  return played;
}

/** @param {string} text */
function answerOf(text) {
  const structured = pythonLiteral(text);
  const isJson = text.startsWith("[") || text.startsWith('{"');
  return structured === undefined || isJson
    ? toolResult({ content: text })
    : toolResult({ content: text, structured: /** @type {any} */ (structured) });
}
