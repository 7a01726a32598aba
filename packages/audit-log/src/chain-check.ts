import { quoted } from "@toolstile/core";
import { digest } from "@toolstile/core/digest";
import { longestLine } from "./blocks.js";
import { keyFingerprint } from "./commitment.js";
import { isJson, isJsonMembers } from "./json-syntax.js";
import {
  afterOpening,
  formatVersion,
  hashLines,
  isSealed,
  sealLength,
  statedHash,
  statedNumber,
} from "./line.js";
import type { ChainHead } from "./sink.js";

/** The first record that is not as the writer left it. */
export interface FirstBad {
  /** From 1. */
  readonly line: number;
  /** The number that the line states, where it states one. */
  readonly seq?: number | undefined;
  /** In printable ASCII, whatever the log holds. */
  readonly reason: string;
}

const kindStart = '"kind":"';

/** Goes through a log once, line by line, up to the first bad record. */
export class ChainCheck {
  head: ChainHead;
  firstBad: FirstBad | undefined;
  torn: { line: number; bytes: number } | undefined;
  readonly kinds = { head: 0, intent: 0, outcome: 0, repair: 0, gap: 0 };
  dropped = 0;
  digestsChecked = 0;
  otherKey = 0;
  readonly #expect: ChainHead | undefined;
  readonly #key: Uint8Array | undefined;
  readonly #fingerprint: string | undefined;
  /** Whether the records since the last head were made under the key. */
  #keyFits = false;
  #line = 0;

  constructor(after: ChainHead, expect: ChainHead | undefined, key: Uint8Array | undefined) {
    this.head = after;
    this.#expect = expect;
    this.#key = key;
    this.#fingerprint = key === undefined ? undefined : keyFingerprint(key);
  }

  /** Takes the next lines, and says whether there is any use in more. */
  block(block: Buffer): boolean {
    const { ends, hashes } = hashLines(block);
    const text = block.toString("latin1");
    let start = 0;
    for (const [index, end] of ends.entries()) {
      this.#line++;
      const reason = this.#record(text, start, end, hashes[index] as string);
      if (reason !== undefined) {
        const seq = statedNumber(text.slice(start, Math.min(end, start + 64)));
        this.firstBad = { line: this.#line, seq, reason };
        return false;
      }
      start = end + 1;
    }
    if (start === block.length) return true;
    this.#line++;
    this.#rest(block.length - start);
    return false;
  }

  /** What only the end of the log can show. */
  finish(): void {
    if (this.firstBad !== undefined) return;
    const line = this.#line + (this.torn === undefined ? 1 : 0);
    if (this.head.seq === 0 && this.torn === undefined) {
      this.firstBad = { line, reason: "the log is empty: not even its opening is there" };
    } else if (this.#expect !== undefined && this.head.seq < this.#expect.seq) {
      const reason = `the log ends after record ${this.head.seq}; record ${this.#expect.seq} was there and is gone`;
      this.firstBad = { line, reason };
    }
  }

  #rest(bytes: number): void {
    if (bytes > longestLine) {
      this.firstBad = { line: this.#line, reason: "the line is longer than any record" };
    } else {
      this.torn = { line: this.#line, bytes };
    }
  }

  /** Why the line is not the next record; nothing when it is. */
  #record(text: string, start: number, end: number, own: string): string | undefined {
    const members = afterOpening(text, start, this.head);
    const sealed = end - sealLength;
    if (members === -1 || sealed < members) return this.#wrong(text.slice(start, end), own);
    if (!isSealed(text, sealed, own)) return changed;
    const line = text.slice(start, end);
    // What stands before and after them is known to the byte.
    if (!isJsonMembers(text.slice(members, sealed))) return noJson;
    const seq = this.head.seq + 1;
    if (this.#expect?.seq === seq && this.#expect.hash !== own) {
      return `record ${seq} is not the one that was kept: the chain was rewritten`;
    }
    const reason = this.#content(line, members - start);
    if (reason === undefined) this.head = { seq, hash: own };
    return reason;
  }

  #content(line: string, start: number): string | undefined {
    const kind = line.startsWith(kindStart, start)
      ? line.slice(start + kindStart.length, line.indexOf('"', start + kindStart.length))
      : "";
    if (!isKind(kind, this.kinds)) return "the record is of no kind that this version knows";
    if (this.head.seq === 0 && kind !== "head") return "the log does not begin with an opening";
    this.kinds[kind]++;
    if (kind === "gap") {
      const { dropped } = JSON.parse(line);
      if (!Number.isSafeInteger(dropped) || dropped < 1) return noCount;
      this.dropped += dropped;
    }
    if (this.#key === undefined) return undefined;
    if (kind === "head") this.#keyFits = JSON.parse(line).key === this.#fingerprint;
    else if (line.includes(',"payloads":{')) return this.#commitments(JSON.parse(line), this.#key);
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

  /** Which of its parts is wrong in a line that does not begin as the next record does. */
  #wrong(line: string, own: string): string {
    const stated = statedHash(line);
    const seq = statedNumber(line);
    if (stated === undefined || seq === undefined) return "the line is no record of an audit log";
    if (own !== stated) return changed;
    if (!isJson(line)) return noJson;
    const due = this.head.seq + 1;
    if (seq !== due) {
      return `record ${seq} stands where record ${due} was due: records were removed, repeated or reordered`;
    }
    if (!line.includes(`,"v":${formatVersion},`)) {
      return "the record is of a format version that this one does not know";
    }
    return `record ${seq} does not follow from the one before it: that one, or more, was replaced`;
  }
}

interface PayloadRecord {
  readonly digests?: Readonly<Record<string, unknown>> | undefined;
  readonly payloads?: Readonly<Record<string, unknown>> | undefined;
}

const changed = "the record's bytes were changed: they do not have the hash that it states";
const noJson = "the record is no valid JSON";
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
