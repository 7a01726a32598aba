import {
  invalidOption,
  type OptionTable,
  oneOf,
  ownValue,
  readOptions,
  such,
  text,
} from "@toolstile/core/provider";
import { isRecordKind, type RecordKind } from "../format/record-kinds.js";

import type { RecordBytes } from "./record-bytes.js";
import { type TextSearch, textSearch } from "./text-search.js";

/** A filter for records. All given members must hold. */
export interface RecordFilter {
  readonly kind?: RecordKind | readonly RecordKind[] | undefined;
  readonly runId?: string | undefined;
  readonly session?: string | undefined;
  readonly principal?: string | undefined;
  readonly tenant?: string | undefined;
  /** The declared or the requested name. */
  readonly tool?: string | undefined;
  /** One of its decisions is by this provider. */
  readonly provider?: string | undefined;
  /** One of its decisions is this; of that provider, if one is given too. */
  readonly decision?: "allow" | "deny" | "modify" | undefined;
  /** It has this code, or one of its decisions has: of that provider and decision, if they are given too. */
  readonly code?: string | undefined;
  /** Such as executed, failed, denied or withheld. */
  readonly status?: string | undefined;
  /** Time ≥ this, in milliseconds since the epoch. */
  readonly from?: number | undefined;
  /** Time < this. */
  readonly to?: number | undefined;
}

const time = such<number>(Number.isFinite, "milliseconds since the epoch");

const filterTable = {
  kind: such<RecordKind | readonly RecordKind[]>(isKinds, "a kind of record, or a list of such"),
  runId: text(),
  session: text(),
  principal: text(),
  tenant: text(),
  tool: text(),
  provider: text(),
  decision: oneOf("allow", "deny", "modify"),
  code: text(),
  status: text(),
  from: time,
  to: time,
} satisfies OptionTable<RecordFilter>;

/** Finds the records that fit a filter. */
export interface RecordMatcher {
  /** True for a parsed record that fits. */
  readonly fits: (record: unknown) => boolean;
  /** Finds lines that may have the texts of a record that fits. */
  readonly search: TextSearch;
  /** True if the beginning of a record fits. */
  readonly fitsBeginning: (record: RecordBytes) => boolean;
  /** True if nothing but the beginning of a record decides. */
  readonly needsBeginningOnly: boolean;
}

/**
 * @param kindsOf The kinds of records that are wanted, where the filter has none to choose.
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION` for a wrong filter.
 */
export function recordMatcher(
  where: string,
  filter: unknown,
  kindsOf?: readonly RecordKind[],
): RecordMatcher {
  const own = readOptions(where, filter, filterTable);
  if (kindsOf !== undefined && own.kind !== undefined) {
    throw invalidOption(where, "'kind' must be left out: calls have intents and outcomes.");
  }
  const wanted = kindsOf ?? own.kind;
  const kinds = wanted === undefined ? undefined : new Set<unknown>([wanted].flat());
  const searches = searchesOf(own);
  return {
    fits: (record) =>
      (kinds === undefined || kinds.has(ownValue(record, "kind"))) &&
      isIn(ownValue(record, "time"), own) &&
      isWanted(own.runId, ownValue(record, "runId")) &&
      isWanted(own.session, ownValue(ownValue(record, "session"), "id")) &&
      isWanted(own.principal, ownValue(record, "principal")) &&
      isWanted(own.tenant, ownValue(record, "tenant")) &&
      isWanted(own.status, ownValue(record, "status")) &&
      (isWanted(own.tool, ownValue(record, "toolName")) ||
        isWanted(own.tool, ownValue(record, "requestedName"))) &&
      isDecided(own, record),
    search: (bytes, start) => lastOf(searches, bytes, start),
    fitsBeginning: ({ kind, time }) => (kinds === undefined || kinds.has(kind)) && isIn(time, own),
    needsBeginningOnly: searches.length === 0,
  };
}

function searchesOf(own: RecordFilter): readonly TextSearch[] {
  const { runId, session, principal, tenant, tool, provider, decision, code, status } = own;
  // Those that few records have come first.
  return [runId, session, principal, tenant, tool, provider, decision, code, status]
    .filter((text) => text !== undefined)
    .map(textSearch);
}

/** A line that fits has all that is searched for, and so it does not end before the last of them. */
function lastOf(searches: readonly TextSearch[], bytes: Buffer, start: number): number {
  let last = start;
  for (const search of searches) {
    last = Math.max(last, search(bytes, start));
    if (last === bytes.length) break;
  }
  return last;
}

function isKinds(value: unknown): boolean {
  return [value].flat().every((kind) => typeof kind === "string" && isRecordKind(kind));
}

function isWanted(wanted: string | undefined, found: unknown): boolean {
  return wanted === undefined || wanted === found;
}

function isIn(time: unknown, { from, to }: RecordFilter): boolean {
  if (from === undefined && to === undefined) return true;
  return typeof time === "number" && time >= (from ?? time) && time < (to ?? Infinity);
}

function isDecided({ provider, decision, code }: RecordFilter, record: unknown): boolean {
  // The record of a call that no guard was asked about has its code, and no decision.
  if (provider === undefined && decision === undefined && isWanted(code, ownValue(record, "code")))
    return true;
  const found = ownValue(record, "decisions");
  if (!Array.isArray(found)) return false;
  return found.some(
    (each) =>
      isWanted(provider, ownValue(each, "provider")) &&
      isWanted(decision, ownValue(each, "decision")) &&
      isWanted(code, ownValue(each, "code")),
  );
}
