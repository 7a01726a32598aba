import { AIMessage } from "@langchain/core/messages";
import type { CheckResult } from "@toolstile/iorails";
import { callsOf, textOf } from "./chat-messages.js";
import { given } from "./input-rails.js";
import type { CheckedTurn, Rails } from "./rails.js";

/** What came of the model's answer. */
export interface AnswerFinding {
  readonly changed?: AIMessage;
  readonly blocked?: CheckResult;
}

/** Judge the model's answer: its calls by the rails on calls, and all that it says, arguments too, by output rails. */
export async function judgeOutput(
  rails: Rails,
  turn: CheckedTurn,
  answer: AIMessage,
): Promise<AnswerFinding> {
  const before = turn.messages.slice(0, -1);
  let message = answer;
  if (callsOf(answer).length > 0) {
    const called = await rails.check("tool_output", turn);
    if (called.status === "blocked") return { blocked: called };
    message = withCalls(message, called.messages.at(-1)?.["tool_calls"]);
    const content = spoken(message);
    const said = await rails.check(
      "output",
      { ...turn, messages: before },
      { role: "assistant", content },
    );
    // What a rail would have the arguments be, it says in no form that a tool takes.
    if (said.status !== "passed") return { blocked: { ...said, status: "blocked" } };
  }
  // A call without words says nothing that could be judged.
  if (textOf(message).trim() === "") return message === answer ? {} : { changed: message };
  const content = textOf(message);
  const said = await rails.check(
    "output",
    { ...turn, messages: before },
    { role: "assistant", content },
  );
  if (said.status === "blocked") return { blocked: said };
  if (said.content !== content) message = copyWith(message, { content: said.content });
  return message === answer ? {} : { changed: message };
}

/** Calls as the text that they are. */
function spoken(message: AIMessage): string {
  return callsOf(message)
    .map(({ name, args }) => `${name} ${JSON.stringify(args)}`)
    .join("\n");
}

/** The answer with the calls as rails have left them, and no copy of the old ones. */
function withCalls(message: AIMessage, toolCalls: unknown): AIMessage {
  const calls = callsOf(message);
  const asked = Array.isArray(toolCalls) ? toolCalls : [];
  const changed = calls.map((call, at) => {
    const args = JSON.parse(asked[at]?.function?.arguments ?? "null") ?? call.args;
    return JSON.stringify(args) === JSON.stringify(call.args) ? call : { ...call, args };
  });
  if (changed.every((call, at) => call === calls[at])) return message;
  const { tool_calls: _, ...additional_kwargs } = message.additional_kwargs;
  return copyWith(message, { tool_calls: changed, additional_kwargs, content: textOf(message) });
}

function copyWith(message: AIMessage, members: object): AIMessage {
  const { content, id, name, additional_kwargs, response_metadata } = message;
  const { tool_calls, invalid_tool_calls, usage_metadata } = message;
  const kept = { content, id, name, additional_kwargs, response_metadata };
  const fields = { ...kept, tool_calls, invalid_tool_calls, usage_metadata, ...members };
  return new AIMessage(given(fields) as never);
}
