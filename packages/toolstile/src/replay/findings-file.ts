import {
  closeSync,
  constants,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { ownValue } from "@toolstile/core/provider";
import { UsageError } from "../terminal/command-line.js";
import { printable, printableJson } from "../terminal/terminal.js";
import type { Finding } from "./finding.js";

/** Characters that are gathered before they are written. */
const gathered = 1 << 16;
/** The most characters of a reason, which may quote a conversation's names of tools. */
const longestReason = 1_000;
/** No finding is longer: its parts are not. */
const longestFinding = 1 << 16;
const newline = 0x0a;

/** The place of a conversation. */
export interface Place {
  readonly file: string;
  readonly line: number;
  /** Its id, or "line 7" where it has none. */
  readonly conversation: string;
}

/** A list of all findings, as JSON Lines. */
export class FindingsFile {
  readonly #descriptor: number;
  readonly #isFile: boolean;
  #text = "";
  #failed = false;

  /**
   * Opens the file and leaves it as it is.
   *
   * @throws the system's error when it cannot be written, and UsageError when
   * it holds anything but findings.
   */
  constructor(path: string) {
    // A device or a pipe holds nothing to be lost, and may not be readable.
    this.#isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
    const { O_CREAT, O_RDWR, O_WRONLY } = constants;
    this.#descriptor = openSync(path, this.#isFile ? O_RDWR | O_CREAT : O_WRONLY);
    if (!this.#isFile || holdsFindings(this.#descriptor)) return;
    closeSync(this.#descriptor);
    throw new UsageError(
      `--findings would write over ${printable(path)}, which is not a list of findings.`,
    );
  }

  /** Begins anew: whatever was in the file is gone. @throws the system's error when it cannot be written. */
  begin(): void {
    if (this.#isFile) ftruncateSync(this.#descriptor);
  }

  /** @throws the system's error when the file cannot be written; after that it takes no more. */
  add({ file, line, conversation }: Place, findings: readonly Finding[]): void {
    for (const { messageIndex, callIndex, code, reason } of findings) {
      const entry = { file, line, conversation, messageIndex, callIndex, code };
      this.#text += printableJson({ ...entry, reason: reason.slice(0, longestReason) });
      if (this.#text.length >= gathered) this.#write();
    }
  }

  /** @throws the system's error when the file cannot be written. */
  close(): void {
    try {
      this.#write();
    } finally {
      closeSync(this.#descriptor);
    }
  }

  #write(): void {
    const bytes = Buffer.from(this.#failed ? "" : this.#text);
    this.#text = "";
    try {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(this.#descriptor, bytes, written);
      }
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }
}

const parts: readonly (keyof Place | keyof Finding)[] = [
  "file",
  "line",
  "conversation",
  "messageIndex",
  "code",
  "reason",
];

/** True for an open file that is empty, or begins with a finding. */
function holdsFindings(descriptor: number): boolean {
  const bytes = Buffer.alloc(longestFinding);
  const length = readSync(descriptor, bytes, 0, bytes.length, 0);
  if (length === 0) return true;
  try {
    const first = bytes.subarray(0, length);
    const finding: unknown = JSON.parse(first.toString("utf8", 0, first.indexOf(newline)));
    return parts.every((part) => ownValue(finding, part) !== undefined);
  } catch {
    return false;
  }
}
