import type { AuditRecord } from "@toolstile/audit-log/read";

/** A call as `--json` and the page have it. */
export interface CallEntry {
  readonly chain: string;
  readonly file: string;
  readonly line: number;
  /** As the log has it, without the payloads that it may hold. */
  readonly record: AuditRecord["record"];
  readonly payloads?: AuditRecord["payloads"] | undefined;
}

/** Arguments and results are shown only if they are asked for. */
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

/** The part of a record that can be written although it is nested too deeply. No intact log has such a record. */
export function withoutMembers({ chain, file, line, record }: CallEntry): CallEntry {
  const { seq, kind, time } = record;
  return { chain, file, line, record: { seq, kind, time, unreadable: true } };
}
