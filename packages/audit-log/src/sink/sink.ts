import type { Awaitable } from "@toolstile/core/provider";
import type { ChainHead } from "../format/chain-head.js";

/** The state of a chain when its sink was opened. */
export interface OpenedChain {
  readonly head: ChainHead;
  /** Bytes of a torn last line that were cut off. 0 when there was none. */
  readonly cutBytes: number;
}

/** A checkpoint, and where the chain stands now that it is in it. */
export interface TakenCheckpoint {
  readonly head: ChainHead;
  /** The signed note. Undefined without a key to sign with. */
  readonly note: string | undefined;
}

/**
 * Keeps records. It is given lines that are numbered and hashed already.
 */
export interface AuditSink {
  readonly name: string;
  /** True if a record is wanted before each tool runs. Default: only with `required`. */
  readonly intents?: boolean | undefined;
  /** True if the sink can keep payloads beside the records. */
  readonly takesPayloads?: boolean | undefined;
  /** The path of the key file, for when no key was given. Absent: a new random key for each writer. */
  readonly keyFile?: string | undefined;
  /**
   * Takes the sink for one writer, until `close`.
   *
   * @throws when it has a writer already: two must never share a chain.
   */
  readonly open: () => Awaitable<OpenedChain>;
  /**
   * Keeps whole lines, all or none; when it returns, or its promise resolves,
   * they are acknowledged. `head` is the chain's head once they are in.
   *
   * It is asked again only after it has answered. The bytes are valid until
   * then: copy what you keep. A failure ends the writer for good. A sink that
   * adds records of its own answers with the head after those. `payloads` are
   * lines for the records that have any, from a sink that takes them.
   */
  readonly append: (
    lines: Uint8Array,
    head: ChainHead,
    payloads?: string | undefined,
    // biome-ignore lint/suspicious/noConfusingVoidType: most sinks have nothing to answer.
  ) => Awaitable<ChainHead | undefined | void>;
  /** Makes records durable. If present, records are acknowledged only once a call made after `append` has resolved. */
  readonly sync?: (() => Promise<void>) | undefined;
  /** Signs where the chain stands. Asked between two appends. */
  readonly checkpoint?: (() => Promise<TakenCheckpoint>) | undefined;
  /** The longest time that records may wait for a checkpoint. */
  readonly checkpointAfterMs?: number | undefined;
  readonly close: () => Awaitable<void>;
}
