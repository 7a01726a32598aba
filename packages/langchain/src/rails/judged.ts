import {
  type AIMessage,
  type BaseMessage,
  isAIMessage,
  type ToolMessage,
} from "@langchain/core/messages";
import { digest } from "@toolstile/core/digest";
import { ownValue } from "@toolstile/core/provider";
import { callsOf } from "./chat-messages.js";
import { readContent } from "./content.js";

/** So many are remembered in this process. One that is forgotten is judged again. */
const most = 10_000;

/** For each message's id, a digest of the message as rails left it: part of the graph's state, which no caller of the graph can write. */
export type Marks = Readonly<Record<string, string>>;

/**
 * The messages that rails have judged.
 *
 * Whose history it is cannot be seen: the graph's own, or one that its caller
 * wrote, the model's answers and all. What is not known is judged.
 */
export class Judged {
  readonly #digests = new Set<string>();

  /** Remember these. */
  marks(messages: readonly BaseMessage[]): Marks {
    const marks: Record<string, string> = Object.create(null);
    for (const message of messages) {
      const known = digestOf(message);
      if (known === undefined) continue;
      this.#remember(known);
      if (typeof message.id === "string") marks[message.id] = known;
    }
    return { ...marks };
  }

  /**
   * True if it was judged as it is now.
   *
   * @param isOld - the model has answered it already. What it has not is judged, though it be word for word what was said before.
   */
  has(message: BaseMessage, marks: Marks | undefined, isOld: boolean): boolean {
    const known = digestOf(message);
    if (known === undefined) return false;
    const { id = "" } = message;
    return ownValue(marks, id) === known || (isOld && this.#digests.has(known));
  }

  #remember(known: string): void {
    this.#digests.delete(known);
    this.#digests.add(known);
    if (this.#digests.size > most) {
      this.#digests.delete(this.#digests.values().next().value as string);
    }
  }
}

/** Digests the parts of a message that rails read, and no others; undefined for a message that they cannot read. */
function digestOf(message: BaseMessage): string | undefined {
  const { name, additional_kwargs } = message;
  const { role, tool_call_id, status } = message as Partial<ToolMessage> & { role?: string };
  const ofAnswer = isAIMessage(message)
    ? [additional_kwargs, callsOf(message).map(({ id, name: called, args }) => [id, called, args])]
    : [];
  const { invalid_tool_calls = [] } = message as Partial<AIMessage>;
  const identity = [message.getType(), role, name, tool_call_id, status];
  try {
    const { shown, beside, others } = readContent(message.content);
    const all = [identity, shown, beside, others, ofAnswer, invalid_tool_calls];
    return digest(JSON.parse(JSON.stringify(all)));
  } catch {
    return undefined;
  }
}
