import { stat } from "node:fs/promises";
import type { Clock } from "@toolstile/core";

interface FollowOptions {
  readonly intervalMs: number;
  readonly clock: Clock;
  /** The state of the files before they were read. */
  readonly known: string;
}

/** Looks again and again whether files have changed, and tells of it once they hold still. */
export class FileChanges {
  readonly #files: () => readonly string[];
  readonly #changed: () => Promise<void>;
  readonly #intervalMs: number;
  readonly #clock: Clock;
  #known: string;
  #last: string;
  #timer: unknown;
  #stopped = false;

  /**
   * Polled, and not told by the system: that misses files on networks, in
   * containers and behind links that are exchanged.
   */
  constructor(
    files: () => readonly string[],
    changed: () => Promise<void>,
    { intervalMs, clock, known }: FollowOptions,
  ) {
    this.#files = files;
    this.#changed = changed;
    this.#intervalMs = intervalMs;
    this.#clock = clock;
    this.#known = known;
    this.#last = known;
    this.#wait();
  }

  #wait(): void {
    if (this.#stopped || this.#intervalMs === Number.POSITIVE_INFINITY) return;
    this.#timer = this.#clock.setTimeout(() => void this.#look(), this.#intervalMs);
    // Watching a policy must not keep the process alive.
    const timer = Object(this.#timer) as { unref?: () => void };
    timer.unref?.();
  }

  async #look(): Promise<void> {
    const now = await standing(this.#files());
    // Half a file may be a policy with fewer guards: it must be the same at two looks in a row.
    const isNew = now !== this.#known && now === this.#last;
    this.#last = now;
    if (isNew && !this.#stopped) {
      this.#known = now;
      await this.#changed();
    }
    this.#wait();
  }

  stop(): void {
    this.#stopped = true;
    this.#clock.clearTimeout(this.#timer as never);
  }
}

/** The state of files as text. Two equal texts mean that no file has changed. */
export async function standing(files: readonly string[]): Promise<string> {
  const each = files.map(async (file) => {
    try {
      const { ino, size, mtimeNs } = await stat(file, { bigint: true });
      return [file, ino, size, mtimeNs].join("\0");
    } catch {
      return file;
    }
  });
  return (await Promise.all(each)).join("\0\0");
}
