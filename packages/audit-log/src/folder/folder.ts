import { diskAt } from "../files/disk.js";
import { requirePath } from "../files/options.js";
import { realPath } from "../files/real-path.js";
import { clockOf } from "../format/time.js";
import { ChainFiles } from "./chain-files.js";
import { type FolderSink, FolderWriter } from "./folder-writer.js";
import { type FolderOptions, folderOptions } from "./options.js";
import { keyInFile, signer, signingKey } from "./signing.js";

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
  requirePath("folder()", "folder", path);
  const given = folderOptions(options);
  const real = realPath(path);
  const { signingKey: key } = given;
  const passed = key === undefined || key === false ? undefined : signer(signingKey(key));
  const now = clockOf(given.now);
  const disk = given.disk ?? diskAt(real);
  return new FolderWriter({
    path: real,
    durability: given.durability,
    syncAfterMs: given.syncAfterMs ?? 100,
    checkpointAfterMs: key === false ? undefined : given.checkpointAfterMs,
    timers: given.timers,
    take() {
      const made =
        key === undefined ? signer(keyInFile(`${real}.signing.pem`, `${real}.public.pem`)) : passed;
      const { writer, maxSegmentBytes, maxSegmentAgeMs, retention, checkpointEvery, origin } =
        given;
      return new ChainFiles({
        disk,
        writer,
        maxSegmentBytes,
        maxSegmentAgeMs,
        retention,
        signer: made,
        checkpointEvery,
        origin,
        now,
      });
    },
  });
}
