import { ownValue } from "@toolstile/core/provider";
import type { ChainHead } from "../format/chain-head.js";
import { keyFingerprint } from "../format/commitment.js";
import { parsed } from "../format/parsed.js";
import type { KindCounts, RecordKind } from "../format/record-kinds.js";
import {
  type ChainedRecord,
  ChainVerifier,
  inOneSegment,
  type RecordContent,
  unknownKind,
} from "./chain-verifier.js";
import { checkCommitments } from "./commitment-check.js";
import type { FirstBad } from "./findings.js";
import { droppedIn, noDropped } from "./gap.js";

/** The kinds of records that a chain has of itself only in a folder. */
const ofFolders: readonly RecordKind[] = ["segment", "checkpoint", "retention", "close"];

export type CallKindCounts = Readonly<
  Pick<KindCounts, "head" | "intent" | "outcome" | "repair" | "gap">
>;

export interface OneSegmentOptions {
  readonly after: ChainHead;
  /** A head that was kept elsewhere. */
  readonly expect: ChainHead | undefined;
  readonly key: Uint8Array | undefined;
}

/** Verifies a chain that is one segment without records of its own: a file of JSON Lines, or rows. */
export class OneSegment implements RecordContent {
  dropped = 0;
  digestsChecked = 0;
  otherKey = 0;
  readonly chain: ChainVerifier;
  readonly #options: OneSegmentOptions;
  readonly #fingerprint: string | undefined;
  /** True if the records since the last opening were made under the key. */
  #keyFits = false;

  constructor(options: OneSegmentOptions) {
    this.#options = options;
    const { key, after } = options;
    this.#fingerprint = key === undefined ? undefined : keyFingerprint(key);
    this.chain = new ChainVerifier({ content: this, after });
  }

  get firstBad(): FirstBad | undefined {
    return inOneSegment(this.chain.firstBad);
  }

  get kinds(): CallKindCounts {
    const { head, intent, outcome, repair, gap } = this.chain.kinds;
    return { head, intent, outcome, repair, gap };
  }

  /** Checks what only the end of the log can show. */
  finish(): void {
    const { chain } = this;
    const { expect } = this.#options;
    const line = chain.line + (chain.torn === undefined ? 1 : 0);
    if (chain.head.seq === 0 && chain.torn === undefined) {
      chain.bad("the log is empty: not even its opening is there", line);
    } else if (expect !== undefined && chain.head.seq < expect.seq) {
      const reason = `the log ends after record ${chain.head.seq}; record ${expect.seq} was there and is gone`;
      chain.bad(reason, line);
    }
  }

  check({ text, kind, before, end }: ChainedRecord): string | undefined {
    const { expect, key } = this.#options;
    if (expect?.seq === end.seq && expect.hash !== end.hash) {
      return `record ${end.seq} is not the one that was kept: the chain was rewritten`;
    }
    if (ofFolders.includes(kind)) return unknownKind;
    if (before.seq === 0 && kind !== "head") return "the log does not begin with an opening";
    if (kind === "gap") {
      const dropped = droppedIn(text);
      if (dropped === undefined) return noDropped;
      this.dropped += dropped;
    }
    if (key === undefined) return undefined;
    if (kind === "head") this.#keyFits = ownValue(parsed(text), "key") === this.#fingerprint;
    else if (text.includes(',"payloads":{')) return this.#checkPayloads(parsed(text), key);
    return undefined;
  }

  #checkPayloads(record: unknown, key: Uint8Array): string | undefined {
    if (!this.#keyFits) {
      this.otherKey++;
      return undefined;
    }
    const payloads = Object(ownValue(record, "payloads"));
    const found = checkCommitments(payloads, ownValue(record, "digests"), key);
    if (found.reason !== undefined) return found.reason;
    this.digestsChecked += found.checked;
    return undefined;
  }
}
