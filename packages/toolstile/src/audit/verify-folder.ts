import { parseArgs } from "node:util";
import { type FolderReport, verifyFolder } from "@toolstile/audit-log";
import { exitCodes } from "../command.js";
import { complaint, isExplained } from "../file-error.js";
import { palette, printableJson, type Terminal } from "../terminal.js";
import { ByteProgress } from "./byte-progress.js";
import { folderInWords } from "./folder-report.js";
import { noChain } from "./no-chain.js";

export interface FolderToVerify {
  readonly path: string;
  /** File of the checkpoints' public key. */
  readonly key: string | undefined;
  /** Files or folders of checkpoints that were kept elsewhere. */
  readonly anchor: readonly string[];
  /** That the checkpoints must have. */
  readonly origin: string | undefined;
  readonly asJson: boolean;
}

/** Verifies a log's folder, prints what was found, and gives the exit code. */
export async function verifyLogFolder(
  { path, key, anchor, origin, asJson }: FolderToVerify,
  terminal: Terminal,
): Promise<number> {
  const progress = new ByteProgress(terminal);
  let report: FolderReport;
  try {
    report = await verifyFolder(path, {
      ...(key === undefined ? {} : { key }),
      ...(anchor.length === 0 ? {} : { anchor }),
      ...(origin === undefined ? {} : { origin }),
      onProgress: ({ file, bytes, totalBytes }) => progress.show(file, bytes, totalBytes),
    });
  } catch (error) {
    if (!isExplained(error)) throw error;
    terminal.err.write(complaint(culprit(path, error), error));
    return exitCodes.usage;
  } finally {
    progress.clear();
  }
  if (report.chains.length === 0) {
    terminal.err.write(noChain(path));
    return exitCodes.usage;
  }
  const colours = palette(terminal.out, terminal.environment);
  terminal.out.write(asJson ? printableJson(report) : folderInWords(path, report, colours));
  return report.ok ? exitCodes.ok : exitCodes.broken;
}

/** All values of an option that may be given more than once. The command line was read before. */
export function valuesOf(argv: readonly string[], option: string): readonly string[] {
  const { values } = parseArgs({
    args: [...argv],
    options: { [option]: { type: "string", multiple: true } },
    strict: false,
    allowPositionals: true,
  });
  const found = values[option];
  return Array.isArray(found) ? found.filter((each) => typeof each === "string") : [];
}

/** The key or an anchor may be what cannot be read. */
function culprit(path: string, error: Error): string {
  return "path" in error && typeof error.path === "string" ? error.path : path;
}
