import { type ToolContent, toolResult } from "@toolstile/core";
import type { OpenedCall } from "@toolstile/core/host";
import { ownText, ownValue } from "@toolstile/core/provider";

/** The calls of an assistant's turn that the guards let through, until each has its result. */
export class OpenTurn {
  /** No two that are open have one id: the runner sees to that. */
  readonly #open = new Map<string, OpenedCall>();
  /** Each name's calls in their order, also those that have been closed since. */
  readonly #named = new Map<string, Queue>();

  add(opened: OpenedCall): void {
    const { callId, requestedName } = opened.call;
    this.#open.set(callId, opened);
    const queue = this.#named.get(requestedName);
    if (queue === undefined) this.#named.set(requestedName, { calls: [opened], next: 0 });
    else queue.calls.push(opened);
  }

  /** Close the call that a recorded result answers, with that result and the identity it claims. */
  async answer(message: unknown): Promise<void> {
    const opened = this.#answeredBy(message);
    if (opened === undefined) return;
    this.#open.delete(opened.call.callId);
    await opened.close({
      value: toolResult({
        callId: ownText(message, "tool_call_id"),
        name: ownText(message, "name"),
        // A value that is not content makes the call a failed one. The linkage check reports it too.
        content: ownValue(message, "content") as ToolContent,
      }),
    });
  }

  /** Releases the open calls: they have no recorded result. */
  async release(): Promise<void> {
    const rest = [...this.#open.values()];
    this.#open.clear();
    this.#named.clear();
    for (const opened of rest) await opened.close({ released: true });
  }

  #answeredBy(message: unknown): OpenedCall | undefined {
    if (ownValue(message, "role") === "function")
      return this.#first(ownText(message, "name") ?? "");
    return this.#open.get(ownText(message, "tool_call_id") ?? "");
  }

  /** The first call of that name that is open still. */
  #first(name: string): OpenedCall | undefined {
    const queue = this.#named.get(name);
    if (queue === undefined) return undefined;
    for (; queue.next < queue.calls.length; queue.next++) {
      const opened = queue.calls[queue.next] as OpenedCall;
      if (this.#open.get(opened.call.callId) === opened) return opened;
    }
    return undefined;
  }
}

interface Queue {
  readonly calls: OpenedCall[];
  /** The index of the first call that may still be open. */
  next: number;
}
