import { join } from "node:path";
import { openLogged, payloadsName } from "./chain-files.js";
import { LineReading, type ReadLine } from "./line-reading.js";
import { ownMember, parsed } from "./own-member.js";

/** What is kept of a call beside its record. */
export interface CallPayloads {
  readonly asked?: unknown;
  readonly used?: unknown;
  readonly result?: unknown;
}

/** Where the payloads of a segment's records stand. Of each only the place is kept in memory. */
export class PayloadIndex {
  readonly #path: string;
  readonly #lines: LineReading;
  readonly #places = new Map<number, Pick<ReadLine, "offset" | "bytes">>();

  constructor(folder: string, chain: string, segment: string) {
    this.#path = join(folder, chain, payloadsName(segment));
    this.#lines = new LineReading(this.#path);
  }

  /** The payloads of a record; nothing where there are none, or they were erased. */
  async of(seq: number): Promise<CallPayloads | undefined> {
    await this.#update();
    const place = this.#places.get(seq);
    const file = place && (await openLogged(this.#path));
    if (place === undefined || file === undefined) return undefined;
    try {
      const bytes = Buffer.alloc(place.bytes);
      await file.read(bytes, 0, bytes.length, place.offset);
      const record = parsed(bytes.toString("utf8"));
      const payloads = ownMember(record, "payloads");
      if (ownMember(record, "seq") !== seq || typeof payloads !== "object") return undefined;
      return payloads ?? undefined;
    } finally {
      await file.close();
    }
  }

  /** The last line with a number counts. */
  async #update(): Promise<void> {
    for (let line = await this.#lines.next(); line; line = await this.#lines.next()) {
      const seq = statedSeq(line.text);
      if (seq !== undefined) this.#places.set(seq, { offset: line.offset, bytes: line.bytes });
    }
  }
}

/** The number that a line begins with, also where the rest of it is damaged. */
export function statedSeq(text: string): number | undefined {
  const digits = /^\{"seq":([1-9][0-9]{0,15})[,}]/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
