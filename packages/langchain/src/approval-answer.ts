/** The answer that resumes the graph: `new Command({ resume: answer })`. */
export interface ApprovalAnswer {
  /** The id of the interrupt: the answer is for this question and no other. */
  readonly approvalId: string;
  /** Absent: the approver has been answered already, by another way. */
  readonly decision?: "approved" | "denied" | undefined;
  /** The name of whoever decided, as your application authenticated them. */
  readonly by?: string | undefined;
  /** Read by the model where the call is denied. */
  readonly reason?: string | undefined;
}

/** The answer by its own members: a member planted on the root prototype is none of it. */
export function readAnswer(given: unknown): ApprovalAnswer | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const read: Record<string, unknown> = Object.create(null);
  try {
    Object.assign(read, given);
  } catch {
    return undefined;
  }
  const { approvalId, decision, by, reason } = read;
  if (typeof approvalId !== "string" || approvalId === "") return undefined;
  if (decision !== undefined && decision !== "approved" && decision !== "denied") return undefined;
  if (!isText(by) || !isText(reason)) return undefined;
  return { approvalId, decision, by, reason };
}

function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

/**
 * True if the graph was resumed with an answer to an approval, for the task that is under way.
 *
 * It is a hint, read from LangGraph's internal state. Where it is missed, the
 * guards are asked once more, and the answer is used all the same.
 */
export function isAnswered(configurable: Readonly<Record<string, unknown>> | undefined): boolean {
  const notes = Object(configurable?.["__pregel_scratchpad"]) as {
    readonly resume?: unknown;
    readonly nullResume?: unknown;
    readonly interruptCounter?: unknown;
  };
  if (notes.interruptCounter !== -1 || !Array.isArray(notes.resume)) return false;
  const [first = notes.nullResume] = notes.resume as unknown[];
  return readAnswer(first) !== undefined;
}
