import type { Clock } from "@toolstile/core";
import { valueWithin } from "@toolstile/core/provider";
import type { AskedApproval } from "../record/record.js";
import { render } from "../render/render.js";
import type { ApprovalPrompt, PromptAnswer } from "./prompt.js";
import { readAnswer } from "./read-answer.js";

/** The end of waiting for an answer, for one run. */
export type Waited =
  | { readonly end: "answered"; readonly answer: PromptAnswer }
  | { readonly end: "no answer" }
  | { readonly end: "expired" }
  | { readonly end: "left" };

interface OpenPrompt {
  readonly controller: AbortController;
  readonly runs: Map<string, (waited: Waited) => void>;
  readonly listeners: ((runs: number) => void)[];
}

/** Puts questions before somebody; those that are alike, and open at once, as one. */
export class SharedPrompts {
  readonly #prompt: ApprovalPrompt;
  readonly #clock: Clock;
  readonly #shown: () => void;
  readonly #open = new Map<string, OpenPrompt>();

  /** `shown` is called for each prompt, however many runs share it. */
  constructor(prompt: ApprovalPrompt, clock: Clock, shown: () => void) {
    this.#prompt = prompt;
    this.#clock = clock;
    this.#shown = shown;
  }

  /** Waits for the answer, at most until the question expires or the signal aborts. */
  wait(asked: AskedApproval, signal: AbortSignal): Promise<Waited> {
    const { id, likeness, expiresAt } = asked;
    const joined = this.#open.get(likeness);
    const open = joined ?? { controller: new AbortController(), runs: new Map(), listeners: [] };
    const answered = new Promise<Waited>((resolve) => void open.runs.set(id, resolve));
    if (joined === undefined) {
      this.#open.set(likeness, open);
      void this.#ask(asked, open);
    } else {
      for (const listener of open.listeners) tell(listener, open.runs.size);
    }
    const timeoutMs = expiresAt - this.#clock.now();
    return valueWithin({ clock: this.#clock, timeoutMs, caller: signal }, answered, (why) => {
      const waited: Waited = { end: why === "timeout" ? "expired" : "left" };
      this.#leave(likeness, open, id, waited);
      return waited;
    });
  }

  /** Ends all that is open; nothing of it is approved. */
  close(): void {
    for (const [likeness, open] of this.#open) {
      for (const id of open.runs.keys()) this.#leave(likeness, open, id, { end: "left" });
    }
  }

  async #ask(asked: AskedApproval, open: OpenPrompt): Promise<void> {
    const { question, expiresAt, likeness } = asked;
    const waited = await this.#answerOf({ question, expiresAt }, open);
    if (this.#open.get(likeness) === open) this.#open.delete(likeness);
    for (const end of open.runs.values()) end(waited);
    open.runs.clear();
  }

  async #answerOf(
    { question, expiresAt }: Pick<AskedApproval, "question" | "expiresAt">,
    { controller, runs, listeners }: OpenPrompt,
  ): Promise<Waited> {
    this.#shown();
    try {
      const answer = await this.#prompt.ask(
        Object.freeze({
          question,
          text: render(question, { expiresAt }),
          expiresAt,
          runs: () => runs.size,
          onJoin: (listener: (runs: number) => void) => {
            listeners.push(listener);
          },
        }),
        { signal: controller.signal },
      );
      const read = readAnswer(answer);
      return read === undefined ? { end: "no answer" } : { end: "answered", answer: read };
    } catch {
      // The cause may hold arguments, and the model reads why a call was denied.
      return { end: "no answer" };
    }
  }

  #leave(likeness: string, open: OpenPrompt, id: string, waited: Waited): void {
    const end = open.runs.get(id);
    open.runs.delete(id);
    end?.(waited);
    if (open.runs.size > 0) return;
    if (this.#open.get(likeness) === open) this.#open.delete(likeness);
    open.controller.abort();
  }
}

/** Calls a listener. Its error must not cost the run that joined its answer. */
function tell(listener: (runs: number) => void, runs: number): void {
  try {
    listener(runs);
  } catch {
    // Whoever shows the prompt shows an older number.
  }
}
