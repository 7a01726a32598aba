import type { Awaitable } from "@toolstile/core";

/** Where a chain stands: the number and the hash of its last record. */
export interface ChainHead {
  readonly seq: number;
  /** SHA-256, in hex. */
  readonly hash: string;
}

/** Before the first record: number 0, and sixty-four zeros for a hash. */
export const genesis: ChainHead = Object.freeze({ seq: 0, hash: "0".repeat(64) });

/** Whether it is where a chain can stand. */
export function isChainHead(head: ChainHead | null | undefined): head is ChainHead {
  return (
    Number.isSafeInteger(head?.seq) &&
    (head as ChainHead).seq >= 0 &&
    /^[0-9a-f]{64}$/.test((head as ChainHead).hash)
  );
}

/** What a sink found when it was opened. */
export interface OpenedChain {
  readonly head: ChainHead;
  /** Bytes of a torn last line that were cut off. 0 when there was none. */
  readonly cutBytes: number;
}

/** A checkpoint, and where the chain stands now that it is in it. */
export interface TakenCheckpoint {
  readonly head: ChainHead;
  /** The signed note. Undefined where there is no key to sign with. */
  readonly note: string | undefined;
}

/**
 * Where records go: it is given lines that are numbered and hashed already.
 */
export interface AuditSink {
  readonly name: string;
  /** Whether a record is wanted before each tool runs. Default: only with `required`. */
  readonly intents?: boolean | undefined;
  /** Whether payloads are kept beside the records. */
  readonly takesPayloads?: boolean | undefined;
  /** Where the key file stands when no key was given. Absent: a new random key for each writer. */
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
  /** Where there is one, records are acknowledged only once a call made after `append` has resolved. */
  readonly sync?: (() => Promise<void>) | undefined;
  /** Signs where the chain stands. Asked between two appends. */
  readonly checkpoint?: (() => Promise<TakenCheckpoint>) | undefined;
  /** How long records may wait for a checkpoint. */
  readonly checkpointAfterMs?: number | undefined;
  readonly close: () => Awaitable<void>;
}
