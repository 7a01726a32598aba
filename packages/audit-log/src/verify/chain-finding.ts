import { genesis } from "../format/chain-head.js";
import { noKinds } from "../format/record-kinds.js";
import type { KeptRoots } from "./content-check.js";
import type { ChainReport, PayloadCounts } from "./findings.js";

/** The findings in a chain, and what the levels of evidence need to know of it. */
export interface ChainFinding {
  readonly report: ChainReport;
  readonly payloads: PayloadCounts;
  /** Damage that needs no key and no anchor to be seen. */
  readonly isDamaged: boolean;
  readonly isUnsigned: boolean;
  /** With a key: the records are not those that were signed, or a bad one hides which checkpoints there were. */
  readonly isNotAsSigned: boolean;
  /** A checkpoint is of another origin than the folder's. */
  readonly isOfOtherOrigin: boolean;
  readonly isRewritten: boolean;
  /** Records are gone, and no checkpoint signed with the key covers a record that says that they were removed. */
  readonly isRemovalUnsigned: boolean;
  /** The same of the checkpoints that were kept elsewhere. */
  readonly isRemovalUnanchored: boolean;
}

/** A chain that is anchored and of which nothing is there. */
export function vanishedChain(chain: string, anchors: KeptRoots): ChainFinding {
  const expected = largest(anchors);
  const report: ChainReport = {
    chain,
    ok: false,
    segments: 0,
    records: 0,
    kinds: noKinds(),
    dropped: 0,
    head: genesis,
    good: genesis,
    tail: { closed: false, unprotected: 0, cut: { after: 0, expected, seenBy: "anchor" } },
  };
  const payloads = { checked: 0, erased: 0, missing: 0 };
  return {
    report,
    payloads,
    isDamaged: false,
    isUnsigned: false,
    isNotAsSigned: false,
    isOfOtherOrigin: false,
    isRewritten: true,
    isRemovalUnsigned: false,
    isRemovalUnanchored: false,
  };
}

/** The size of the largest checkpoint that was kept. */
export function largest(sizes: KeptRoots): number {
  let most = 0;
  for (const size of sizes.keys()) most = Math.max(most, size);
  return most;
}
