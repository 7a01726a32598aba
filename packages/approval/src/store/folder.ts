import { mkdirSync, type Stats, statSync } from "node:fs";
import { ToolstileError } from "@toolstile/core";
import { codeOf } from "@toolstile/core/files";
import { quoted } from "@toolstile/core/host";

/** @throws ToolstileError `ERR_INVALID_OPTION` if the folder cannot be used. */
export function prepareFolder(folder: string, create: boolean): void {
  let stats: Stats;
  try {
    if (create) mkdirSync(folder, { recursive: true, mode: 0o700 });
    stats = statSync(folder);
  } catch (cause) {
    const code = codeOf(cause);
    const missing = `is not there. The program whose calls are asked about makes it; a relative path starts at ${quoted(process.cwd())}`;
    throw refused(folder, code === "ENOENT" ? missing : `cannot be used (${code})`, cause);
  }
  if (!stats.isDirectory()) throw refused(folder, "must be a folder, received a file");
  // Anybody who may delete and rename in it could take back what was answered and used.
  // Windows has no such bits. With the sticky one, others can only add.
  if (process.platform === "win32" || (stats.mode & 0o002) === 0) return;
  if ((stats.mode & 0o1000) !== 0) return;
  throw refused(
    folder,
    "may be written to by anybody, who could take back what was answered and used. Run chmod 700 on it",
  );
}

function refused(folder: string, why: string, cause?: unknown): ToolstileError {
  return new ToolstileError(
    "ERR_INVALID_OPTION",
    `The folder of approvals ${quoted(folder.slice(-64))} ${why}.`,
    { cause },
  );
}
