import { ownText, ownValue } from "@toolstile/core/provider";
import { SameIdCalls, type TurnCall } from "./same-id.js";
import { isEmpty } from "./shape.js";

/** The calls of one assistant message, and what has become of them. */
export class Turn {
  /** The place of the assistant message. */
  readonly index: number;
  readonly calls: readonly TurnCall[];
  readonly functionCall: TurnCall | undefined;
  readonly #byId = new Map<string, SameIdCalls>();
  /** True if a message that is not a result came after. */
  interrupted = false;
  /** True if the user or the assistant has spoken since. */
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
  const call = ownValue(message, "function_call") ?? undefined;
  if (call === undefined) return undefined;
  const empty = ownValue(call, "name") === "" && (ownValue(call, "arguments") ?? "") === "";
  return empty ? undefined : call;
}

function readToolCall(call: unknown, callIndex: number): TurnCall {
  const asFunction = ownText(ownValue(call, "function"), "name");
  const asCustom = ownText(ownValue(call, "custom"), "name");
  const twoNames = asFunction !== undefined && asCustom !== undefined && asFunction !== asCustom;
  const name = twoNames ? undefined : (asFunction ?? asCustom);
  const id = ownText(call, "id");
  const oddId = id === undefined && !isEmpty(ownValue(call, "id"));
  return { callIndex, id, oddId, name, twoNames, raw: call, answered: false };
}

function readFunctionCall(call: unknown): TurnCall {
  const name = ownText(call, "name");
  const is = { oddId: false, twoNames: false, answered: false };
  return { callIndex: undefined, id: undefined, name, raw: call, ...is };
}
