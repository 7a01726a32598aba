import type { AIMessage } from "@langchain/core/messages";
import type { CheckResult } from "@toolstile/iorails";
import { besideAnswer } from "./beside.js";
import { callsOf, copyOf, messageText, spokenCalls } from "./chat-messages.js";
import type { CheckedTurn, RailFamily, Rails } from "./rails.js";
import { withoutWords } from "./words.js";

/** The findings about the model's answer. */
export interface AnswerFinding {
  readonly changed?: AIMessage;
  readonly blocked?: CheckResult;
}

/**
 * Judge the model's answer: its calls by the rails on calls, and all that it
 * says by output rails, arguments, thoughts and refusals too.
 *
 * @param turn - the conversation, the answer being its last message.
 * @param runsTools - false of calls that are a structured answer, and run no tool.
 * @throws TypeError for what no rail can read.
 */
export async function judgeOutput(
  rails: Rails,
  turn: CheckedTurn,
  answer: AIMessage,
  runsTools: boolean,
): Promise<AnswerFinding> {
  const before = { ...turn, messages: turn.messages.slice(0, -1) };
  const judge = (content: string, family: RailFamily = "output") =>
    rails.check(family, before, { role: "assistant", content });
  // Read before anything of it is changed: what a provider repeats of a call is known by the call.
  const beside = besideAnswer(answer);
  let message = answer;
  if (callsOf(answer).length > 0) {
    if (runsTools) {
      const called = await rails.check("tool_output", turn);
      if (called.status === "blocked") return { blocked: called };
      message = withCalls(message, called.messages.at(-1)?.["tool_calls"]);
    }
    const said = await judge(spokenCalls(message));
    // What a rail would have the arguments be, it says in no form that a tool takes.
    if (said.status !== "passed") return { blocked: { ...said, status: "blocked" } };
  }
  if (beside !== "") {
    const said = await judge(beside);
    if (said.status !== "passed") return { blocked: { ...said, status: "blocked" } };
  }
  const content = messageText(message);
  // A call without words says nothing that could be judged.
  if (content.trim() !== "") {
    const said = await judge(content);
    if (said.status === "blocked") return { blocked: said };
    if (said.content !== content) message = withText(message, said.content);
  }
  return message === answer ? {} : { changed: message };
}

/** By what the provider says beside a text, it could still be read as it was. */
function withText(message: AIMessage, content: string): AIMessage {
  const { additional_kwargs, response_metadata } = message;
  return copyOf(message, {
    content,
    additional_kwargs: withoutWords(additional_kwargs),
    response_metadata: withoutWords(response_metadata),
  });
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
  const { tool_calls: _, function_call: __, ...additional_kwargs } = message.additional_kwargs;
  return copyOf(message, { tool_calls: changed, additional_kwargs, content: messageText(message) });
}
