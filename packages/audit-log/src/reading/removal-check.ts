import { type ChainHead, genesis, isChainHead } from "../sink.js";
import { ownMember, parsed } from "./own-member.js";

/** Reads what a chain's records say of segments that are gone. */
export class RemovalCheck {
  /** The first record that says that what is gone was removed, and that no later one revoked. */
  by: number | undefined;
  /** What the chain's oldest record follows. */
  #begin: ChainHead | undefined;
  /** How the segments ended that were read. */
  readonly #ends = new Map<number, string>();

  segment(before: ChainHead): void {
    this.#begin ??= before;
    this.#ends.set(before.seq, before.hash);
  }

  /** Why the record is bad, if it is. `covered`: up to where checkpoints that the verifier holds reached before it. */
  retention(text: string, seq: number, covered: number): string | undefined {
    const record = parsed(text);
    const revokedAfter = ownMember(record, "revokedAfter");
    return revokedAfter === undefined
      ? this.#remove(ownMember(record, "through"), seq)
      : this.#revoke(revokedAfter, seq, covered);
  }

  #remove(stated: unknown, by: number): string | undefined {
    const seq = ownMember(stated, "seq");
    const hash = ownMember(stated, "hash");
    if (typeof seq !== "number" || typeof hash !== "string") return noRemoval;
    const begin = this.#begin ?? genesis;
    if (!isChainHead({ seq, hash }) || seq >= by) return noRemoval;
    // Of older segments nothing is known.
    if (seq < begin.seq) return undefined;
    if (this.#ends.get(seq) !== hash) {
      return "the removal that the record states is of another chain's records";
    }
    // The first is the one that most checkpoints cover.
    this.by ??= by;
    return undefined;
  }

  /** A removal that a checkpoint covered before was the writer's own, whatever came later. */
  #revoke(after: unknown, seq: number, covered: number): string | undefined {
    if (typeof after !== "number" || !Number.isSafeInteger(after) || after < 0 || after >= seq) {
      return "the record does not say which removals it revokes";
    }
    if (this.by !== undefined && this.by > Math.max(after, covered)) this.by = undefined;
    return undefined;
  }
}

const noRemoval = "the record does not say what was removed";
