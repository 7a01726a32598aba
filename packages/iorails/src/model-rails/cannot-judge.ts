import { ModelError } from "../errors.js";
import type { ModelRail, RailMetadata, RailVerdict } from "./rail.js";

/**
 * A rail could not come to a verdict, for a cause that is fit to be shown.
 *
 * `why` is a fixed text of ours, with numbers of the configuration at most: it
 * ends up in the reason, where no user's and no model's text may stand.
 */
export class CannotJudge extends Error {
  readonly metadata: RailMetadata | undefined;

  constructor(why: string, metadata?: RailMetadata) {
    super(why);
    this.name = "CannotJudge";
    this.metadata = metadata;
  }
}

/** The verdict for a rail that threw: it blocks, and names the kind of fault, never its text. */
export function failed(rail: Pick<ModelRail, "flow">, error: unknown): RailVerdict {
  const why = kind(error);
  const reason = why === undefined ? `${rail.flow} failed` : `${rail.flow} failed: ${why}`;
  const metadata = error instanceof CannotJudge ? error.metadata : undefined;
  return { status: "blocked", reason, basis: "error", metadata };
}

function kind(error: unknown): string | undefined {
  if (error instanceof CannotJudge) return error.message;
  if (!ModelError.isInstance(error)) return undefined;
  const { fault, status } = error;
  return fault === "status" && Number.isInteger(status) ? `status ${status}` : fault;
}
