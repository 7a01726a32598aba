import { ownValue } from "@toolstile/core/provider";
import { type ChainHead, genesis, isChainHead } from "../format/chain-head.js";
import { parsed } from "../format/parsed.js";

/** Reads what a chain's records say of segments that are gone. */
export class RemovalCheck {
  /** The first record that says that what is gone was removed, and that no later one revoked. */
  by: number | undefined;
  /** The head that the chain's oldest record follows. */
  #begin: ChainHead | undefined;
  /** The heads at the ends of the segments that were read. */
  readonly #ends = new Map<number, string>();

  segment(before: ChainHead): void {
    this.#begin ??= before;
    this.#ends.set(before.seq, before.hash);
  }

  /** Returns why the record is bad, if it is. `covered` is the size of the largest checkpoint before it that the verifier holds. */
  retention(text: string, seq: number, covered: number): string | undefined {
    const record = parsed(text);
    const revokedAfter = ownValue(record, "revokedAfter");
    return revokedAfter === undefined
      ? this.#remove(ownValue(record, "through"), seq)
      : this.#revoke(revokedAfter, seq, covered);
  }

  #remove(stated: unknown, by: number): string | undefined {
    const seq = ownValue(stated, "seq");
    const hash = ownValue(stated, "hash");
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
