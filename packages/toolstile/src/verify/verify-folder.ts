import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { type FolderReport, verifyFolder } from "@toolstile/audit-log";
import { noChain } from "../audit/no-chain.js";
import { exitCodes } from "../terminal/command.js";
import { complaint, isExplained } from "../terminal/file-error.js";
import { Progress } from "../terminal/progress.js";
import { palette, printableJson, type Terminal } from "../terminal/terminal.js";
import { folderInWords } from "./folder-report.js";

export interface FolderToVerify {
  readonly path: string;
  /** File of the checkpoints' public key. */
  readonly key: string | undefined;
  /** Files or folders of checkpoints that were kept elsewhere. */
  readonly anchor: readonly string[];
  /** The origin that the checkpoints must have. */
  readonly origin: string | undefined;
  readonly asJson: boolean;
}

/** Verifies a log's folder, prints what was found, and gives the exit code. */
export async function verifyLogFolder(
  { path, key, anchor, origin, asJson }: FolderToVerify,
  terminal: Terminal,
): Promise<number> {
  const progress = new Progress(terminal);
  let report: FolderReport;
  try {
    report = await verifyFolder(path, {
      ...(key === undefined ? {} : { key }),
      ...(anchor.length === 0 ? {} : { anchor }),
      ...(origin === undefined ? {} : { origin }),
      onProgress: ({ file, bytes, totalBytes }) => progress.showBytes(file, bytes, totalBytes),
    });
  } catch (error) {
    if (!isExplained(error)) throw error;
    const file = culprit(path, error);
    terminal.err.write(complaint(file, error) + (anchor.includes(file) ? aboutAnchors : ""));
    return exitCodes.usage;
  } finally {
    progress.clear();
  }
  if (report.chains.length === 0) {
    terminal.err.write(noChain(path));
    return exitCodes.usage;
  }
  const colours = palette(terminal.out, terminal.environment);
  terminal.out.write(
    asJson ? printableJson(report) : folderInWords(path, report, colours, publicKeyBeside(path)),
  );
  return report.ok ? exitCodes.ok : exitCodes.broken;
}

const aboutAnchors =
  "An anchor is a copy of the file 'checkpoint' of a chain, kept elsewhere, or a folder of such. If none was kept, leave --anchor out.\n";

/** The public key that the log's first writer has made beside its folder. */
function publicKeyBeside(path: string): string | undefined {
  const file = `${resolve(path)}.public.pem`;
  return existsSync(file) ? relative(process.cwd(), file) : undefined;
}

/** The key or an anchor may be what cannot be read. */
function culprit(path: string, error: Error): string {
  return "path" in error && typeof error.path === "string" ? error.path : path;
}
