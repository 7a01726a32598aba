import type { CallRequest, RunOptions, ToolOutcome, ToolRunner } from "@toolstile/core";
import { invalidOption, optionError, ownText } from "@toolstile/core/provider";

/** The part of a `ToolRunner` that runs a turn. Its `forAgent()` gives one too. */
export type TurnRunner = Pick<ToolRunner, "runAll">;

/** The options of a turn: what the host knows of its calls, and how many of them run at once. */
export type TurnOptions = Omit<RunOptions, "turnId" | "repeatedId"> & {
  readonly concurrency?: number | undefined;
};

/** A call of an assistant's turn, as the runner is asked for it. */
export type AskedCall = CallRequest & { readonly callId: string };

/** A call that cannot be read. It names no tool, so that the runner denies it, and has a record of it. */
export function unreadable(callId: string): AskedCall {
  return { callId } as AskedCall;
}

/** A call of a function. Its arguments are JSON text, which the runner reads. */
export function functionCall(callId: string, name: unknown, text: unknown): AskedCall {
  if (typeof name !== "string" || typeof text !== "string") return unreadable(callId);
  return { callId, name, arguments: text };
}

/** A call of a custom tool. Its free text is the one argument `input`. */
export function customCall(callId: string, name: unknown, input: unknown): AskedCall {
  if (typeof name !== "string" || typeof input !== "string") return unreadable(callId);
  return { callId, name, arguments: { input } };
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for a call without an id: no answer could be matched to it. */
export function idOf(where: string, call: unknown, key: "id" | "call_id", index: number): string {
  const id = ownText(call, key);
  if (id !== undefined) return id;
  throw invalidOption(
    where,
    `call number ${index + 1} must have \`${key}\`, a string that is not empty.`,
  );
}

/** Runs the calls of one turn. @throws ToolstileError `ERR_INVALID_OPTION` for a value that is not a runner. */
export async function runTurn(
  where: string,
  runner: TurnRunner,
  calls: readonly AskedCall[],
  options: TurnOptions | undefined,
): Promise<readonly ToolOutcome[]> {
  if (typeof (runner as Partial<TurnRunner> | undefined)?.runAll !== "function") {
    throw optionError(where, "runner", "a ToolRunner", runner);
  }
  return runner.runAll(calls, options);
}
