import { EventEmitter } from "eventemitter3";
import { ToolstileError } from "./errors.js";
import { didYouMean, quoted } from "./naming.js";
import type { CallRecord, OutcomeStatus, ToolOutcome } from "./protocol.js";
import { isThenable } from "./thenable.js";

/** Something that a provider, an observer or a listener did wrong, for operators. */
export interface Fault {
  /** Whose it was: its name, or "listener". */
  readonly source: string;
  /** What it was being asked or told. */
  readonly phase: string;
  /** What was thrown. May hold arguments or secrets. */
  readonly error: unknown;
}

/** The name of every event, and what its listeners are given. */
export interface RunnerEvents {
  /** Every call, however it ended. */
  settled: (record: SettledRecord) => void;
  fault: (fault: Fault) => void;
  executed: (record: SettledRecord<"executed">) => void;
  failed: (record: SettledRecord<"failed">) => void;
  withheld: (record: SettledRecord<"withheld">) => void;
  denied: (record: SettledRecord<"denied">) => void;
  invalid: (record: SettledRecord<"invalid">) => void;
  not_found: (record: SettledRecord<"not_found">) => void;
  aborted: (record: SettledRecord<"aborted">) => void;
  unknown: (record: SettledRecord<"unknown">) => void;
  released: (record: SettledRecord<"released">) => void;
}

/** The record of a call that ended in a certain way. */
export type SettledRecord<Status extends OutcomeStatus = OutcomeStatus> = CallRecord & {
  readonly outcome: Extract<ToolOutcome, { readonly status: Status }>;
};
export type EventName = keyof RunnerEvents;

/** Every way in which a call can end. */
export const outcomeStatuses = [
  "executed",
  "failed",
  "withheld",
  "denied",
  "invalid",
  "not_found",
  "aborted",
  "unknown",
  "released",
] as const satisfies readonly OutcomeStatus[];

const names: readonly EventName[] = ["settled", "fault", ...outcomeStatuses];

type Listener = (event: unknown) => unknown;

/** An emitter whose listeners can neither stop a run, nor delay it, nor starve each other. */
export class Events {
  readonly #emitter = new EventEmitter();
  /** What calls each listener that there is, by the event. */
  readonly #attached = new WeakMap<object, Map<EventName, (event: unknown) => void>>();
  readonly #failed: (name: EventName, error: unknown) => void;
  #listeners = 0;

  /** @param failed told of what a listener threw or rejected with. */
  constructor(failed: (name: EventName, error: unknown) => void) {
    this.#failed = failed;
  }

  /** Whether anybody listens. */
  get observed(): boolean {
    return this.#listeners > 0;
  }

  /** @throws ToolstileError `ERR_UNKNOWN_OPTION` for an event that there is not. */
  on<Name extends EventName>(name: Name, listener: RunnerEvents[Name]): void {
    this.#attach(name, listener as Listener, false);
  }

  once<Name extends EventName>(name: Name, listener: RunnerEvents[Name]): void {
    this.#attach(name, listener as Listener, true);
  }

  off<Name extends EventName>(name: Name, listener: RunnerEvents[Name]): void {
    const attached = this.#attached.get(listener);
    const caller = attached?.get(name);
    if (caller === undefined) return;
    attached?.delete(name);
    this.#listeners--;
    this.#emitter.off(name, caller);
  }

  emit<Name extends EventName>(name: Name, event: Parameters<RunnerEvents[Name]>[0]): void {
    this.#emitter.emit(name, event);
  }

  #attach(name: EventName, listener: Listener, once: boolean): void {
    if (!names.includes(name)) {
      throw new ToolstileError(
        "ERR_UNKNOWN_OPTION",
        `There is no event ${quoted(String(name))}.${didYouMean(String(name), names)} There are: ${names.join(", ")}.`,
      );
    }
    if (typeof listener !== "function") {
      throw new ToolstileError("ERR_INVALID_OPTION", `A listener for '${name}' is a function.`);
    }
    const attached = this.#attached.get(listener) ?? new Map();
    this.#attached.set(listener, attached);
    if (attached.has(name)) return;
    const failed = (error: unknown): void => {
      // A listener for faults that fails itself is not told of it again.
      if (name !== "fault") this.#failed(name, error);
    };
    const caller = (event: unknown): void => {
      if (once) this.off(name, listener as never);
      try {
        const returned = listener(event);
        if (isThenable(returned)) Promise.resolve(returned).then(undefined, failed);
      } catch (error) {
        failed(error);
      }
    };
    attached.set(name, caller);
    this.#listeners++;
    this.#emitter.on(name, caller);
  }
}
