import { quoted, ToolstileError } from "@toolstile/core/provider";

/** A refused schema: the reason and the place. It becomes a `ToolstileError` at the package's edge. */
export class Inadmissible extends Error {
  /** JSON Pointer into the schema. */
  readonly pointer: string;

  constructor(pointer: string, reason: string, cause?: unknown) {
    super(reason, { cause });
    this.pointer = pointer;
  }
}

/** A refusal for a reason that lies outside of the schema and may pass. */
export class NotNow extends Inadmissible {}

/** True for an error that says nothing about the schema: the next time, it may be admitted. */
export function isPassing(error: unknown): boolean {
  return error instanceof NotNow || isOverflow(error);
}

/** True for an error that comes of a full stack, whatever was called at its end. */
function isOverflow(error: unknown): boolean {
  if (error instanceof RangeError) return true;
  // The engine's own reader of regular expressions calls it a mistake in the expression.
  return error instanceof SyntaxError && /call stack|stack overflow/i.test(error.message);
}

/** Names the place and the reason in one line. */
export function explain(error: unknown): string {
  if (!(error instanceof Inadmissible)) return "it could not be compiled";
  const place = error.pointer === "" ? "at its top level" : `at ${shownPointer(error.pointer)}`;
  return `${place}: ${error.message}`;
}

export function refusal(subject: string, error: unknown): ToolstileError {
  const text = `${subject} is refused ${explain(error)}`;
  const end = /[.?]$/u.test(text) ? "" : ".";
  return new ToolstileError("ERR_TOOL_REFUSED", `${text}${end}`, { cause: error });
}

const shownLength = 200;

function shownPointer(pointer: string): string {
  // A schema may come from a stranger's server, and this text may reach a terminal or a model.
  const cut = pointer.length > shownLength ? `…${pointer.slice(-shownLength)}` : pointer;
  return cut
    .split("/")
    .map((segment) => quoted(segment).slice(1, -1))
    .join("/");
}
