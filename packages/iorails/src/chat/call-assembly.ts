import type { Refusal } from "./answer.js";
import type { CallFragment } from "./call-fragment.js";
import { CallBudget, GrowingCall } from "./growing-call.js";
import type { AskedCall } from "./message.js";

const mostCalls = 1_000;
/** UTF-16 code units that ids, names and arguments of all calls may have together. */
const mostCallChars = 4 * 1024 * 1024;

/**
 * The calls of one answer, put together from whole entries or from pieces.
 *
 * Which call a piece belongs to, its `index` says, then its `id`; what both
 * leave open is refused, as a guess could give one call the arguments of
 * another.
 */
export class CallAssembly {
  readonly #refuse: Refusal;
  readonly #budget: CallBudget;
  readonly #calls: GrowingCall[] = [];
  /** The call of each index that was last spoken of: servers that number every call 0 send one after the other. */
  readonly #byIndex = new Map<number, GrowingCall>();
  readonly #byId = new Map<string, GrowingCall[]>();
  #legacy: GrowingCall | undefined;

  constructor(refuse: Refusal) {
    this.#refuse = refuse;
    this.#budget = new CallBudget(mostCallChars, refuse);
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** Take the calls of a whole message, where each entry is a call. */
  takeWhole(entries: readonly CallFragment[], legacy: CallFragment | undefined): void {
    for (const entry of entries) this.#grow(this.#open(), entry);
    this.#takeLegacy(legacy);
  }

  /** Take the pieces of one delta. */
  takePieces(pieces: readonly CallFragment[], legacy: CallFragment | undefined): void {
    const unmarked = pieces.filter(({ index, id }) => index === undefined && id === undefined);
    if (unmarked.length > 1) throw this.#refuse("tool calls have neither an index nor an id");
    if (pieces.length > 0 && this.#legacy !== undefined) throw this.#refuse(twoForms);
    for (const piece of pieces) this.#grow(this.#callOf(piece), piece);
    this.#takeLegacy(legacy);
  }

  /** In the order of their indexes; in that of their coming where one has none. */
  calls(): readonly AskedCall[] {
    const calls = [...this.#calls];
    if (calls.every(({ index }) => index !== undefined)) {
      calls.sort((one, other) => Number(one.index) - Number(other.index));
    }
    return calls.map((call) => call.asked());
  }

  #callOf(piece: CallFragment): GrowingCall {
    const { index, id } = piece;
    const sameId = id === undefined ? [] : (this.#byId.get(id) ?? []);
    if (index !== undefined) {
      const last = this.#byIndex.get(index);
      if (last !== undefined && (id === undefined || (last.id ?? id) === id)) return last;
      const known = sameId.find((call) => call.index === undefined || call.index === index);
      if (known !== undefined) return known;
      return last === undefined ? this.#open() : this.#openNew(piece);
    }
    if (id !== undefined) {
      if (sameId.length > 1) throw this.#refuse("tool calls have the same id and no index");
      return sameId[0] ?? (this.isEmpty ? this.#open() : this.#openNew(piece));
    }
    if (this.#calls.length > 1) {
      throw this.#refuse("a piece of a tool call has neither an index nor an id");
    }
    return this.#calls[0] ?? this.#open();
  }

  /** Some servers number every call 0, others give every piece of one call a new id: a name, or a hosted tool's type, tells them apart. */
  #openNew({ name, type }: CallFragment): GrowingCall {
    if (name === undefined && (type ?? "function") === "function") {
      throw this.#refuse("the id of a tool call changes");
    }
    return this.#open();
  }

  #open(): GrowingCall {
    if (this.#calls.length >= mostCalls) throw this.#refuse("it has too many tool calls");
    const call = new GrowingCall();
    this.#calls.push(call);
    return call;
  }

  #grow(call: GrowingCall, fragment: CallFragment): void {
    const hadId = call.id !== undefined;
    call.add(fragment, this.#budget, this.#refuse);
    if (call.index !== undefined) this.#byIndex.set(call.index, call);
    if (hadId || call.id === undefined) return;
    const same = this.#byId.get(call.id);
    if (same === undefined) this.#byId.set(call.id, [call]);
    else same.push(call);
  }

  #takeLegacy(fragment: CallFragment | undefined): void {
    if (fragment === undefined) return;
    if (this.#legacy === undefined) {
      if (!this.isEmpty) throw this.#refuse(twoForms);
      this.#legacy = this.#open();
    }
    this.#grow(this.#legacy, fragment);
  }
}

const twoForms = "it has both tool calls and a legacy function call";
