import { quoted, ToolstileError } from "@toolstile/core";

/** Why a schema is refused, and where in it. Becomes a `ToolstileError` at the package's edge. */
export class Inadmissible extends Error {
  /** JSON Pointer into the schema. */
  readonly pointer: string;

  constructor(pointer: string, reason: string, cause?: unknown) {
    super(reason, { cause });
    this.pointer = pointer;
  }
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
