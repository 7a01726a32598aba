import { join } from "node:path";
import { segmentsOf } from "./chain-files.js";
import { LineReading } from "./line-reading.js";
import { ownMember, parsed } from "./own-member.js";
import { type CallPayloads, PayloadIndex } from "./payload-index.js";

/** A record as it stands in the log. */
export interface AuditRecord {
  readonly chain: string;
  /** Relative to the folder. */
  readonly file: string;
  /** In that file, from 1. */
  readonly line: number;
  /** The line parsed, with all its members as written. */
  readonly record: ParsedRecord;
  /** With payloads beside the log: what is there and not erased. */
  readonly payloads?: CallPayloads | undefined;
}

export interface ParsedRecord {
  readonly seq: number;
  readonly kind: string;
  readonly time: number | null;
  readonly [member: string]: unknown;
}

/** Reads one chain's records that match, and later those that were added since. */
export class ChainReading {
  readonly #folder: string;
  readonly #chain: string;
  readonly #isWanted: (record: unknown) => boolean;
  #number = -1;
  #segment = "";
  #lines: LineReading | undefined;
  #payloads: PayloadIndex | undefined;

  constructor(folder: string, chain: string, isWanted: (record: unknown) => boolean) {
    this.#folder = folder;
    this.#chain = chain;
    this.#isWanted = isWanted;
  }

  /** The next record; nothing, where there is none for now. */
  async next(): Promise<AuditRecord | undefined> {
    for (;;) {
      const found = await this.#inSegment();
      if (found !== undefined) return found;
      const later = await this.#later();
      if (later === undefined) return undefined;
      // What was written between the two looks, before the later one was begun.
      const last = await this.#inSegment();
      if (last !== undefined) return last;
      this.#number = later.number;
      this.#segment = later.name;
      this.#lines = new LineReading(join(this.#folder, this.#chain, later.name));
      this.#payloads = new PayloadIndex(this.#folder, this.#chain, later.name);
    }
  }

  async #later() {
    try {
      const segments = await segmentsOf(this.#folder, this.#chain);
      return segments.find(({ number, isFile }) => isFile && number > this.#number);
    } catch {
      return undefined;
    }
  }

  async #inSegment(): Promise<AuditRecord | undefined> {
    try {
      for (let line = await this.#lines?.next(); line; line = await this.#lines?.next()) {
        const record = parsed(line.text);
        if (!isRecord(record) || !this.#isWanted(record)) continue;
        const file = `${this.#chain}/${this.#segment}`;
        const found = { chain: this.#chain, file, line: line.line, record };
        const payloads = await this.#payloadsOf(record);
        return payloads === undefined ? found : { ...found, payloads };
      }
    } catch {
      // What cannot be read is skipped; verifyFolder says why.
    }
    return undefined;
  }

  async #payloadsOf(record: ParsedRecord): Promise<CallPayloads | undefined> {
    if (ownMember(record, "salted") !== true) return undefined;
    return await this.#payloads?.of(record.seq).catch(() => undefined);
  }
}

function isRecord(value: unknown): value is ParsedRecord {
  const time = ownMember(value, "time");
  return (
    Number.isSafeInteger(ownMember(value, "seq")) &&
    typeof ownMember(value, "kind") === "string" &&
    (time === null || typeof time === "number")
  );
}
