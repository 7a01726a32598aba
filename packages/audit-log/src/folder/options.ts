import { KeyObject } from "node:crypto";
import { checkOptions, ToolstileError } from "@toolstile/core";
import type { Disk } from "../disk.js";
import type { Timers } from "../timers.js";

export type Durability = "write-ahead" | "batched" | "none";

/** Which segments go. One is removed when any limit says so; the one that is written to never. */
export interface RetentionOptions {
  readonly maxSegments?: number | undefined;
  /** Of all segments of a chain. */
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

const known: readonly (keyof FolderOptions)[] = [
  "durability",
  "syncAfterMs",
  "maxSegmentBytes",
  "maxSegmentAgeMs",
  "retention",
  "signingKey",
  "checkpointEvery",
  "checkpointAfterMs",
  "origin",
  "writer",
  "now",
  "timers",
  "disk",
];

const counts = [
  "syncAfterMs",
  "maxSegmentBytes",
  "maxSegmentAgeMs",
  "checkpointEvery",
  "checkpointAfterMs",
] as const;
const durabilities: readonly unknown[] = ["write-ahead", "batched", "none"];
const retentionNames = ["maxSegments", "maxBytes", "maxAgeMs"] as const;
const largestSegment = 1 << 30;
const longestTimeout = 2 ** 31 - 1;

/**
 * The options, own ones only.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`.
 */
export function folderOptions(options: FolderOptions): FolderOptions {
  checkOptions("folder()", options, known);
  const given: FolderOptions = Object.assign(Object.create(null), options);
  for (const name of counts) refuse(!isCount(given[name]), `'${name}' is a whole number from 1`);
  for (const name of ["syncAfterMs", "checkpointAfterMs"] as const) {
    refuse((given[name] ?? 1) > longestTimeout, `'${name}' is at most ${longestTimeout}`);
  }
  refuse((given.maxSegmentBytes ?? 1) > largestSegment, "'maxSegmentBytes' is at most 1 GiB");
  const { durability, signingKey, origin, writer, now } = given;
  refuse(
    durability !== undefined && !durabilities.includes(durability),
    '\'durability\' is "write-ahead", "batched" or "none"',
  );
  refuse(
    given.syncAfterMs !== undefined && durability !== "batched",
    "'syncAfterMs' has a meaning only with durability \"batched\"",
  );
  refuse(
    !(signingKey === undefined || signingKey === false || signingKey instanceof KeyObject) &&
      (typeof signingKey !== "string" || signingKey === ""),
    "'signingKey' is a private KeyObject, the path of a file, or false",
  );
  refuse(
    origin !== undefined && !(typeof origin === "string" && /^[!-*,-~]{1,200}$/.test(origin)),
    "'origin' is printable ASCII without blanks and +",
  );
  refuse(
    writer !== undefined &&
      !(typeof writer === "string" && /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/.test(writer)),
    "'writer' is a name of at most 64 letters, digits, dots, hyphens and underscores",
  );
  refuse(now !== undefined && typeof now !== "function", "'now' is a function");
  if (given.retention === undefined) return given;
  return Object.assign(given, { retention: retentionOptions(given.retention) });
}

function retentionOptions(options: RetentionOptions): RetentionOptions {
  checkOptions("folder(): 'retention'", options, retentionNames);
  const given: RetentionOptions = Object.assign(Object.create(null), options);
  for (const name of retentionNames) {
    refuse(!isCount(given[name]), `'retention.${name}' is a whole number from 1`);
  }
  return given;
}

function isCount(value: unknown): boolean {
  return value === undefined || (Number.isSafeInteger(value) && (value as number) >= 1);
}

function refuse(wrong: boolean, what: string): void {
  if (wrong) throw new ToolstileError("ERR_INVALID_OPTION", `folder(): ${what}.`);
}
