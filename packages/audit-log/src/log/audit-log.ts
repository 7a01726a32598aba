import { randomUUID } from "node:crypto";
import type { CallRecord, ToolObserver } from "@toolstile/core";
import { resolveKey } from "../files/key.js";
import type { ChainHead } from "../format/chain-head.js";
import { commitments, keyFingerprint } from "../format/commitment.js";
import { quote } from "../format/line.js";
import { clockOf } from "../format/time.js";
import { type AuditLogOptions, checkedOptions } from "./options.js";
import { RecordText } from "./record-text.js";
import { SessionNumbers } from "./session-numbers.js";
import { Writer } from "./writer.js";

export interface AuditLog extends ToolObserver {
  /** There when records are required, or the sink writes ahead. Resolves when the record is written. */
  readonly intent: ((record: CallRecord) => Promise<void>) | undefined;
  /** Resolves when the record is written. */
  readonly settle: (record: CallRecord) => Promise<void>;
  /** The head of the chain after the last acknowledged record. If you keep it elsewhere, `verify()` sees a cut. */
  readonly head: () => ChainHead | undefined;
  /**
   * Signs where the chain stands, all records up to now on the disk, and gives
   * the signed note to keep elsewhere. Undefined from a sink that signs nothing.
   */
  readonly checkpoint: () => Promise<string | undefined>;
  /** Writes what waits, and lets the sink go. */
  readonly close: () => Promise<void>;
}

/**
 * An observer that writes a hash-chained record of every call.
 *
 * A call is told that it is recorded once the sink has its record. Records
 * hold no arguments and no results, but keyed commitments to them.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`, also
 * when the sink has a writer already.
 */
export function auditLog(options: AuditLogOptions): AuditLog {
  const given = checkedOptions(options);
  const { sink, payloads } = given;
  const key = resolveKey("auditLog()", given.key, sink.keyFile);
  const text = new RecordText({
    payloads: payloads === "beside" ? "beside" : payloads ? "inside" : "nowhere",
    metadata: given.metadata,
    commit: commitments(key),
    sessions: new SessionNumbers(given.maxSessions),
  });
  const opened = `"writer":${quote(randomUUID())},"key":${quote(keyFingerprint(key))}`;
  const writer = new Writer({
    sink,
    maxQueued: given.maxQueued,
    onFull: given.onFull,
    now: clockOf(given.now),
    timers: given.timers,
    texts: {
      call: (kind, record, time) => text.of(kind, record, time),
      payload: () => text.payload(),
      head: (time) => `"kind":"head","time":${time},${opened}`,
      repair: (cutBytes, time) => `"kind":"repair","time":${time},"cutBytes":${cutBytes}`,
      gap: (dropped, time) => `"kind":"gap","time":${time},"dropped":${dropped}`,
    },
  });
  return Object.freeze({
    name: given.name,
    required: given.required,
    intent:
      given.required || sink.intents === true
        ? (record: CallRecord) => writer.add("intent", record)
        : undefined,
    settle: (record: CallRecord) => writer.add("outcome", record),
    timeoutMs: given.timeoutMs,
    head: () => writer.head,
    checkpoint: () => writer.checkpoint(),
    close: () => writer.close(),
  });
}
