import { mkdirSync, type Stats, statSync } from "node:fs";
import { codeOf, resolvedPath } from "@toolstile/core/files";
import { ToolstileError } from "@toolstile/core/provider";

const whys: ReadonlyMap<unknown, string> = new Map([
  ["ENOENT", "is not there. The program whose calls are asked about makes it"],
  ["EEXIST", "must be a folder, received a file"],
]);

/** @throws ToolstileError `ERR_INVALID_OPTION` if the folder cannot be used. */
export function prepareFolder(folder: string, create: boolean): void {
  let stats: Stats;
  try {
    if (create) mkdirSync(folder, { recursive: true, mode: 0o700 });
    stats = statSync(folder);
  } catch (cause) {
    const code = codeOf(cause);
    throw refused(folder, whys.get(code) ?? `cannot be used (${code})`, cause);
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
    `The folder of approvals ${resolvedPath(folder)} ${why}.`,
    { cause },
  );
}
