import type { OpenedCall } from "@toolstile/core/host";
import type { CallerAbort } from "@toolstile/core/provider";
import type { Deadlines } from "./deadline.js";
import type { Expectation } from "./replacement.js";
import type { HookInput, ToolHookInput } from "./sdk.js";

/** A call that was let through, until the model reads of it. */
export interface WaitingCall {
  readonly session: string;
  readonly agent: string | undefined;
  /** Ends the judges' time. */
  readonly abort: CallerAbort;
  /** Until its result is there. */
  opened: OpenedCall | undefined;
  /** A check that the model reads the replacement, where a result was replaced. */
  expectation?: Expectation | undefined;
  /** The reason for which the model must not read on. */
  stop?: string | undefined;
}

/** The calls that wait, by session and id. Each is over in bounded time, whatever the SDK says or leaves out. */
export class WaitingCalls {
  readonly #calls = new Map<string, { readonly call: WaitingCall; readonly cancel: () => void }>();
  readonly #deadlines: Deadlines;
  readonly #forMs: number;

  constructor(deadlines: Deadlines, forMs: number) {
    this.#deadlines = deadlines;
    this.#forMs = forMs;
  }

  get size(): number {
    return this.#calls.size;
  }

  has(input: HookInput, id: string): boolean {
    return this.#calls.has(keyOf(input, id));
  }

  add(input: ToolHookInput, call: WaitingCall): void {
    const key = keyOf(input, input.tool_use_id);
    const over = (): void => {
      this.#calls.delete(key);
      void settled(call);
    };
    this.#calls.set(key, { call, cancel: this.#deadlines.after(this.#forMs, over) });
  }

  get(input: HookInput, id: string): WaitingCall | undefined {
    return this.#calls.get(keyOf(input, id))?.call;
  }

  /** Forget the call. What has no result by now gets none: it settles as released. */
  async end(input: HookInput, id: string): Promise<void> {
    const key = keyOf(input, id);
    const waiting = this.#calls.get(key);
    if (waiting === undefined) return;
    this.#calls.delete(key);
    waiting.cancel();
    await settled(waiting.call);
  }

  /** Forget all calls of a session that has ended, or of one agent of it that has. */
  async endAll({ session_id, agent_id }: HookInput, whole: boolean): Promise<void> {
    const ended = [...this.#calls].filter(
      ([, { call }]) => call.session === session_id && (whole || call.agent === agent_id),
    );
    for (const [key, { cancel }] of ended) {
      this.#calls.delete(key);
      cancel();
    }
    await Promise.all(ended.map(([, { call }]) => settled(call)));
  }
}

/** Settles a call as released: the SDK did not say whether it ran. */
async function settled(call: WaitingCall): Promise<void> {
  const { opened } = call;
  call.opened = undefined;
  await opened?.close({ released: true });
}

function keyOf({ session_id }: HookInput, id: string): string {
  return `${String(session_id).length} ${session_id} ${id}`;
}
