/** What the graph is resumed with: `new Command({ resume: answer })`. */
export interface ApprovalAnswer {
  /** The interrupt's: an answer is for this question and no other. */
  readonly approvalId: string;
  /** Absent: the approver has been answered already, by another way. */
  readonly decision?: "approved" | "denied" | undefined;
  /** Who decided, from whatever authenticated them. */
  readonly by?: string | undefined;
  /** Read by the model where the call is denied. */
  readonly reason?: string | undefined;
}

/** By its own members: what is planted on the root prototype is nobody's answer. */
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
 * Whether the graph was resumed with an answer to an approval, for the task that is under way.
 *
 * A hint: LangGraph says so nowhere else than in its own notes. Where it is
 * missed, the guards are asked once more, and the answer is taken all the same.
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
