import type { Disk } from "../../src/files/disk.js";
import type { SyncedFile } from "../../src/files/log-file.js";

/** Numbers from 0 to 1 that a seed decides. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Inode {
  /** What a loss of power leaves for certain. */
  durable: Buffer = Buffer.alloc(0);
  bytes: Buffer = Buffer.alloc(0);
  /** A sync of it failed: later ones succeed, and write nothing of what was lost. */
  isPoisoned = false;
}

interface Folder {
  durable: Map<string, Inode>;
  live: Map<string, Inode>;
}

export type Fault = "power" | "sync" | "full";

/** A disk that loses what was not synced, and tears what was. What happens is decided by the seed. */
export class SimulatedDisk implements Disk {
  readonly #random: () => number;
  readonly #folders = new Map<string, Folder>([["", { durable: new Map(), live: new Map() }]]);
  #locks = new Set<string>();
  #isOff = false;
  #fault: { kind: Fault; in: number } | undefined;
  readonly happened: Record<Fault | "torn" | "zeroed" | "renameLost", number> = {
    power: 0,
    sync: 0,
    full: 0,
    torn: 0,
    zeroed: 0,
    renameLost: 0,
  };

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Something goes wrong so many steps from now. */
  failIn(steps: number, kind: Fault): void {
    this.#fault = { kind, in: steps };
  }

  /** The machine loses its power, if it has not yet, and starts again. */
  restart(): void {
    for (const folder of this.#folders.values()) {
      const names = new Set([...folder.durable.keys(), ...folder.live.keys()]);
      for (const name of names) {
        const [was, is] = [folder.durable.get(name), folder.live.get(name)];
        if (was === is) continue;
        const kept = this.#random() < 0.5 ? was : is;
        if (kept === was) this.happened.renameLost++;
        if (kept === undefined) folder.live.delete(name);
        else folder.live.set(name, kept);
      }
      for (const inode of folder.live.values()) {
        inode.bytes = this.#survive(inode);
        inode.durable = inode.bytes;
        inode.isPoisoned = false;
      }
      folder.durable = new Map(folder.live);
    }
    this.#locks.clear();
    this.#isOff = false;
    this.#fault = undefined;
  }

  /** The process dies, and the machine does not. */
  forget(): void {
    this.#locks.clear();
    this.#fault = undefined;
  }

