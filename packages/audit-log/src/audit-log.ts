import { randomUUID } from "node:crypto";
import { type CallRecord, checkOptions, type ToolObserver, ToolstileError } from "@toolstile/core";
import { commitments, keyFingerprint } from "./commitment.js";
import { resolveKey } from "./key.js";
import { quote } from "./line.js";
import { RecordText, whole } from "./record-text.js";
import { SessionNumbers } from "./session-numbers.js";
import type { AuditSink, ChainHead } from "./sink.js";
import { systemTimers, type Timers } from "./timers.js";
import { Writer } from "./writer.js";

export interface AuditLogOptions {
  /** Where records go: `jsonLines(path)` or `memory()`. It takes one audit log at a time. */
  readonly sink: AuditSink;
  /** With `true`, a call whose record cannot be written does not run, or has its result withheld. Default `false`. */
  readonly required?: boolean | undefined;
  /**
   * With `true`, arguments and results are recorded as they are, up to 1 MiB
   * each; with `"beside"`, next to the log, from where they can be erased
   * (`folder()` only). Default `false`: only commitments to them.
   */
  readonly payloads?: boolean | "beside" | undefined;
  /** With `true`, what guardrails pass as metadata is recorded. Default `false`. */
  readonly metadata?: boolean | undefined;
  /** At least 32 random bytes, or the path of a file that holds them. Default: the sink's key file, made when absent. */
  readonly key?: Uint8Array | string | undefined;
  /** Records that may wait to be written. Default 100,000. */
  readonly maxQueued?: number | undefined;
  /**
   * When that many wait: `"block"` makes calls wait, `"deny"` refuses records
   * at once, `"drop"` loses them. What is refused or lost is counted in the
   * log. Default `"block"`.
   */
  readonly onFull?: "block" | "deny" | "drop" | undefined;
  /** Sessions whose numbering is remembered. Default 10,000. */
  readonly maxSessions?: number | undefined;
  readonly name?: string | undefined;
  /** Milliseconds that the runner waits for a record to be written. Default: the runner's. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** How the log waits. Default: timers that do not keep the process alive. */
  readonly timers?: Timers | undefined;
}

export interface AuditLog extends ToolObserver {
  /** There when records are required, or the sink writes ahead. Resolves when the record is written. */
  readonly intent: ((record: CallRecord) => Promise<void>) | undefined;
  /** Resolves when the record is written. */
  readonly settle: (record: CallRecord) => Promise<void>;
  /** Where the chain stands after the last acknowledged record: keep it elsewhere, and `verify()` sees a cut. */
  readonly head: () => ChainHead | undefined;
  /**
   * Signs where the chain stands, all records up to now on the disk, and gives
   * the signed note to keep elsewhere. Undefined from a sink that signs nothing.
   */
  readonly checkpoint: () => Promise<string | undefined>;
  /** Writes what waits, and lets the sink go. */
  readonly close: () => Promise<void>;
}

const known: readonly (keyof AuditLogOptions)[] = [
  "sink",
  "required",
  "payloads",
  "metadata",
  "key",
  "maxQueued",
  "onFull",
  "maxSessions",
  "name",
  "timeoutMs",
  "now",
  "timers",
];

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
  checkOptions("auditLog()", options, known);
  const given: AuditLogOptions = Object.assign(Object.create(null), options);
  check(given);
  const now = given.now ?? Date.now;
  const key = resolveKey(given.key, given.sink.keyFile);
  const text = new RecordText({
    payloads:
      given.payloads === "beside" ? "beside" : given.payloads === true ? "inside" : "nowhere",
    metadata: given.metadata === true,
    commit: commitments(key),
    sessions: new SessionNumbers(given.maxSessions ?? 10_000),
  });
  const opened = `"writer":${quote(randomUUID())},"key":${quote(keyFingerprint(key))}`;
  const writer = new Writer({
    sink: given.sink,
    maxQueued: given.maxQueued ?? 100_000,
    onFull: given.onFull ?? "block",
    // A clock that went wrong later must not cost the record.
    now: () => whole(now()),
    timers: given.timers ?? systemTimers,
    texts: {
      call: (kind, record, time) => text.of(kind, record, time),
      payload: () => text.payload(),
      head: (time) => `"kind":"head","time":${time},${opened}`,
      repair: (cutBytes, time) => `"kind":"repair","time":${time},"cutBytes":${cutBytes}`,
      gap: (dropped, time) => `"kind":"gap","time":${time},"dropped":${dropped}`,
    },
  });
  const required = given.required === true;
  return Object.freeze({
    name: given.name ?? "audit-log",
    required,
    intent:
      required || given.sink.intents === true
        ? (record: CallRecord) => writer.add("intent", record)
        : undefined,
    settle: (record: CallRecord) => writer.add("outcome", record),
    timeoutMs: given.timeoutMs,
    head: () => writer.head,
    checkpoint: () => writer.checkpoint(),
    close: () => writer.close(),
  });
}

function check(given: AuditLogOptions): void {
  const { sink, key, onFull } = given;
  const isSink = [sink?.open, sink?.append, sink?.close].every((it) => typeof it === "function");
  refuse(
    !isSink,
    "'sink' is folder(path), jsonLines(path), memory(), or an object with open, append and close",
  );
  for (const name of ["required", "metadata"] as const) {
    refuse(!isOptional(given[name], "boolean"), `'${name}' is true or false`);
  }
  const { payloads } = given;
  refuse(
    !isOptional(payloads, "boolean") && payloads !== "beside",
    "'payloads' is true, false or \"beside\"",
  );
  refuse(
    payloads === "beside" && sink.takesPayloads !== true,
    'payloads "beside" the log need a sink that keeps them, as folder(path) does',
  );
  for (const name of ["maxQueued", "maxSessions"] as const) {
    const value = given[name];
    const isCount = value === undefined || (Number.isSafeInteger(value) && value >= 1);
    refuse(!isCount, `'${name}' is a whole number from 1`);
  }
  const isKey = isOptional(key, "string") || key instanceof Uint8Array;
  refuse(!isKey || key === "", "'key' is bytes, or the path of a file");
  refuse(
    onFull !== undefined && !["block", "deny", "drop"].includes(onFull),
    '\'onFull\' is "block", "deny" or "drop"',
  );
  refuse(
    given.required === true && onFull === "drop",
    "'required' and onFull \"drop\" exclude each other: a record that is dropped is not written",
  );
  refuse(!isOptional(given.name, "string") || given.name === "", "'name' is a string");
  const { now } = given;
  refuse(!isOptional(now, "function"), "'now' is a function");
  refuse(now !== undefined && !Number.isFinite(now()), "'now' gives a number of milliseconds");
  const { timeoutMs } = given;
  refuse(
    timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs > 0),
    "'timeoutMs' is a number above 0",
  );
}

function isOptional(value: unknown, type: string): boolean {
  return value === undefined || typeof value === type;
}

function refuse(wrong: boolean, what: string): void {
  if (wrong) throw new ToolstileError("ERR_INVALID_OPTION", `auditLog(): ${what}.`);
}
