import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ToolstileError } from "@toolstile/core";
import { isAbsent, readRegularFile, replaceFile, takeLock } from "@toolstile/core/files";
import { deepFreeze, quoted } from "@toolstile/core/provider";
import { readPins, writePins } from "./pin-file.js";
import type { Pin, PinStore } from "./pin-store.js";

/**
 * Pins in a JSON file, for people to review and for several processes at once.
 *
 * The file is read at each list, and at a call of a tool that is withheld, so
 * that an approval by `toolstile mcp pins` holds at once. It is written whole,
 * synced, and renamed into place; only its owner can read it. A file that
 * is damaged, or that was there and is gone, is an error and never an empty set
 * of pins.
 *
 * @throws ToolstileError `ERR_CONFIG`, here for a file that cannot be read, and later from `read` and `update`.
 */
export async function filePins(path: string): Promise<PinStore> {
  if (typeof path !== "string" || path === "") {
    throw new ToolstileError("ERR_INVALID_OPTION", "filePins() takes the path of a file.");
  }
  const file = new PinFile(path);
  file.read();
  return { read: async () => file.read(), update: (change) => file.update(change) };
}

class PinFile {
  readonly #path: string;
  #wasThere = false;
  /** The bytes that were read last, and the pins in them, which are frozen. */
  #known: { readonly bytes: Buffer; readonly pins: readonly Pin[] } | undefined;
  /** One change after the other, in this process. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  read(): readonly Pin[] {
    let bytes: Buffer;
    let text: string;
    try {
      bytes = readRegularFile(this.#path, { followLinks: true });
      // Each session reads it at each list, and to prove all its digests takes a while.
      if (this.#known?.bytes.equals(bytes) === true) return this.#known.pins;
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch (cause) {
      if (isAbsent(cause) && !this.#wasThere) return [];
      throw this.#error("cannot be read", cause);
    }
    this.#wasThere = true;
    try {
      const pins = deepFreeze(readPins(text));
      this.#known = { bytes, pins };
      return pins;
    } catch (cause) {
      throw this.#error("is damaged, or is not a file of pins", cause);
    }
  }

  update(change: (pins: readonly Pin[]) => readonly Pin[]): Promise<readonly Pin[]> {
    const changed = this.#changing.then(() => this.#update(change));
    this.#changing = changed.catch(() => {});
    return changed;
  }

  async #update(change: (pins: readonly Pin[]) => readonly Pin[]): Promise<readonly Pin[]> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const release = await lockAt(`${this.#path}.lock`);
    try {
      const before = this.read();
      const after = change(before);
      if (after !== before) await this.#write(writePins(after));
      return after;
    } finally {
      release();
    }
  }

  async #write(text: string): Promise<void> {
    try {
      await replaceFile(this.#path, text);
    } catch (cause) {
      throw this.#error("cannot be written", cause);
    }
    this.#wasThere = true;
  }

  #error(what: string, cause: unknown): ToolstileError {
    return new ToolstileError(
      "ERR_CONFIG",
      `The file of pins ${quoted(this.#path.slice(-64))} ${what}. Put a copy of it back, or remove it to have all tools seen for the first time again.`,
      { cause },
    );
  }
}

const attempts = 200;
const betweenMs = 25;

/**
 * Takes the lock of a file of pins, and waits some seconds for other processes.
 *
 * @throws ToolstileError `ERR_CONFIG` where it stays taken.
 */
async function lockAt(path: string): Promise<() => void> {
  for (let attempt = 0; ; attempt++) {
    const { release, obstacle } = takeLock(path);
    if (release !== undefined) return release;
    if (attempt === attempts) {
      throw new ToolstileError(
        "ERR_CONFIG",
        `The lock ${quoted(obstacle.slice(-64))} stays taken. Remove the file if no process of yours is using the pins.`,
      );
    }
    await wait(betweenMs);
  }
}
