import type { AuditRecord } from "@toolstile/audit-log";

/** A call as `--json` and the page have it. */
export interface CallEntry {
  readonly chain: string;
  readonly file: string;
  readonly line: number;
  /** As the log has it, without the payloads that it may hold. */
  readonly record: AuditRecord["record"];
  readonly payloads?: AuditRecord["payloads"] | undefined;
}

/** Arguments and results are shown to whoever asks for them, and to nobody else. */
export function callEntry(call: AuditRecord, withPayloads: boolean): CallEntry {
  const { chain, file, line } = call;
  const { payloads, ...record } = call.record;
  const kept = (call.payloads ?? payloads) as AuditRecord["payloads"];
  return {
    chain,
    file,
    line,
    record,
    ...(withPayloads && kept !== undefined && kept !== null ? { payloads: kept } : {}),
  };
}

/** What remains of a record that is nested too deeply to be written out. No log that is whole has one. */
export function withoutMembers({ chain, file, line, record }: CallEntry): CallEntry {
  const { seq, kind, time } = record;
  return { chain, file, line, record: { seq, kind, time, unreadable: true } };
}
