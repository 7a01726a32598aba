import { quoted } from "@toolstile/core";
import { digest } from "@toolstile/core/digest";
import { ChainedLines, type ChainedRecord, type FirstBad, unknownKind } from "./chained-lines.js";
import { keyFingerprint } from "./commitment.js";
import type { ChainHead } from "./sink.js";

/** Goes through a log once, line by line, up to the first bad record. */
export class ChainCheck {
  readonly kinds = { head: 0, intent: 0, outcome: 0, repair: 0, gap: 0 };
  dropped = 0;
  digestsChecked = 0;
  otherKey = 0;
  readonly #lines: ChainedLines;
  readonly #expect: ChainHead | undefined;
  readonly #key: Uint8Array | undefined;
  readonly #fingerprint: string | undefined;
  /** Whether the records since the last head were made under the key. */
  #keyFits = false;
  #cutTail: FirstBad | undefined;

  constructor(after: ChainHead, expect: ChainHead | undefined, key: Uint8Array | undefined) {
    this.#lines = new ChainedLines(after, (record) => this.#look(record));
    this.#expect = expect;
    this.#key = key;
    this.#fingerprint = key === undefined ? undefined : keyFingerprint(key);
  }

  get head(): ChainHead {
    return this.#lines.head;
  }

  get firstBad(): FirstBad | undefined {
    return this.#lines.firstBad ?? this.#cutTail;
  }

  get torn(): { readonly line: number; readonly bytes: number } | undefined {
    return this.#lines.torn;
  }

  /** Takes the next lines, and says whether there is any use in more. */
  block(block: Buffer): boolean {
    return this.#lines.block(block);
  }

  /** What only the end of the log can show. */
  finish(): void {
    if (this.firstBad !== undefined) return;
    const { head, torn } = this;
    const line = this.#lines.line + (torn === undefined ? 1 : 0);
    if (head.seq === 0 && torn === undefined) {
      this.#cutTail = { line, reason: "the log is empty: not even its opening is there" };
    } else if (this.#expect !== undefined && head.seq < this.#expect.seq) {
      const reason = `the log ends after record ${head.seq}; record ${this.#expect.seq} was there and is gone`;
      this.#cutTail = { line, reason };
    }
  }

  #look({ text, kind, before, end }: ChainedRecord): string | undefined {
    if (this.#expect?.seq === end.seq && this.#expect.hash !== end.hash) {
      return `record ${end.seq} is not the one that was kept: the chain was rewritten`;
    }
    if (!isKind(kind, this.kinds)) return unknownKind;
    if (before.seq === 0 && kind !== "head") return "the log does not begin with an opening";
    this.kinds[kind]++;
    if (kind === "gap") {
      const { dropped } = JSON.parse(text);
      if (!Number.isSafeInteger(dropped) || dropped < 1) return noCount;
      this.dropped += dropped;
    }
    if (this.#key === undefined) return undefined;
    if (kind === "head") this.#keyFits = JSON.parse(text).key === this.#fingerprint;
    else if (text.includes(',"payloads":{')) return this.#commitments(JSON.parse(text), this.#key);
    return undefined;
  }

  /** Whether payloads are what the record commits to. */
  #commitments(record: PayloadRecord, key: Uint8Array): string | undefined {
    if (!this.#keyFits) {
      this.otherKey++;
      return undefined;
    }
    const digests = new Map(Object.entries(record.digests ?? {}));
    for (const [name, value] of Object.entries(record.payloads ?? {})) {
      if (value === null) continue;
      if (!isCommitted(value, digests.get(name), key)) {
        return `the payload ${quoted(name)} is not the one that the record commits to`;
      }
      this.digestsChecked++;
    }
    return undefined;
  }
}

interface PayloadRecord {
  readonly digests?: Readonly<Record<string, unknown>> | undefined;
  readonly payloads?: Readonly<Record<string, unknown>> | undefined;
}

const noCount = "the record does not say how many were dropped";

/** No record commits to what has no canonical text, or is too deep to be written. */
function isCommitted(payload: unknown, commitment: unknown, key: Uint8Array): boolean {
  try {
    return digest(payload, key) === commitment;
  } catch {
    return false;
  }
}

function isKind<Kinds extends object>(kind: string, kinds: Kinds): kind is string & keyof Kinds {
  return Object.hasOwn(kinds, kind);
}
