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

/**
 * Where records go. It keeps bytes and makes none: numbering and hashing are
 * done before it is asked.
 */
export interface AuditSink {
  readonly name: string;
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
   * then: copy what you keep. A failure ends the writer for good.
   */
  readonly append: (lines: Uint8Array, head: ChainHead) => Awaitable<void>;
  readonly close: () => Awaitable<void>;
}
