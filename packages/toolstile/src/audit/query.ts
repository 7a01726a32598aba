import type { RecordFilter } from "@toolstile/audit-log/read";
import { didYouMean, outcomeStatuses, quoted } from "@toolstile/core/provider";
import { type Arguments, UsageError } from "../terminal/command-line.js";
import { noOutcome } from "./call-facts.js";
import { readMoment } from "./moment.js";

/** The calls that are asked for. */
export interface CallQuery {
  /** For intents and outcomes alike; how late is not in it. */
  readonly filter: Omit<RecordFilter, "kind">;
  /** A call's time is that of its last record: an intent before this may have its outcome after it. */
  readonly until: number | undefined;
  /** Only calls without an outcome. */
  readonly onlyOpen: boolean;
  /** The latest so many. */
  readonly limit: number | undefined;
}

const decisions = ["allow", "deny", "modify"] as const;
const statuses = [...outcomeStatuses, noOutcome] as const;

/** The options that {@link readQuery} reads. */
export const queryForms = {
  session: "string",
  tool: "string",
  decision: "string",
  code: "string",
  status: "string",
  provider: "string",
  principal: "string",
  tenant: "string",
  since: "string",
  until: "string",
  run: "string",
  limit: "string",
} as const;

/** @throws UsageError for a value that no call can have. */
export function readQuery(given: Arguments, now: number): CallQuery {
  const time = (option: string): number | undefined => {
    const text = given.text(option);
    return text === undefined ? undefined : readMoment(`--${option}`, text, now);
  };
  const status = oneOf("--status", given.text("status"), statuses);
  const members = {
    runId: given.text("run"),
    session: given.text("session"),
    principal: given.text("principal"),
    tenant: given.text("tenant"),
    tool: given.text("tool"),
    provider: given.text("provider"),
    decision: oneOf("--decision", given.text("decision"), decisions),
    code: given.text("code"),
    status: status === noOutcome ? undefined : status,
    from: time("since"),
  };
  const wanted = Object.entries(members).filter(([, value]) => value !== undefined);
  return {
    filter: Object.fromEntries(wanted) as CallQuery["filter"],
    until: time("until"),
    onlyOpen: status === noOutcome,
    limit: readLimit(given.text("limit")),
  };
}

function oneOf<Word extends string>(
  option: string,
  given: string | undefined,
  words: readonly Word[],
): Word | undefined {
  if (given === undefined) return undefined;
  const word = words.find((each) => each === given);
  if (word !== undefined) return word;
  // How a call ended is asked for by another option, and reads like a decision.
  const near = words.find((each) => given.startsWith(each.slice(0, -1)));
  const hint = near === undefined ? didYouMean(given, words) : ` Did you mean ${quoted(near)}?`;
  throw new UsageError(`${option} is one of ${words.join(", ")}, not ${quoted(given)}.${hint}`);
}

function readLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9][0-9]{0,8}$/.test(text)) {
    throw new UsageError("--limit takes how many calls, from 1.");
  }
  return Number(text);
}
