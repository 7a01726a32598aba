import { ToolstileError } from "@toolstile/core";
import { diskAt } from "../disk.js";
import { realPath } from "../real-path.js";
import type { AuditSink } from "../sink.js";
import { systemTimers } from "../timers.js";
import { ChainFiles } from "./chain-files.js";
import { type FolderOptions, folderOptions } from "./options.js";
import { keyInFile, signer, signingKey } from "./signing.js";
import { FolderWriter } from "./writer.js";

export interface FolderSink extends AuditSink {
  readonly keyFile: string;
  /** The folder, links followed. */
  readonly path: string;
  /** The name of the chain that is written to. Undefined while none is. */
  readonly chain: string | undefined;
}

/**
 * A sink that writes a folder: a chain of segments for each writer, with
 * rotation, retention and signed checkpoints.
 *
 * By default what is acknowledged is on the disk, and every call has a record
 * there before its tool runs. Opening goes on with a chain whose writer is
 * gone; the bytes of a torn tail are cut off and kept. The format:
 * docs/audit-format.md.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`. When it
 * is opened: `ERR_INVALID_OPTION` when the chain that `writer` names has a
 * writer already or is damaged, and the system's errors.
 */
export function folder(path: string, options: FolderOptions = {}): FolderSink {
  if (typeof path !== "string" || path === "") {
    throw new ToolstileError("ERR_INVALID_OPTION", "folder() takes the path of a folder.");
  }
  const given = folderOptions(options);
  const real = realPath(path);
  const { signingKey: key } = given;
  const passed = key === undefined || key === false ? undefined : signer(signingKey(key));
  const now = given.now ?? Date.now;
  const disk = given.disk ?? diskAt(real);
  return new FolderWriter({
    path: real,
    durability: given.durability ?? "write-ahead",
    syncAfterMs: given.syncAfterMs ?? 100,
    checkpointAfterMs: key === false ? undefined : (given.checkpointAfterMs ?? 60_000),
    timers: given.timers ?? systemTimers,
    take() {
      const made =
        key === undefined ? signer(keyInFile(`${real}.signing.pem`, `${real}.public.pem`)) : passed;
      return new ChainFiles({
        disk,
        writer: given.writer,
        maxSegmentBytes: given.maxSegmentBytes ?? 1 << 26,
        maxSegmentAgeMs: given.maxSegmentAgeMs ?? 86_400_000,
        retention: given.retention,
        signer: made,
        checkpointEvery: given.checkpointEvery ?? 10_000,
        origin: given.origin ?? "toolstile-audit",
        now: () => {
          const time = now();
          // A clock that went wrong must not cost the record.
          return Number.isFinite(time) ? time : null;
        },
      });
    },
  });
}
