import { EventEmitter } from "eventemitter3";
import { ToolstileError } from "../errors/error.js";
import { warnOfFault } from "../errors/fault-warning.js";
import { didYouMean, quoted } from "../errors/names.js";
import { typeOf, wrongValue } from "../errors/option-error.js";
import {
  type CallRecord,
  type OutcomeStatus,
  outcomeStatuses,
  type ToolOutcome,
} from "../protocol/outcome.js";
import { isThenable } from "../time/wait.js";
import type { Fault } from "./faults.js";

/** The events of a runner, and the listeners that they call. */
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

/** The record of a call that ended with a certain status. */
export type SettledRecord<Status extends OutcomeStatus = OutcomeStatus> = CallRecord & {
  readonly outcome: Extract<ToolOutcome, { readonly status: Status }>;
};
export type EventName = keyof RunnerEvents;

const names: readonly EventName[] = ["settled", "fault", ...outcomeStatuses];

type Listener = (event: unknown) => unknown;
type Tell = (event: unknown) => void;

/** The listeners of one event. They stand behind one entry of the emitter, which copies its list for each that goes. */
class Audience {
  /** The place of each listener: a number that none had before, because a Map that one key enters and leaves again and again slows down. */
  readonly #places = new WeakMap<Listener, number>();
  /** In order, the functions that tell the listeners. */
  readonly #tells = new Map<number, Tell>();
  /** The same, in a list that stays as it is while they are called. */
  #told: readonly Tell[] | undefined;
  #lastPlace = 0;

  readonly tell = (event: unknown): void => {
    this.#told ??= [...this.#tells.values()];
    for (const tell of this.#told) tell(event);
  };

  get isEmpty(): boolean {
    return this.#tells.size === 0;
  }

  has(listener: Listener): boolean {
    return this.#places.has(listener);
  }

  add(listener: Listener, tell: Tell): void {
    this.#places.set(listener, ++this.#lastPlace);
    this.#tells.set(this.#lastPlace, tell);
    this.#told = undefined;
  }

  /** Removes a listener; with `tell`, only if it is told by this function. */
  remove(listener: Listener, tell?: Tell): void {
    const place = this.#places.get(listener);
    if (place === undefined || (tell ?? this.#tells.get(place)) !== this.#tells.get(place)) return;
    this.#places.delete(listener);
    this.#tells.delete(place);
    this.#told = undefined;
  }
}

/** An emitter whose listeners can neither stop a run, nor delay it, nor starve each other. Its parent's listeners hear all of it too. */
export class Events {
  readonly #emitter = new EventEmitter();
  readonly #audiences = new Map<EventName, Audience>();
  readonly #failed: (name: EventName, error: unknown) => void;
  readonly #parent: Events | undefined;

  /** @param failed is given the error of a listener that threw or rejected. */
  constructor(failed: (name: EventName, error: unknown) => void, parent?: Events) {
    this.#failed = failed;
    this.#parent = parent;
  }

  /** True if there is a listener. */
  get observed(): boolean {
    return this.#audiences.size > 0 || this.#parent?.observed === true;
  }

  hears(name: EventName): boolean {
    return this.#audiences.has(name) || this.#parent?.hears(name) === true;
  }

  /** @throws ToolstileError `ERR_UNKNOWN_OPTION` for an unknown event. */
  on<Name extends EventName>(name: Name, listener: RunnerEvents[Name]): void {
    this.#attach(name, listener as Listener, false);
  }

  once<Name extends EventName>(name: Name, listener: RunnerEvents[Name]): void {
    this.#attach(name, listener as Listener, true);
  }

  off<Name extends EventName>(name: Name, listener: RunnerEvents[Name]): void {
    this.#detach(name, listener as Listener);
  }

  emit<Name extends EventName>(name: Name, event: Parameters<RunnerEvents[Name]>[0]): void {
    this.#emitter.emit(name, event);
    if (this.#parent !== undefined) this.#parent.emit(name, event);
  }

  #attach(name: EventName, listener: Listener, once: boolean): void {
    if (!names.includes(name)) {
      throw new ToolstileError(
        "ERR_UNKNOWN_OPTION",
        `The event must be one of ${names.join(", ")}, received ${shownName(name)}`,
      );
    }
    if (typeof listener !== "function") {
      const where = `Listener for '${name}'`;
      throw wrongValue("ERR_INVALID_OPTION", where, "it", "a function", listener);
    }
    const audience = this.#audienceOf(name);
    if (audience.has(listener)) return;
    const failed = (error: unknown): void => {
      // The failure of a listener for faults is not a fault event again.
      if (name === "fault") warnOfFault("listener", name, error);
      else this.#failed(name, error);
    };
    let isOver = false;
    const tell = (event: unknown): void => {
      // A listener may cause the event again while it is told.
      if (isOver) return;
      if (once) {
        isOver = true;
        this.#detach(name, listener, tell);
      }
      try {
        const returned = listener(event);
        if (isThenable(returned)) Promise.resolve(returned).then(undefined, failed);
      } catch (error) {
        failed(error);
      }
    };
    audience.add(listener, tell);
  }

  #audienceOf(name: EventName): Audience {
    const known = this.#audiences.get(name);
    if (known !== undefined) return known;
    const audience = new Audience();
    this.#audiences.set(name, audience);
    this.#emitter.on(name, audience.tell);
    return audience;
  }

  #detach(name: EventName, listener: Listener, tell?: Tell): void {
    const audience = this.#audiences.get(name);
    audience?.remove(listener, tell);
    if (audience?.isEmpty !== true) return;
    this.#audiences.delete(name);
    this.#emitter.off(name, audience.tell);
  }
}

function shownName(name: unknown): string {
  if (typeof name !== "string") return `${typeOf(name)}.`;
  return `${quoted(name)}.${didYouMean(name, names)}`;
}
