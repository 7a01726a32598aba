import { ModelError } from "../errors.js";
import type { ModelRail, RailVerdict } from "./rail.js";

/**
 * A rail could not come to a verdict, for a cause that is fit to be shown.
 *
 * `why` is a fixed text of ours, with numbers of the configuration at most: it
 * ends up in the reason, where no user's and no model's text may stand.
 */
export class CannotJudge extends Error {
  readonly why: string;

  constructor(why: string) {
    super(why);
    this.name = "CannotJudge";
    this.why = why;
  }
}

/** What a rail that threw has found: it blocks, and names the kind of fault, never its text. */
export function failed(rail: ModelRail, error: unknown): RailVerdict {
  const why = kind(error);
  const reason = why === undefined ? `${rail.flow} failed` : `${rail.flow} failed: ${why}`;
  return { status: "blocked", reason, basis: "error" };
}

function kind(error: unknown): string | undefined {
  if (error instanceof CannotJudge) return error.why;
  if (!ModelError.isInstance(error)) return undefined;
  const { fault, status } = error;
  return fault === "status" && Number.isInteger(status) ? `status ${status}` : fault;
}
