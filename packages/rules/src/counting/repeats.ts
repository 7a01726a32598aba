import type { ToolCall } from "@toolstile/core";
import { digest } from "@toolstile/core/digest";
import type { Outcome } from "../checks/check.js";
import { ownCopy } from "../checks/own-copy.js";
import { keyOf } from "./count.js";

/** Calls that are the same, made one after the other. */
interface Stretch {
  readonly toolName: string;
  /** The digest of the arguments, where calls of this tool are compared. */
  readonly digest: string | undefined;
  ran: number;
  /** The number of its calls that are not over. */
  open: number;
  /** The stretch that it became a part of, when the calls between the two were taken back. */
  into: Stretch | undefined;
}

/** The number of sessions whose last calls are remembered. */
const mostSessions = 100_000;

/**
 * The last calls of each session, and how often they were made in a row.
 *
 * Calls that may yet be taken back are kept apart: with them goes the end that they put to a row.
 * Beyond a number of sessions, the row of the session that was idle for the longest
 * time is forgotten.
 */
export class LastCalls {
  /** The stretches of each session: one whose calls have run, and those after it whose calls are open. */
  readonly #rows = new Map<string | undefined, Stretch[]>();

  /** True if the last calls of the session were as many as this, and the same as this one. */
  reached(call: ToolCall, times: number): Outcome {
    const key = keyOf(call, "session");
    if (key === null) return undefined;
    const last = this.#rows.get(key)?.at(-1);
    if (last === undefined || last.ran + last.open < times) return false;
    return last.toolName === call.toolName && last.digest === digest(call.args);
  }

  /**
   * @param compared - false for a tool whose calls no rule compares: they only end a row.
   * @returns what ends the call: it stays in the row if it ran, and is taken back if not.
   */
  take(call: ToolCall, compared: boolean): (ran: boolean) => void {
    const key = keyOf(call, "session");
    if (key === null) return () => undefined;
    const row = this.#rows.get(key) ?? [];
    const next = { toolName: call.toolName, digest: compared ? digest(call.args) : undefined };
    const last = row.at(-1);
    const taken =
      last !== undefined && isSame(last, next)
        ? last
        : { ...next, ran: 0, open: 0, into: undefined };
    if (taken !== last) row.push(taken);
    taken.open += 1;
    this.#remember(key, row);
    return (ran) => end(row, taken, ran);
  }

  #remember(key: string | undefined, row: Stretch[]): void {
    this.#rows.delete(key);
    this.#rows.set(key === undefined ? key : ownCopy(key), row);
    if (this.#rows.size <= mostSessions) return;
    for (const oldest of this.#rows.keys()) {
      this.#rows.delete(oldest);
      return;
    }
  }
}

function end(row: Stretch[], taken: Stretch, ran: boolean): void {
  let stretch = taken;
  while (stretch.into !== undefined) stretch = stretch.into;
  stretch.open -= 1;
  if (ran) stretch.ran += 1;
  const place = row.indexOf(stretch);
  if (place < 0) return;
  if (ran) {
    // It stays, and so those before it can never be the last again.
    row.splice(0, place);
  } else if (stretch.ran + stretch.open === 0) {
    row.splice(place, 1);
    const [before, after] = [row[place - 1], row[place]];
    if (before === undefined || after === undefined || !isSame(before, after)) return;
    before.ran += after.ran;
    before.open += after.open;
    after.into = before;
    row.splice(place, 1);
  }
}

function isSame(one: Pick<Stretch, "toolName" | "digest">, other: typeof one): boolean {
  return one.toolName === other.toolName && one.digest === other.digest;
}
