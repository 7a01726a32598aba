/** One call of an assistant message. */
export interface TurnCall {
  /** The place of the call in its message; absent for the legacy `function_call`. */
  readonly callIndex: number | undefined;
  readonly id: string | undefined;
  /** True if it has an id that is not text. */
  readonly oddId: boolean;
  /** Absent where it cannot be read, so that the call is malformed. */
  readonly name: string | undefined;
  /** True if the name is absent because the call has two that differ. */
  readonly twoNames: boolean;
  /** As it stands in the message. */
  readonly raw: unknown;
  answered: boolean;
}

/** Calls in order, of which the first one open is found without a look at those before it again. */
class Queue {
  readonly calls: TurnCall[] = [];
  #answered = 0;

  firstOpen(): TurnCall | undefined {
    while (this.calls[this.#answered]?.answered === true) this.#answered += 1;
    return this.calls[this.#answered];
  }
}

/**
 * The calls of one turn that have one id: more than one where ids collide.
 *
 * Each is passed over once, so that however many collide, all their results
 * together cost what they would if none did.
 */
export class SameIdCalls {
  readonly #all = new Queue();
  /** Made only when ids collide, which they seldom do. */
  #byName: Map<unknown, Queue> | undefined;

  add(call: TurnCall): void {
    this.#all.calls.push(call);
    if (this.#all.calls.length === 1) return;
    if (this.#byName === undefined) {
      this.#byName = new Map();
      this.#addByName(this.#all.calls[0] as TurnCall);
    }
    this.#addByName(call);
  }

  /** The call that a result under this name answers: where ids collide, the name may still tell which is meant. */
  answeredBy(claimedName: unknown): TurnCall | undefined {
    return (
      this.#byName?.get(claimedName)?.firstOpen() ?? this.#all.firstOpen() ?? this.#all.calls[0]
    );
  }

  #addByName(call: TurnCall): void {
    const byName = this.#byName as Map<unknown, Queue>;
    const queue = byName.get(call.name) ?? new Queue();
    queue.calls.push(call);
    byName.set(call.name, queue);
  }
}
