import type { ToolstileError } from "@toolstile/core";
import {
  boolean,
  func,
  invalidOption,
  nonEmptyText,
  type OptionsOf,
  type OptionTable,
  oneOf,
  readOptions,
  required,
  such,
  timeout,
  whole,
} from "@toolstile/core/provider";
import { keyOption } from "../files/options.js";
import { clockOf } from "../format/time.js";
import type { AuditSink } from "../sink/sink.js";
import { systemTimers, type Timers, timersOption } from "../sink/timers.js";

export interface AuditLogOptions {
  /** The destination of the records: `folder(path)`, `jsonLines(path)` or `memory()`. It takes one audit log at a time. */
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
  /** The timers of the log. Default: timers that do not keep the process alive. */
  readonly timers?: Timers | undefined;
}

const where = "auditLog()";

const auditLogOptions = {
  sink: required(
    such<AuditSink>(
      isSink,
      "folder(path), jsonLines(path), memory(), or an object with open, append and close",
    ),
  ),
  required: boolean().default(false),
  payloads: boolean().or("beside").default(false),
  metadata: boolean().default(false),
  key: keyOption,
  maxQueued: whole(1).default(100_000),
  onFull: oneOf("block", "deny", "drop").default("block"),
  maxSessions: whole(1).default(10_000),
  name: nonEmptyText().default("audit-log"),
  timeoutMs: timeout(),
  now: func<() => number>("a function that returns milliseconds since the epoch").default(Date.now),
  timers: timersOption.default(systemTimers),
} satisfies OptionTable<AuditLogOptions>;

/** @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION` */
export function checkedOptions(options: unknown): OptionsOf<typeof auditLogOptions> {
  const given = readOptions(where, options, auditLogOptions);
  if (given.payloads === "beside" && given.sink.takesPayloads !== true) {
    throw unfit('payloads "beside" the log need a sink that keeps them, as folder(path) does');
  }
  if (given.required && given.onFull === "drop") {
    throw unfit(
      "'required' and onFull \"drop\" exclude each other: a record that is dropped is not written",
    );
  }
  // Later on, a clock that has gone wrong must not cost the record.
  if (clockOf(given.now)() === null) {
    throw unfit("'now' must return a number of milliseconds since the epoch");
  }
  return given;
}

function isSink(value: unknown): boolean {
  const { open, append, close } = value as Partial<AuditSink>;
  return [open, append, close].every((it) => typeof it === "function");
}

function unfit(what: string): ToolstileError {
  return invalidOption(where, `${what}.`);
}
