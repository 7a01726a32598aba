import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { quoted, ToolstileError } from "@toolstile/core";
import { codeOf, withLock } from "./lock-file.js";
import { readPins, writePins } from "./pin-file.js";
import type { Pin, PinStore } from "./pin-store.js";

/**
 * Pins in a JSON file, for people to review and for several processes at once.
 *
 * The file is read at each list, and at a call of a tool that is withheld, so
 * that an approval by `toolstile mcp pins` holds at once. It is written whole,
 * synced, and renamed into place; nobody but its owner can read it. A file that
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
  await file.read();
  return { read: () => file.read(), update: (change) => file.update(change) };
}

class PinFile {
  readonly #path: string;
  #wasThere = false;
  /** One change after the other, in this process. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  async read(): Promise<readonly Pin[]> {
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(await readFile(this.#path));
    } catch (cause) {
      if (codeOf(cause) === "ENOENT" && !this.#wasThere) return [];
      throw this.#error("cannot be read", cause);
    }
    this.#wasThere = true;
    try {
      return readPins(text);
    } catch (cause) {
      throw this.#error("is damaged, or is no file of pins", cause);
    }
  }

  update(change: (pins: readonly Pin[]) => readonly Pin[]): Promise<readonly Pin[]> {
    const changed = this.#changing.then(() => this.#update(change));
    this.#changing = changed.catch(() => {});
    return changed;
  }

  async #update(change: (pins: readonly Pin[]) => readonly Pin[]): Promise<readonly Pin[]> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    return withLock(`${this.#path}.lock`, async () => {
      const before = await this.read();
      const after = change(before);
      if (after !== before) await this.#write(writePins(after));
      return after;
    });
  }

  async #write(text: string): Promise<void> {
    const draft = `${this.#path}.${randomBytes(6).toString("hex")}.new`;
    try {
      const file = await open(draft, "wx", 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, this.#path);
    } catch (cause) {
      await unlink(draft).catch(() => {});
      throw this.#error("cannot be written", cause);
    }
    this.#wasThere = true;
    await syncFolder(dirname(this.#path));
  }

  #error(what: string, cause: unknown): ToolstileError {
    return new ToolstileError(
      "ERR_CONFIG",
      `The file of pins ${quoted(this.#path.slice(-64))} ${what}. Put a copy of it back, or remove it to have all tools seen for the first time again.`,
      { cause },
    );
  }
}

/** A new name is lost with the power until its folder is written. */
async function syncFolder(path: string): Promise<void> {
  // Windows opens no folders, and writes names through.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
