import type { JsonLimits } from "../json/snapshot.js";
import { type CallerSignal, listen, unlisten } from "../time/abort.js";
import type { Clock } from "../time/clock.js";
import type { Bounds } from "../time/wait.js";

/** A function that is told of faults of providers, observers and listeners. For operators only. */
export type FaultReport = (source: string, phase: string, error: unknown) => void;

/** The terms that hold for all calls of one runner. */
export interface Terms {
  readonly clock: Clock;
  readonly limits: JsonLimits;
  /** Milliseconds that one answer may take, unless its provider says otherwise. */
  readonly timeoutMs: number;
  readonly report: FaultReport;
}

/** The terms of one call, and its end. */
export class Scope {
  readonly terms: Terms;
  /** The caller's own signal. */
  readonly caller: CallerSignal | undefined;
  #controller: AbortController | undefined;
  #ended: { readonly reason: unknown } | undefined;
  #follow: (() => void) | undefined;
  #aborted = false;

  constructor(terms: Terms, caller: CallerSignal | undefined) {
    this.terms = terms;
    this.caller = caller;
  }

  /** True from the first time that the caller's signal says so. */
  get aborted(): boolean {
    try {
      this.#aborted ||= this.caller?.aborted === true;
    } catch {
      // A signal that throws when it is asked does not say that the call may go on.
      this.#aborted = true;
    }
    return this.#aborted;
  }

  /** The bounds of a wait for an answer. */
  bounds(timeoutMs: number = this.terms.timeoutMs): Bounds {
    return { clock: this.terms.clock, timeoutMs, caller: this.caller };
  }

  /** The bounds of a wait that an abort of the caller does not end. */
  deadline(timeoutMs: number = this.terms.timeoutMs): Bounds {
    return { clock: this.terms.clock, timeoutMs, caller: undefined };
  }

  report(source: string, phase: string, error: unknown): void {
    this.terms.report(source, phase, error);
  }

  /** The call's signal. It is made when first read: a controller costs as much as the rest of a guarded call. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#ended !== undefined) this.#controller.abort(this.#ended.reason);
      else if (this.caller?.aborted === true) this.#controller.abort(this.caller.reason);
      else this.#followCaller();
    }
    return this.#controller.signal;
  }

  #followCaller(): void {
    if (this.caller === undefined) return;
    const { caller } = this;
    this.#follow = () => this.end(caller.reason);
    listen(caller, this.#follow);
  }

  /** Aborts the signal: the answer is no longer wanted. */
  end(reason: unknown): void {
    if (this.#ended !== undefined) return;
    this.#ended = { reason };
    this.#controller?.abort(reason);
  }

  /** Lets go of the caller's signal, which may live as long as the process. */
  release(): void {
    if (this.#follow !== undefined && this.caller !== undefined) {
      unlisten(this.caller, this.#follow);
    }
    // A signal that is first read from now on must not listen to the caller's for ever.
    if (this.#controller === undefined) this.#ended ??= over;
  }

  /** A scope that the same caller can end, and whose own end leaves this one alone. */
  child(): Scope {
    return new Scope(this.terms, this.caller);
  }
}

/** The reason in the aborted signal of a call that is over. Made once: an error costs as much as a call. */
const over = Object.freeze({ reason: new Error("the call is over") });
