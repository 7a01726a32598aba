import { ToolstileError } from "@toolstile/core";
import type { SyncedFile } from "../disk.js";

/** A file that only one writer appends to, and that holds whole appends only. */
export class AppendedFile {
  readonly #file: SyncedFile;
  readonly #syncs = new Set<Promise<void>>();
  size: number;

  constructor(file: SyncedFile) {
    this.#file = file;
    this.size = file.stat().size;
  }

  /** All of the bytes, or none and an error. */
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

  /** With those under way: one that fails takes its bytes with it, and one begun later may succeed all the same. */
  async sync(): Promise<void> {
    const earlier = [...this.#syncs];
    const sync = this.#file.sync();
    this.#syncs.add(sync);
    const over = () => void this.#syncs.delete(sync);
    sync.then(over, over);
    await Promise.all([...earlier, sync]);
  }

  /** Not before its syncs are over: the descriptor may be another file's by then. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#syncs);
    this.#file.close();
  }

  /** Half a line would be glued to whatever comes next. If it stays after all, the next opening cuts it. */
  #cutBack(): void {
    try {
      this.#file.truncate(this.size);
    } catch {
      // The failed write is what the caller must hear of.
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
