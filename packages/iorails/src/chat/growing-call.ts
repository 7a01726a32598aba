import type { Refusal } from "./answer.js";
import type { CallFragment } from "./call-fragment.js";
import type { AskedCall } from "./message.js";
import { TextPieces } from "./text-pieces.js";

/** The characters that may still be kept for the calls of one answer. */
export class CallBudget {
  #left: number;
  readonly #refuse: Refusal;

  constructor(maxCallChars: number, refuse: Refusal) {
    this.#left = maxCallChars;
    this.#refuse = refuse;
  }

  spend(text: string): void {
    this.#take(text.length);
  }

  /** Charges a value that is not text: its strings and keys, and one for each value. Not recursive, because it may be deep. */
  spendValue(value: unknown): void {
    const open: unknown[] = [value];
    while (open.length > 0) {
      const next = open.pop();
      this.#take(typeof next === "string" ? next.length + 1 : 1);
      if (typeof next !== "object" || next === null) continue;
      for (const [key, member] of Object.entries(next)) {
        this.#take(Array.isArray(next) ? 0 : key.length);
        open.push(member);
      }
    }
  }

  #take(chars: number): void {
    this.#left -= chars;
    if (this.#left < 0) throw this.#refuse("its tool calls are too long");
  }
}

/** One call while its pieces arrive. */
export class GrowingCall {
  #id: string | undefined;
  #type: string | undefined;
  #name: string | undefined;
  readonly #text = new TextPieces();
  /** Arguments that are not text, if there are any. */
  #value: unknown;
  index: number | undefined;

  get id(): string | undefined {
    return this.#id;
  }

  add(fragment: CallFragment, budget: CallBudget, refuse: Refusal): void {
    this.index ??= fragment.index;
    if (this.#id === undefined && fragment.id !== undefined) {
      budget.spend(fragment.id);
      this.#id = fragment.id;
    }
    if (fragment.type !== undefined) this.#setType(fragment.type, budget, refuse);
    if (fragment.name !== undefined) this.#setName(fragment.name, budget, refuse);
    if (fragment.arguments !== undefined && fragment.arguments !== "") {
      this.#addArguments(fragment.arguments, budget, refuse);
    }
  }

  asked(): AskedCall {
    return {
      id: this.#id,
      type: this.#type ?? "function",
      name: this.#name,
      arguments: this.#value === undefined ? this.#text.text() : this.#value,
    };
  }

  #setType(type: string, budget: CallBudget, refuse: Refusal): void {
    if (this.#type === undefined) budget.spend(type);
    else if (this.#type !== type) throw refuse("the type of a tool call changes");
    this.#type = type;
  }

  /**
   * A name may come again with every piece, or grow until the arguments begin.
   *
   * Anything else may be the rest of the name or another call's, and providers do both.
   */
  #setName(name: string, budget: CallBudget, refuse: Refusal): void {
    if (this.#name === name) return;
    if (this.#name !== undefined && !(name.startsWith(this.#name) && this.#hasNoArguments)) {
      throw refuse("the name of a tool call changes");
    }
    budget.spend(name);
    this.#name = name;
  }

  /** Text is appended and never read: arguments that were cut short or came twice stay so, and are judged so. */
  #addArguments(more: unknown, budget: CallBudget, refuse: Refusal): void {
    if (typeof more === "string" && this.#value === undefined) {
      budget.spend(more);
      this.#text.add(more);
      return;
    }
    if (!this.#hasNoArguments) {
      throw refuse("the arguments of a tool call come in pieces that are not all text");
    }
    budget.spendValue(more);
    this.#value = more;
  }

  get #hasNoArguments(): boolean {
    return this.#text.length === 0 && this.#value === undefined;
  }
}
