import { own, ownText } from "./own-property.js";
import { SameIdCalls } from "./same-id.js";

/** One call of an assistant message. */
export interface TurnCall {
  /** Of the call in its message; absent for the legacy `function_call`. */
  readonly callIndex: number | undefined;
  readonly id: string | undefined;
  /** Absent where it cannot be read, so that the call is malformed. */
  readonly name: string | undefined;
  /** Whether it is absent for there being two that differ. */
  readonly twoNames: boolean;
  /** As it stands in the message. */
  readonly raw: unknown;
  answered: boolean;
}

/** The calls of one assistant message, and what has become of them. */
export class Turn {
  /** Of the assistant message. */
  readonly index: number;
  readonly calls: readonly TurnCall[];
  readonly functionCall: TurnCall | undefined;
  readonly #byId = new Map<string, SameIdCalls>();
  /** Whether something that is no result came after. */
  interrupted = false;
  /** Whether the user or the assistant has spoken since. */
  followed = false;

  constructor(index: number, toolCalls: readonly unknown[], functionCall: unknown) {
    this.index = index;
    this.functionCall = functionCall === undefined ? undefined : readFunctionCall(functionCall);
    const calls: TurnCall[] = [];
    // A list may have holes, which map() passes over.
    for (let index = 0; index < toolCalls.length; index++) {
      const call = readToolCall(toolCalls[index], index);
      calls.push(call);
      if (call.id !== undefined) this.#add(call.id, call);
    }
    if (this.functionCall !== undefined) calls.push(this.functionCall);
    this.calls = calls;
  }

  #add(id: string, call: TurnCall): void {
    let same = this.#byId.get(id);
    if (same === undefined) {
      same = new SameIdCalls();
      this.#byId.set(id, same);
    }
    same.add(call);
  }

  /** The call that a result of this id and name answers. */
  answeredBy(id: string, claimedName: unknown): TurnCall | undefined {
    return this.#byId.get(id)?.answeredBy(claimedName);
  }
}

/** The legacy call, if there is one: some clients write an empty one beside each answer. */
export function functionCallOf(message: unknown): unknown {
  const call = own(message, "function_call") ?? undefined;
  if (call === undefined) return undefined;
  const empty = own(call, "name") === "" && (own(call, "arguments") ?? "") === "";
  return empty ? undefined : call;
}

function readToolCall(call: unknown, callIndex: number): TurnCall {
  const asFunction = ownText(own(call, "function"), "name");
  const asCustom = ownText(own(call, "custom"), "name");
  const twoNames = asFunction !== undefined && asCustom !== undefined && asFunction !== asCustom;
  const name = twoNames ? undefined : (asFunction ?? asCustom);
  return { callIndex, id: ownText(call, "id"), name, twoNames, raw: call, answered: false };
}

function readFunctionCall(call: unknown): TurnCall {
  const name = ownText(call, "name");
  return { callIndex: undefined, id: undefined, name, twoNames: false, raw: call, answered: false };
}
