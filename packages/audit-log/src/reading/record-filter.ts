import { checkOptions, quoted, ToolstileError } from "@toolstile/core";
import { ownMember } from "./own-member.js";
import { isRecordKind, type RecordKind } from "./record-kinds.js";

/** Which records are meant. All that are given must hold. */
export interface RecordFilter {
  readonly kind?: RecordKind | readonly RecordKind[] | undefined;
  readonly runId?: string | undefined;
  readonly session?: string | undefined;
  readonly principal?: string | undefined;
  /** The declared or the requested name. */
  readonly tool?: string | undefined;
  /** One of its decisions is by this provider. */
  readonly provider?: string | undefined;
  /** One of its decisions is this; of that provider, if one is given too. */
  readonly decision?: "allow" | "deny" | "modify" | undefined;
  /** Such as executed, failed, denied or withheld. */
  readonly status?: string | undefined;
  /** Time ≥ this, in milliseconds since the epoch. */
  readonly from?: number | undefined;
  /** Time < this. */
  readonly to?: number | undefined;
}

const texts = ["runId", "session", "principal", "tool", "provider", "status"] as const;
const times = ["from", "to"] as const;
const decisions: readonly unknown[] = ["allow", "deny", "modify"];

/**
 * Whether a record, as it was parsed, is meant.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION` for a wrong filter.
 */
export function recordMatcher(where: string, filter: RecordFilter): (record: unknown) => boolean {
  checkOptions(where, filter, ["kind", "decision", ...texts, ...times]);
  const own: RecordFilter = Object.assign(Object.create(null), filter);
  for (const name of texts) {
    if (own[name] !== undefined && typeof own[name] !== "string")
      throw wrong(where, name, "a text");
  }
  for (const name of times) {
    const isTime = own[name] === undefined || Number.isFinite(own[name]);
    if (!isTime) throw wrong(where, name, "milliseconds since the epoch");
  }
  if (own.decision !== undefined && !decisions.includes(own.decision)) {
    throw wrong(where, "decision", "'allow', 'deny' or 'modify'");
  }
  const kinds = kindsOf(where, own.kind);
  return (record) =>
    (kinds === undefined || kinds.has(ownMember(record, "kind"))) &&
    isIn(ownMember(record, "time"), own) &&
    isWanted(own.runId, ownMember(record, "runId")) &&
    isWanted(own.session, ownMember(ownMember(record, "session"), "id")) &&
    isWanted(own.principal, ownMember(record, "principal")) &&
    isWanted(own.status, ownMember(record, "status")) &&
    (isWanted(own.tool, ownMember(record, "toolName")) ||
      isWanted(own.tool, ownMember(record, "requestedName"))) &&
    isDecided(own, ownMember(record, "decisions"));
}

function kindsOf(where: string, kind: unknown): ReadonlySet<unknown> | undefined {
  if (kind === undefined) return undefined;
  const kinds: readonly unknown[] = Array.isArray(kind) ? kind : [kind];
  for (const each of kinds) {
    if (typeof each !== "string" || !isRecordKind(each)) {
      throw wrong(where, "kind", "a kind of record, or a list of such");
    }
  }
  return new Set(kinds);
}

function isWanted(wanted: string | undefined, found: unknown): boolean {
  return wanted === undefined || wanted === found;
}

function isIn(time: unknown, { from, to }: RecordFilter): boolean {
  if (from === undefined && to === undefined) return true;
  return typeof time === "number" && time >= (from ?? time) && time < (to ?? Infinity);
}

function isDecided({ provider, decision }: RecordFilter, found: unknown): boolean {
  if (provider === undefined && decision === undefined) return true;
  if (!Array.isArray(found)) return false;
  return found.some(
    (each) =>
      isWanted(provider, ownMember(each, "provider")) &&
      isWanted(decision, ownMember(each, "decision")),
  );
}

function wrong(where: string, name: string, what: string): ToolstileError {
  return new ToolstileError("ERR_INVALID_OPTION", `${where}: ${quoted(name)} is ${what}.`);
}
