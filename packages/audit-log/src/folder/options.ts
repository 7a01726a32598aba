import { KeyObject } from "node:crypto";
import {
  func,
  group,
  type OptionsOf,
  type OptionTable,
  object,
  oneOf,
  optionError,
  readOptions,
  such,
  whole,
} from "@toolstile/core/provider";
import type { Disk } from "../files/disk.js";
import { systemTimers, type Timers, timersOption } from "../sink/timers.js";

export type Durability = "write-ahead" | "batched" | "none";

/** Limits of what is kept. A segment is removed when any limit says so, but never the one that is written to. */
export interface RetentionOptions {
  readonly maxSegments?: number | undefined;
  /** The limit of all segments of a chain together. */
  readonly maxBytes?: number | undefined;
  /** Milliseconds since the segment's last record. */
  readonly maxAgeMs?: number | undefined;
}

export interface FolderOptions {
  /**
   * `"write-ahead"`: a record of every call is on the disk before its tool
   * runs. `"batched"`: records are synced `syncAfterMs` later. `"none"`: only
   * at checkpoints, at rotation and at the close. Default `"write-ahead"`.
   */
  readonly durability?: Durability | undefined;
  /** Only with `"batched"`: milliseconds from a record to its sync. Default 100. */
  readonly syncAfterMs?: number | undefined;
  /** Default 64 MiB. At most 1 GiB: opening reads the last segment. */
  readonly maxSegmentBytes?: number | undefined;
  /** Default one day. Looked at when there is something to write. */
  readonly maxSegmentAgeMs?: number | undefined;
  /** Default: everything is kept. */
  readonly retention?: RetentionOptions | undefined;
  /** A private Ed25519 key, or the path of its PEM. `false`: no checkpoints. Default: beside the folder, made when absent. */
  readonly signingKey?: KeyObject | string | false | undefined;
  /** Records between two checkpoints. Default 10,000. */
  readonly checkpointEvery?: number | undefined;
  /** Milliseconds that a record may wait for a checkpoint. Default 60,000. */
  readonly checkpointAfterMs?: number | undefined;
  /** First part of the name that checkpoints are signed under. Default `"toolstile-audit"`. */
  readonly origin?: string | undefined;
  /** The chain's name. Default: sixteen random hex digits, or the first such chain whose writer is gone. */
  readonly writer?: string | undefined;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  readonly timers?: Timers | undefined;
  /** The folder. For tests that are the disk. */
  readonly disk?: Disk | undefined;
}

const longestTimeout = 2 ** 31 - 1;
const timeOption = whole(1, longestTimeout);

const retentionTable = {
  maxSegments: whole(1),
  maxBytes: whole(1),
  maxAgeMs: whole(1),
} satisfies OptionTable<RetentionOptions>;

const folderTable = {
  durability: oneOf("write-ahead", "batched", "none").default("write-ahead"),
  syncAfterMs: timeOption,
  maxSegmentBytes: whole(1, 1 << 30).default(1 << 26),
  maxSegmentAgeMs: whole(1).default(86_400_000),
  retention: group(retentionTable),
  signingKey: such<KeyObject | string | false>(
    (key) => key === false || key instanceof KeyObject || (typeof key === "string" && key !== ""),
    "a private KeyObject, the path of a file, or false",
  ),
  checkpointEvery: whole(1).default(10_000),
  checkpointAfterMs: timeOption.default(60_000),
  origin: such<string>(
    (origin) => typeof origin === "string" && /^[!-*,-~]{1,200}$/.test(origin),
    "printable ASCII without blanks and +",
  ).default("toolstile-audit"),
  writer: such<string>(
    (writer) => typeof writer === "string" && /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/.test(writer),
    "a name of at most 64 letters, digits, dots, hyphens and underscores",
  ),
  now: func<() => number>("a function that returns milliseconds since the epoch").default(Date.now),
  timers: timersOption.default(systemTimers),
  disk: object<Disk>("a folder's disk"),
} satisfies OptionTable<FolderOptions>;

/** @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`. */
export function folderOptions(options: unknown): OptionsOf<typeof folderTable> {
  const given = readOptions("folder()", options, folderTable);
  if (given.syncAfterMs !== undefined && given.durability !== "batched") {
    const expected = 'left out without durability "batched"';
    throw optionError("folder()", "syncAfterMs", expected, given.syncAfterMs);
  }
  return given;
}
