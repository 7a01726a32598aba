import { type OpenedCall, type ToolContent, toolResult } from "@toolstile/core";
import { own, ownText } from "./own-property.js";

/** The calls of an assistant's turn that the guards let through, until each has its result. */
export class OpenTurn {
  #open: OpenedCall[] = [];

  add(call: OpenedCall): void {
    this.#open.push(call);
  }

  /** Close the call that a recorded result answers, with that result and the identity it claims. */
  async answer(message: unknown): Promise<void> {
    const call = this.#answeredBy(message);
    if (call === undefined) return;
    this.#open = this.#open.filter((each) => each !== call);
    await call.close({
      value: toolResult({
        callId: ownText(message, "tool_call_id"),
        name: ownText(message, "name"),
        // What is no content makes the call a failed one; the linkage check says so too.
        content: own(message, "content") as ToolContent,
      }),
    });
  }

  /** Close what is open: nobody recorded what became of it. */
  async release(): Promise<void> {
    const rest = this.#open;
    this.#open = [];
    for (const call of rest) await call.close({ released: true });
  }

  #answeredBy(message: unknown): OpenedCall | undefined {
    const id = ownText(message, "tool_call_id");
    const name = ownText(message, "name");
    if (own(message, "role") === "function") {
      return this.#open.find(({ call }) => call.requestedName === name);
    }
    return this.#open.find(({ call }) => call.callId === id);
  }
}
