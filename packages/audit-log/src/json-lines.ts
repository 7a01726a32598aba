import { checkOptions, ToolstileError } from "@toolstile/core";
import { chainEnd } from "./chain-end.js";
import { requireLock } from "./lock.js";
import { type LogFile, openLogFile } from "./log-file.js";
import { realPath } from "./real-path.js";
import type { AuditSink, OpenedChain } from "./sink.js";

export interface JsonLinesOptions {
  /** Opens the file. For tests that are the disk. */
  readonly openFile?: ((path: string) => LogFile) | undefined;
}

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
 * it under another name, or it is no audit log, or its last record was changed.
 */
export function jsonLines(path: string, options: JsonLinesOptions = {}): JsonLinesSink {
  if (typeof path !== "string" || path === "") {
    throw new ToolstileError("ERR_INVALID_OPTION", "jsonLines() takes the path of a file.");
  }
  checkOptions("jsonLines()", options, ["openFile"]);
  const openFile = Object.hasOwn(options, "openFile") ? options.openFile : undefined;
  return new JsonLines(realPath(path), openFile ?? openLogFile);
}

class JsonLines implements JsonLinesSink {
  readonly name = "json-lines";
  readonly keyFile: string;
  readonly files: readonly string[];
  readonly #path: string;
  readonly #openFile: (path: string) => LogFile;
  #file: LogFile | undefined;
  #unlock: (() => void) | undefined;
  /** The bytes that the file has, if nobody else wrote to it. */
  #size = 0;

  constructor(path: string, openFile: (path: string) => LogFile) {
    this.#path = path;
    this.keyFile = `${path}.key`;
    this.files = [path, this.keyFile, `${path}.lock`, `${path}.lock.takeover`];
    this.#openFile = openFile;
  }

  readonly open = (): OpenedChain => {
    this.#unlock = requireLock(`${this.#path}.lock`);
    try {
      const file = this.#openFile(this.#path);
      this.#file = file;
      const { size: found, links } = file.stat();
      requireOneName(links);
      const { head, size } = chainEnd(file);
      if (size < found) file.truncate(size);
      this.#size = size;
      return { head, cutBytes: found - size };
    } catch (error) {
      this.close();
      throw error;
    }
  };

  readonly append = async (lines: Uint8Array): Promise<void> => {
    const file = this.#file;
    if (file === undefined) throw new ToolstileError("ERR_CLOSED", "This log file is not open.");
    this.#requireSoleWriter(file);
    try {
      for (let written = 0; written < lines.length; ) {
        const count = await file.write(lines.subarray(written));
        if (count <= 0) throw new Error("The file takes no more bytes.");
        written += count;
      }
      this.#size += lines.length;
    } catch (error) {
      this.#cutBack(file);
      throw error;
    }
  };

  /** Half a line would be glued to whatever comes next. If it stays after all, the next opening cuts it. */
  #cutBack(file: LogFile): void {
    try {
      file.truncate(this.#size);
    } catch {
      // The failed write is what the caller must hear of.
    }
  }

  readonly close = (): void => {
    const file = this.#file;
    const unlock = this.#unlock;
    this.#file = undefined;
    this.#unlock = undefined;
    try {
      file?.close();
    } finally {
      unlock?.();
    }
  };

  /** A lock file can be deleted by hand, and does not bind other programs. */
  #requireSoleWriter(file: LogFile): void {
    const { size, links } = file.stat();
    if (links === 0) throw new ToolstileError("ERR_CLOSED", "The log file was deleted.");
    if (size === this.#size) return;
    throw new ToolstileError(
      "ERR_CLOSED",
      "Somebody else wrote to the log file or cut it: two writers must not share a chain.",
    );
  }
}

/** The lock beside one name of a file keeps nobody out who comes by another. */
function requireOneName(links: number): void {
  if (links <= 1) return;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `The log file has ${links} names (hard links), and another writer may have it by another. ` +
      "Leave it one, or begin a new log.",
  );
}
