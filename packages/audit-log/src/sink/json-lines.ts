import { func, type OptionTable, readOptions, ToolstileError } from "@toolstile/core/provider";
import { AppendedFile } from "../files/appended-file.js";
import { type LogFile, openLogFile } from "../files/log-file.js";
import { requirePath } from "../files/options.js";
import { requireLock } from "../files/own-file.js";
import { realPath } from "../files/real-path.js";
import { chainEnd } from "./chain-end.js";
import type { AuditSink, OpenedChain } from "./sink.js";

export interface JsonLinesOptions {
  /** Opens the file. For tests that are the disk. */
  readonly openFile?: ((path: string) => LogFile) | undefined;
}

const jsonLinesOptions = {
  openFile: func<(path: string) => LogFile>("a function that opens a file").default(openLogFile),
} satisfies OptionTable<JsonLinesOptions>;

export interface JsonLinesSink extends AuditSink {
  readonly keyFile: string;
  /** Every file that it writes, or makes beside its log: nothing else may write to them. */
  readonly files: readonly string[];
}

/**
 * A sink that appends to one file, a JSON record a line.
 *
 * It goes on with the chain that it finds there, and cuts off a torn last
 * line. Nothing is synced to the disk: what is acknowledged survives the death
 * of the process, not that of the machine.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`. When it
 * is opened: `ERR_INVALID_OPTION` when another writer has the file or may have
 * it under another name, or it is not an audit log, or its last record was changed.
 */
export function jsonLines(path: string, options: JsonLinesOptions = {}): JsonLinesSink {
  requirePath("jsonLines()", "file", path);
  const { openFile } = readOptions("jsonLines()", options, jsonLinesOptions);
  return new JsonLines(realPath(path), openFile);
}

class JsonLines implements JsonLinesSink {
  readonly name = "json-lines";
  readonly keyFile: string;
  readonly files: readonly string[];
  readonly #path: string;
  readonly #openFile: (path: string) => LogFile;
  #opened: { readonly file: AppendedFile; readonly unlock: () => void } | undefined;

  constructor(path: string, openFile: (path: string) => LogFile) {
    this.#path = path;
    this.keyFile = `${path}.key`;
    this.files = [path, this.keyFile, `${path}.lock`, `${path}.lock.takeover`];
    this.#openFile = openFile;
  }

  readonly open = (): OpenedChain => {
    const unlock = requireLock(`${this.#path}.lock`);
    let file: LogFile | undefined;
    try {
      file = this.#openFile(this.#path);
      const { size: found, links } = file.stat();
      requireOneName(links);
      const { head, size } = chainEnd(file);
      if (size < found) file.truncate(size);
      this.#opened = { file: new AppendedFile(file), unlock };
      return { head, cutBytes: found - size };
    } catch (error) {
      try {
        file?.close();
      } finally {
        unlock();
      }
      throw error;
    }
  };

  readonly append = async (lines: Uint8Array): Promise<void> => {
    if (this.#opened === undefined) {
      throw new ToolstileError("ERR_CLOSED", "This log file is not open.");
    }
    await this.#opened.file.append(lines);
  };

  readonly close = async (): Promise<void> => {
    const opened = this.#opened;
    this.#opened = undefined;
    try {
      await opened?.file.close();
    } finally {
      opened?.unlock();
    }
  };
}

/** The lock beside one name of a file does not keep out a writer that uses another. */
function requireOneName(links: number): void {
  if (links <= 1) return;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `The log file has ${links} names (hard links), and another writer may have it by another. ` +
      "Leave it one, or begin a new log.",
  );
}
