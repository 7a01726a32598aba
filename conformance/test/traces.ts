import type { Planted } from "../../packages/redact/test/planted.js";

/** Units in a row that give a secret away, in the plain and in each encoding: about twelve of its own. */
const shortest = 12;

/** Units by which parts are looked up before they are compared; no part is shorter. */
const looked = 8;
const base = 0x01000193;
const out = Array.from({ length: looked - 1 }).reduce((power: number) => Math.imul(power, base), 1);
const places = 1 << 22;

/** Finds what is left of planted secrets in a text: plain, or in base64, hexadecimal, URL or JSON escapes. */
export class Traces {
  /** By length, the parts that must not be there, and whose they are. */
  readonly #parts = new Map<number, Map<string, number>>();
  /** Tells if a part begins with units of that hash. */
  readonly #begins = new Uint8Array(places);

  constructor(planted: readonly Planted[]) {
    for (const [index, { secret }] of planted.entries()) {
      // In PEM, each line by itself.
      for (const line of secret.split("\n")) if (line.length > 8) this.#add(line, index);
    }
  }

  #add(secret: string, index: number): void {
    const bytes = Buffer.from(secret);
    const hex = bytes.toString("hex");
    const inBase64 = [0, 1, 2].flatMap((before) => {
      const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
      // The first and the last digits depend on what stands around.
      const own = text.replace(/=+$/, "").slice(before === 0 ? 0 : before + 1, -1);
      return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
    });
    const codes = [...bytes].map((byte) => byte.toString(16).padStart(2, "0"));
    const percent = codes.map((code) => `%${code}`).join("");
    const escapes = codes.map((code) => `u00${code}`).join("");
    this.#windows(secret, shortest, index);
    this.#windows(encodeURIComponent(secret), shortest, index);
    for (const text of inBase64) this.#windows(text, 16, index);
    for (const text of [hex, hex.toUpperCase()]) this.#windows(text, 2 * shortest, index);
    for (const text of [percent, percent.toUpperCase()]) this.#windows(text, 36, index);
    for (const text of [escapes, escapes.replace(/[a-f]/g, (sign) => sign.toUpperCase())])
      this.#windows(text, 60, index);
  }

  #windows(text: string, length: number, index: number): void {
    const size = Math.min(length, text.length);
    const parts = this.#parts.get(size) ?? new Map<string, number>();
    this.#parts.set(size, parts);
    for (let at = 0; at + size <= text.length; at++) {
      parts.set(text.slice(at, at + size), index);
      this.#begins[hashOf(text, at) & (places - 1)] = 1;
    }
  }

  /** The secrets of which something stands in a text, as numbers in the list that was planted. */
  in(text: string): ReadonlySet<number> {
    const found = new Set<number>();
    // JSON in JSON has its escapes escaped.
    for (const each of new Set([text, text.replaceAll("\\", "")])) this.#read(each, found);
    return found;
  }

  #read(text: string, found: Set<number>): void {
    const last = text.length - looked;
    for (let at = 0, hash = last < 0 ? 0 : hashOf(text, 0); at <= last; at++) {
      if (this.#begins[hash & (places - 1)] === 1) {
        for (const [size, parts] of this.#parts) {
          const index = parts.get(text.slice(at, at + size));
          if (index !== undefined) found.add(index);
        }
      }
      const without = hash - Math.imul(text.charCodeAt(at), out);
      hash = (Math.imul(without, base) + text.charCodeAt(at + looked)) | 0;
    }
  }
}

function hashOf(text: string, at: number): number {
  let hash = 0;
  for (let index = 0; index < looked; index++)
    hash = (Math.imul(hash, base) + text.charCodeAt(at + index)) | 0;
  return hash;
}
