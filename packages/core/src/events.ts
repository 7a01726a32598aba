import { EventEmitter } from "eventemitter3";
import type { CallRecord, OutcomeStatus } from "./protocol.js";

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
export type RunnerEvents = {
  /** Every call, however it ended. */
  settled: (record: CallRecord) => void;
  fault: (fault: Fault) => void;
} & { [Status in OutcomeStatus]: (record: CallRecord) => void };
export type EventName = keyof RunnerEvents;

/** An emitter whose listeners can neither stop a run, nor delay it, nor starve each other. */
export class Events {
  readonly #emitter = new EventEmitter();
  readonly #wrapped = new WeakMap<object, Map<EventName, (event: unknown) => void>>();
  #listeners = 0;

  /** Whether anybody listens. */
  get observed(): boolean {
    return this.#listeners > 0;
  }

  on<Name extends EventName>(name: Name, listener: RunnerEvents[Name]): void {
    const wrapped = this.#wrap(name, listener);
    if (this.#emitter.listeners(name).includes(wrapped)) return;
    this.#listeners++;
    this.#emitter.on(name, wrapped);
  }

  once<Name extends EventName>(name: Name, listener: RunnerEvents[Name]): void {
    const once = ((event: never) => {
      this.off(name, once);
      (listener as (event: never) => unknown)(event);
    }) as RunnerEvents[Name];
    this.on(name, once);
  }

  off<Name extends EventName>(name: Name, listener: RunnerEvents[Name]): void {
    const wrapped = this.#wrapped.get(listener)?.get(name);
    if (wrapped === undefined || !this.#emitter.listeners(name).includes(wrapped)) return;
    this.#listeners--;
    this.#emitter.off(name, wrapped);
  }

  emit<Name extends EventName>(name: Name, event: Parameters<RunnerEvents[Name]>[0]): void {
    this.#emitter.emit(name, event);
  }

  #wrap(name: EventName, listener: RunnerEvents[EventName]): (event: unknown) => void {
    const names = this.#wrapped.get(listener) ?? new Map();
    this.#wrapped.set(listener, names);
    const known = names.get(name);
    if (known !== undefined) return known;
    const failed = (error: unknown): void => {
      // A listener for faults that fails itself is not told of it again.
      if (name !== "fault") this.emit("fault", { source: "listener", phase: name, error });
    };
    const wrapped = (event: unknown): void => {
      try {
        const returned = (listener as (event: unknown) => unknown)(event);
        if (returned instanceof Promise) returned.catch(failed);
      } catch (error) {
        failed(error);
      }
    };
    names.set(name, wrapped);
    return wrapped;
  }
}
