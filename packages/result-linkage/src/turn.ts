import { own, ownText } from "./own-property.js";

/** One call of an assistant message. */
export interface TurnCall {
  /** Of the call in its message; absent for the legacy `function_call`. */
  readonly callIndex: number | undefined;
  readonly id: string | undefined;
  /** Absent where it cannot be read, so that the call is malformed. */
  readonly name: string | undefined;
  answered: boolean;
}

/** The calls of one assistant message, and what has become of them. */
export class Turn {
  /** Of the assistant message. */
  readonly index: number;
  readonly calls: readonly TurnCall[];
  readonly functionCall: TurnCall | undefined;
  readonly #byId = new Map<string, TurnCall[]>();
  /** Whether something that is no result came after. */
  interrupted = false;
  /** Whether the user or the assistant has spoken since. */
  followed = false;

  constructor(index: number, toolCalls: readonly unknown[], functionCall: unknown) {
    this.index = index;
    this.functionCall = functionCall === undefined ? undefined : readFunctionCall(functionCall);
    // A list may have holes, which map() passes over.
    const calls = Array.from(toolCalls, readToolCall);
    this.calls = this.functionCall === undefined ? calls : [...calls, this.functionCall];
    for (const call of calls) {
      if (call.id === undefined) continue;
      const same = this.#byId.get(call.id);
      if (same === undefined) this.#byId.set(call.id, [call]);
      else same.push(call);
    }
  }

  /** The calls with an id, in order: more than one where ids collide. */
  withId(id: string): readonly TurnCall[] {
    return this.#byId.get(id) ?? [];
  }
}

function readToolCall(call: unknown, callIndex: number): TurnCall {
  const name = ownText(own(call, "function"), "name") ?? ownText(own(call, "custom"), "name");
  return { callIndex, id: ownText(call, "id"), name, answered: false };
}

function readFunctionCall(call: unknown): TurnCall {
  return { callIndex: undefined, id: undefined, name: ownText(call, "name"), answered: false };
}