  #survive({ durable, bytes, isPoisoned }: Inode): Buffer {
    if (durable.equals(bytes)) return bytes;
    const isLonger =
      bytes.length > durable.length && bytes.subarray(0, durable.length).equals(durable);
    if (!isLonger && this.#random() < 0.5) return durable;
    const from = isLonger ? durable.length : 0;
    const end = from + Math.floor(this.#random() * (bytes.length - from + 1));
    const kept = Buffer.from(
      bytes.subarray(0, Math.max(end, isLonger ? 0 : Math.min(durable.length, bytes.length))),
    );
    if (end < bytes.length) this.happened.torn++;
    if (isLonger && end > from && (isPoisoned || this.#random() < 0.2)) {
      this.happened.zeroed++;
      const zeroFrom = isPoisoned ? from : from + Math.floor(this.#random() * (end - from));
      kept.fill(0, zeroFrom, zeroFrom + 1 + Math.floor(this.#random() * (end - zeroFrom)));
    }
    return kept;
  }

  /** What goes wrong in this step, if anything does. */
  #step(able: Fault): Fault | undefined {
    if (this.#isOff) throw failure("EPOWER");
    const fault = this.#fault;
    if (fault === undefined) return undefined;
    fault.in--;
    if (fault.in > 0 || (fault.kind !== "power" && fault.kind !== able)) return undefined;
    this.happened[fault.kind]++;
    if (fault.kind === "power") this.#isOff = true;
    if (fault.kind !== "full") this.#fault = undefined;
    return fault.kind;
  }

  /** A step of which a loss of power does all or nothing. */
  #whole(act: () => void): void {
    const fault = this.#step("power");
    if (fault === undefined || this.#random() < 0.5) act();
    if (fault !== undefined) throw failure("EPOWER");
  }

  readonly open = (path: string): SyncedFile => {
    const [folder, name] = this.#at(path);
    this.#whole(() => {
      if (!folder.live.has(name)) folder.live.set(name, new Inode());
    });
    const inode = folder.live.get(name) as Inode;
    let isOpen = true;
    const use = () => {
      if (!isOpen) throw failure("EBADF");
    };
    return {
      stat: () => {
        use();
        const isThere = [...folder.live.values()].includes(inode);
        return { size: inode.bytes.length, links: isThere ? 1 : 0 };
      },
      read: (target, position) => inode.bytes.copy(target, 0, position, position + target.length),
      write: async (bytes) => {
        use();
        const fault = this.#step("full");
        const count =
          fault !== undefined || this.#random() < 0.1
            ? Math.floor(this.#random() * bytes.length)
            : bytes.length;
        inode.bytes = Buffer.concat([inode.bytes, bytes.subarray(0, count)]);
        await this.#pause();
        if (fault === "power" || this.#isOff) throw failure("EPOWER");
        if (fault === "full" && (count === 0 || this.#random() < 0.5)) throw failure("ENOSPC");
        if (count > 0) return count;
        inode.bytes = Buffer.concat([inode.bytes, bytes]);
        return bytes.length;
      },
      truncate: (size) => {
        this.#whole(() => {
          inode.bytes = inode.bytes.subarray(0, size);
        });
      },
      sync: async () => {
        use();
        const { bytes } = inode;
        const fault = this.#step("sync");
        await this.#pause();
        use();
        if (fault === "sync") inode.isPoisoned = true;
        const isDone =
          fault === undefined ? !inode.isPoisoned : this.#random() < 0.5 && fault === "power";
        if (isDone && !this.#isOff) inode.durable = bytes;
        if (fault !== undefined || this.#isOff) throw failure(fault === "sync" ? "EIO" : "EPOWER");
      },
      close: () => {
        isOpen = false;
      },
    };
  };

  readonly kind = (path: string) => {
    if (this.#folders.has(path)) return "folder";
    const [folder = "", name = ""] = path.split("/");
    return this.#folders.get(folder)?.live.has(name) ? "file" : undefined;
  };

  readonly list = (path: string): readonly string[] =>
    path === ""
      ? [...this.#folders.keys()].filter((name) => name !== "")
      : [...(this.#folders.get(path)?.live.keys() ?? [])];

  readonly makeFolder = (path: string): void => {
    this.#whole(() => {
      if (!this.#folders.has(path))
        this.#folders.set(path, { durable: new Map(), live: new Map() });
    });
  };

  readonly read = (path: string): Uint8Array | undefined => {
    const [folder, name] = this.#at(path);
    return folder.live.get(name)?.bytes;
  };

  readonly replace = (path: string, bytes: Uint8Array): void => {
    const [folder, name] = this.#at(path);
    this.#whole(() => {
      const inode = new Inode();
      inode.bytes = Buffer.from(bytes);
      inode.durable = inode.bytes;
      folder.live.set(name, inode);
    });
  };

  readonly remove = (path: string): void => {
    const [folder, name] = this.#at(path);
    this.#whole(() => folder.live.delete(name));
  };

  readonly syncFolder = (path: string): void => {
    const folder = this.#folders.get(path);
    if (folder === undefined) throw failure("ENOENT");
    this.#whole(() => {
      folder.durable = new Map(folder.live);
    });
  };

  readonly lock = (path: string): (() => void) | undefined => {
    if (this.#locks.has(path)) return undefined;
    this.#locks.add(path);
    return () => this.#locks.delete(path);
  };

  #at(path: string): [Folder, string] {
    const [folder = "", name = ""] = path.split("/");
    const found = this.#folders.get(folder);
    if (found === undefined) throw failure("ENOENT");
    return [found, name];
  }

  async #pause(): Promise<void> {
    for (let turns = Math.floor(this.#random() * 4); turns > 0; turns--) await undefined;
  }
}

function failure(code: string): Error {
  return Object.assign(new Error("disk"), { code });
}
