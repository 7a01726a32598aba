import { AIMessage, type BaseMessage, isAIMessage, ToolMessage } from "@langchain/core/messages";
import { ownValue } from "@toolstile/core/provider";
import { callsOf, copyOf } from "./chat-messages.js";

/** In the additional_kwargs of what was blocked: the model is not shown it in later turns. */
const hidden = "toolstile_blocked";

export function hiddenAnswer(content: string): AIMessage {
  return new AIMessage({ content, additional_kwargs: { [hidden]: true } });
}

/** Hides blocked messages from the model; people can still read them. The result of a visible call stays, without its text. */
export function withheld(messages: readonly BaseMessage[], text: string): readonly BaseMessage[] {
  const gone = messages
    .filter((each) => isAIMessage(each))
    .flatMap((each) => callsOf(each as AIMessage));
  return messages.map((message) => {
    const { id, name, additional_kwargs } = message;
    if (ToolMessage.isInstance(message) && !gone.some((call) => call.id === message.tool_call_id)) {
      const { tool_call_id } = message;
      return new ToolMessage(
        given({ id, name, tool_call_id, content: text, status: "error" }) as never,
      );
    }
    return copyOf(message, { additional_kwargs: { ...additional_kwargs, [hidden]: true } });
  });
}

export function isHidden({ additional_kwargs }: BaseMessage): boolean {
  return ownValue(additional_kwargs, hidden) === true;
}

export function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
