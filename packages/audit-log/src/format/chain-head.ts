/** The head of a chain: the number and the hash of its last record. */
export interface ChainHead {
  readonly seq: number;
  /** SHA-256, in hex. */
  readonly hash: string;
}

/** The head before the first record: number 0, and sixty-four zeros for a hash. */
export const genesis: ChainHead = Object.freeze({ seq: 0, hash: "0".repeat(64) });

/** True if a chain can stand there. */
export function isChainHead(head: ChainHead | null | undefined): head is ChainHead {
  return (
    Number.isSafeInteger(head?.seq) &&
    (head as ChainHead).seq >= 0 &&
    /^[0-9a-f]{64}$/.test((head as ChainHead).hash)
  );
}
