import { ToolstileError } from "@toolstile/core/provider";
import type { ChainHead } from "../format/chain-head.js";
import type { AuditSink, OpenedChain, TakenCheckpoint } from "../sink/sink.js";
import type { Timers } from "../sink/timers.js";
import type { ChainFiles } from "./chain-files.js";
import type { Durability } from "./options.js";

export interface FolderSink extends AuditSink {
  readonly keyFile: string;
  /** The folder, links followed. */
  readonly path: string;
  /** The name of the chain that is written to. Undefined while none is. */
  readonly chain: string | undefined;
}

export interface FolderWriterOptions {
  readonly path: string;
  readonly durability: Durability;
  readonly syncAfterMs: number;
  readonly checkpointAfterMs: number | undefined;
  readonly timers: Timers;
  /** Takes a chain of the folder. */
  readonly take: () => ChainFiles;
}

/** When what is written is synced, and that nothing is written after a failure. */
export class FolderWriter implements FolderSink {
  readonly name = "folder";
  readonly takesPayloads = true;
  readonly path: string;
  readonly keyFile: string;
  readonly intents: boolean;
  readonly sync: (() => Promise<void>) | undefined;
  readonly checkpointAfterMs: number | undefined;
  readonly #options: FolderWriterOptions;
  #files: ChainFiles | undefined;
  /** The failure that ended it for good. */
  #failure: { readonly cause: unknown } | undefined;
  /** True if that was a sync that no caller waited for, and no caller was told yet. */
  #isUnheard = false;
  #syncTimer: unknown;

  constructor(options: FolderWriterOptions) {
    this.#options = options;
    this.path = options.path;
    this.keyFile = `${options.path}.key`;
    this.intents = options.durability === "write-ahead";
    this.checkpointAfterMs = options.checkpointAfterMs;
    this.sync = this.intents ? () => this.#guarded((files) => files.sync()) : undefined;
  }

  get chain(): string | undefined {
    return this.#files?.name;
  }

  readonly open = (): OpenedChain => {
    if (this.#files !== undefined) {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "Another writer has this folder() sink. Make one for each audit log.",
      );
    }
    this.#failure = undefined;
    this.#isUnheard = false;
    this.#files = this.#options.take();
    // The sink itself has recorded what was cut.
    return { head: this.#files.head, cutBytes: 0 };
  };

  readonly append = (
    lines: Uint8Array,
    head: ChainHead,
    payloads?: string | undefined,
  ): Promise<ChainHead> =>
    this.#guarded(async (files) => {
      const after = await files.append(lines, head, payloads);
      this.#syncLater();
      return after;
    });

  readonly checkpoint = (): Promise<TakenCheckpoint> =>
    this.#guarded((files) => files.checkpoint());

  readonly close = async (): Promise<void> => {
    const files = this.#files;
    this.#options.timers.clearTimeout(this.#syncTimer);
    this.#syncTimer = undefined;
    this.#files = undefined;
    if (files === undefined) return;
    try {
      if (this.#failure === undefined) await files.end();
    } finally {
      await files.release();
    }
    if (this.#isUnheard) throw this.#failure?.cause;
  };

  #syncLater(): void {
    const { durability, syncAfterMs, timers } = this.#options;
    if (durability !== "batched" || this.#syncTimer !== undefined) return;
    this.#syncTimer = timers.setTimeout(() => {
      this.#syncTimer = undefined;
      const wasOver = this.#failure !== undefined;
      // The next append tells of a failure, or the close where there is none.
      this.#guarded((files) => files.sync()).catch((cause) => {
        this.#isUnheard = !wasOver && this.#failure?.cause === cause;
      });
    }, syncAfterMs);
  }

  /** After a failed write or sync the content of the disk is unknown, and a retry may seem to succeed. */
  async #guarded<Value>(act: (files: ChainFiles) => Promise<Value>): Promise<Value> {
    const files = this.#files;
    if (files === undefined) {
      throw new ToolstileError("ERR_CLOSED", "This folder of logs is not open.");
    }
    if (this.#failure !== undefined) {
      this.#isUnheard = false;
      throw this.#failure.cause;
    }
    try {
      return await act(files);
    } catch (cause) {
      this.#failure ??= { cause };
      throw cause;
    }
  }
}
