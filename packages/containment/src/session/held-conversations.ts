import { type CallHead, type Conversation, conversationOf } from "@toolstile/core/provider";

const most = 256;

/**
 * The conversations of runs that wait for a human.
 *
 * A run that is resumed has the facts that the approver kept, and no conversation: it must be on no record.
 * Here the latest are kept in memory. After a restart there is none, and the run is judged without.
 */
export class HeldConversations {
  readonly #byRun = new Map<string, Conversation>();

  of({ runId, context }: CallHead): Conversation | undefined {
    return conversationOf(context) ?? this.#byRun.get(runId);
  }

  keep({ runId, context }: CallHead): void {
    const conversation = conversationOf(context);
    if (conversation === undefined) return;
    const [oldest] = this.#byRun.keys();
    if (this.#byRun.size >= most && oldest !== undefined) this.#byRun.delete(oldest);
    this.#byRun.set(runId, conversation);
  }
}
