import type { AuditRecord } from "@toolstile/audit-log/read";
import { ownValue } from "@toolstile/core/provider";
import { printableJson } from "../terminal/terminal.js";
import { type CallFacts, callFacts } from "./call-facts.js";
import { type CallEntry, callEntry, withoutMembers } from "./entry.js";

/** Characters of one payload as JSON; a larger one is left out of the page. */
const longestPayload = 1 << 16;

/** A call as the page has it. */
export interface PageEntry extends CallEntry {
  readonly facts: CallFacts;
  /** Payloads that the log has, and that are too large for a page. */
  readonly leftOut?: readonly string[] | undefined;
}

/** A call as JSON that can stand in a page: see {@link escapedForHtml}. */
export function pageEntryText(call: AuditRecord, withPayloads: boolean): string {
  const entry = callEntry(call, withPayloads);
  const facts = callFacts(call.record);
  try {
    return escapedForHtml({ facts, ...withSmallPayloads(entry) });
  } catch {
    return escapedForHtml({ facts, ...withoutMembers(entry) });
  }
}

/** JSON in which nothing begins or ends an element, a comment or an entity of HTML, and nothing is a terminal's to obey. */
export function escapedForHtml(value: unknown): string {
  return printableJson(value)
    .trimEnd()
    .replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}

function withSmallPayloads(entry: CallEntry): Omit<PageEntry, "facts"> {
  const names = ["asked", "used", "result"] as const;
  const isLarge = (name: string): boolean => {
    const payload = ownValue(entry.payloads, name);
    return payload !== undefined && JSON.stringify(payload).length > longestPayload;
  };
  const leftOut = names.filter(isLarge);
  if (leftOut.length === 0) return entry;
  const payloads = { ...entry.payloads };
  for (const name of leftOut) delete payloads[name];
  return { ...entry, payloads, leftOut };
}
