import { closeSync, readSync } from "node:fs";
import { join } from "node:path";
import { ownValue } from "@toolstile/core/provider";
import { type LineGlance, type LinePlace, LineReading } from "../files/line-reading.js";
import { openLogged } from "../files/log-folder.js";
import { payloadsName } from "../format/names.js";
import { parsed } from "../format/parsed.js";

/** The payloads of a call that are kept beside its record. */
export interface CallPayloads {
  readonly asked?: unknown;
  readonly used?: unknown;
  readonly result?: unknown;
}

/** Finds the payloads of a chain's records. One segment's places are kept in memory, and nothing else. */
export class ChainPayloads {
  readonly #folder: string;
  readonly #chain: string;
  #segment = "";
  #index: PayloadIndex | undefined;

  constructor(folder: string, chain: string) {
    this.#folder = folder;
    this.#chain = chain;
  }

  /** The payloads of a record; nothing where there are none, they were erased, or they cannot be read. */
  async of(segment: string, seq: number): Promise<CallPayloads | undefined> {
    if (this.#index === undefined || segment !== this.#segment) {
      this.#segment = segment;
      this.#index = new PayloadIndex(join(this.#folder, this.#chain, payloadsName(segment)));
    }
    return this.#index.of(seq).catch(() => undefined);
  }
}

class PayloadIndex {
  readonly #path: string;
  readonly #lines: LineReading;
  readonly #places = new Map<number, Pick<LinePlace, "offset" | "bytes">>();

  constructor(path: string) {
    this.#path = path;
    // The last line with a number counts. Texts are not made: payloads may be large.
    const glance: LineGlance = (bytes, start, end, offset) => {
      const beginning = bytes.toString("latin1", start, Math.min(end, start + longestBeginning));
      const seq = statedSeq(beginning);
      if (seq !== undefined) this.#places.set(seq, { offset, bytes: end - start });
      return false;
    };
    this.#lines = new LineReading(path, { glance });
  }

  async of(seq: number): Promise<CallPayloads | undefined> {
    await this.#lines.next();
    const place = this.#places.get(seq);
    const file = place && openLogged(this.#path);
    if (place === undefined || file === undefined) return undefined;
    try {
      const bytes = Buffer.alloc(place.bytes);
      readSync(file, bytes, 0, bytes.length, place.offset);
      const record = parsed(bytes.toString("utf8"));
      const payloads = ownValue(record, "payloads");
      if (ownValue(record, "seq") !== seq || typeof payloads !== "object") return undefined;
      return payloads ?? undefined;
    } finally {
      closeSync(file);
    }
  }
}

/** Characters up to the end of the number that a line begins with. */
const longestBeginning = 32;

/** The number that a line begins with, also where the rest of it is damaged. */
export function statedSeq(text: string): number | undefined {
  const digits = /^\{"seq":([1-9][0-9]{0,15})[,}]/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
