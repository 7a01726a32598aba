import { ToolstileError } from "@toolstile/core/provider";
import type { LogFile, SyncedFile } from "./log-file.js";

/** A file that only one writer appends to, and that contains whole appends only. */
export class AppendedFile {
  readonly #file: LogFile & Partial<Pick<SyncedFile, "sync">>;
  readonly #syncs = new Set<Promise<void>>();
  size: number;

  constructor(file: LogFile & Partial<Pick<SyncedFile, "sync">>) {
    this.#file = file;
    this.size = file.stat().size;
  }

  /** Appends all of the bytes, or none and throws. */
  async append(bytes: Uint8Array): Promise<void> {
    this.#requireSoleWriter();
    try {
      for (let written = 0; written < bytes.length; ) {
        const count = await this.#file.write(bytes.subarray(written));
        if (count <= 0) throw new Error("The file takes no more bytes.");
        written += count;
      }
    } catch (error) {
      this.#cutBack();
      throw error;
    }
    this.size += bytes.length;
  }

  /** Waits for earlier syncs, too: one that fails takes its bytes with it, and one begun later may succeed all the same. */
  async sync(): Promise<void> {
    const earlier = [...this.#syncs];
    const sync = this.#file.sync?.() ?? Promise.resolve();
    this.#syncs.add(sync);
    const over = () => void this.#syncs.delete(sync);
    sync.then(over, over);
    await Promise.all([...earlier, sync]);
  }

  /** Closes the file when its syncs are over: its descriptor may be another file's by then. */
  async close(): Promise<void> {
    if (this.#syncs.size > 0) await Promise.allSettled(this.#syncs);
    this.#file.close();
  }

  /** Half a line would be glued to the next one. If it cannot be cut now, the next opening cuts it. */
  #cutBack(): void {
    try {
      this.#file.truncate(this.size);
    } catch {
      // The caller must hear of the failed write.
    }
  }

  /** A lock file can be deleted by hand, and does not bind other programs. */
  #requireSoleWriter(): void {
    const { size, links } = this.#file.stat();
    if (links === 0) throw new ToolstileError("ERR_CLOSED", "The log file was deleted.");
    if (size === this.size) return;
    throw new ToolstileError(
      "ERR_CLOSED",
      "Somebody else wrote to the log file or cut it: two writers must not share a chain.",
    );
  }
}
