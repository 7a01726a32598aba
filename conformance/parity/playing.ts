import type { Approvals } from "@toolstile/approval";
import { type Tool, type ToolResult, tool } from "@toolstile/core";
import type { AskedCall, ParityTool, Seam, Turn } from "./seam.js";

/** The text that a model reads: a text as it is, also as the only part of a content; JSON of anything else. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const [part, ...others]: unknown[] = Array.isArray(content) ? content : [];
  const { text } = Object(part);
  return typeof text === "string" && others.length === 0 ? text : JSON.stringify(content);
}

/** The text that the model reads, with its call id. */
export function readOf({ callId, content }: ToolResult): [string, string] {
  return [callId, textOf(content)];
}

/** Play each call by itself, all at once. The abort of one rejects the turn. */
export async function each<Value>(
  { calls }: Turn,
  play: (call: AskedCall) => Promise<Value>,
): Promise<{ readonly values: readonly Value[]; readonly rejected?: unknown }> {
  const settled = await Promise.allSettled(calls.map(play));
  const values = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const rejected = settled.find((one) => one.status === "rejected");
  return rejected === undefined ? { values } : { values, rejected: rejected.reason };
}

/** The value that a generator returns, or else its last piece. */
export async function lastOf(answer: unknown): Promise<unknown> {
  if (Object(answer) !== answer || !(Symbol.asyncIterator in (answer as object))) return answer;
  const pieces = (answer as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  let last: unknown;
  for (let step = await pieces.next(); ; step = await pieces.next()) {
    if (step.done) return step.value ?? last;
    last = step.value;
  }
}

/** The value that a generator returns, without its pieces. */
export async function drained<Last>(pieces: AsyncGenerator<unknown, Last>): Promise<Last> {
  for (let step = await pieces.next(); ; step = await pieces.next())
    if (step.done) return step.value;
}

const stated = "Whoever calls it states the facts with the call: it has no `describe` to ask.";

/** The limits of a seam that has no `describe`. */
export const statesFacts: Seam["cannot"] = { factsThrow: stated, factsLate: stated };

/** The id of the one approval there is: a result for a model has no place for it. */
export async function approvedIn(approver: Turn["approver"]): Promise<string> {
  const { records } = await (approver as Approvals).list();
  return records[0]?.id ?? "";
}

/** The text of an error that a tool reports by `toolResult`; nothing, of any other answer. */
export function reportedError(answer: unknown): string | undefined {
  const { isError, content } = Object(answer) as Partial<ToolResult>;
  return isError === true ? textOf(content) : undefined;
}

/** A tool's answer for a framework in which an error can only be thrown. */
export function throwReported(answer: unknown): unknown {
  const error = reportedError(answer);
  if (error !== undefined) throw new Error(error);
  return answer;
}

export function isGenerator(value: (...args: never[]) => unknown): boolean {
  return value.constructor.name === "AsyncGeneratorFunction";
}

/** The tools as core takes them. */
export function toolsOf(tools: readonly ParityTool[]): Tool[] {
  return tools.map(({ execute, ...declared }) =>
    tool({
      ...declared,
      execute: isGenerator(execute)
        ? async function* (args, { signal }) {
            return yield* execute(args, signal) as AsyncGenerator<unknown>;
          }
        : (args, { signal }) => execute(args, signal),
    }),
  );
}
