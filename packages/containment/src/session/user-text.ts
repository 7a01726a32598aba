import {
  type Address,
  canonicalMail,
  canonicalPhone,
  covers,
  type Kind,
  spaced,
} from "../destinations/address.js";
import { type Literal, literalsIn } from "../destinations/literals.js";

/** More of what a user said is not kept: it then vouches for nothing. */
const longestSaid = 65_536;
/** A shorter id may stand in a text by chance, as the number of a day. */
const shortestId = 6;
const mostWords = 32;

/** What a user said in one session, and whether a value stands in it. */
export class UserText {
  #said = "";
  #literals: readonly Literal[] | undefined;
  #words: string | undefined;

  constructor(texts: readonly string[] = []) {
    for (const text of texts) this.add(text);
  }

  add(text: string): void {
    // Of what is too long the end is left out.
    const room = longestSaid - this.#said.length - 1;
    if (room <= 0) return;
    this.#said += `\n${text.slice(0, room)}`;
    this.#literals = undefined;
    this.#words = undefined;
  }

  /** True if the user named a value of a kind, in its canonical form. */
  names(kind: Kind, canonical: string, address?: Address | undefined): boolean {
    if (this.#said === "") return false;
    switch (kind) {
      case "url":
        return address !== undefined && this.#addresses().some((named) => covers(named, address));
      case "host":
        return this.#addresses().some(({ host }) => host === canonical);
      case "mail":
        return this.#found().some(({ kind, value }) => kind === "mail" && value === canonical)
          ? true
          : standsIn(this.#said.toLowerCase(), canonical) && canonicalMail(canonical) === canonical;
      case "iban":
        return this.#said.replace(/[ -]/g, "").toUpperCase().includes(canonical);
      case "phone":
        return this.#phones().includes(canonical);
      case "id":
        return canonical.length >= shortestId && standsIn(this.#said, canonical);
      case "handle":
      case "text":
        return standsIn(this.#asWords(), canonical);
    }
  }

  /**
   * True if a text is made of pieces, of which each stands in what the user said, or is one of some names.
   *
   * A piece of the user's has two words at least: of single words any sentence can be made.
   */
  composes(text: string, names: Iterable<string>): boolean {
    const words = text.split(" ");
    if (words.length > mostWords) return false;
    const known = [...names];
    const reached = new Set([0]);
    for (let from = 0; from < words.length; from++) {
      if (!reached.has(from)) continue;
      for (let to = from + 2; to <= words.length; to++) {
        if (!standsIn(this.#asWords(), words.slice(from, to).join(" "))) break;
        reached.add(to);
      }
      const rest = words.slice(from).join(" ");
      for (const name of known) {
        if (rest === name || rest.startsWith(`${name} `))
          reached.add(from + name.split(" ").length);
      }
    }
    return reached.has(words.length);
  }

  #found(): readonly Literal[] {
    this.#literals ??= literalsIn(this.#said);
    return this.#literals;
  }

  #addresses(): readonly Address[] {
    return this.#found().flatMap(({ address }) => address ?? []);
  }

  #phones(): readonly string[] {
    return [...this.#said.matchAll(/\+?\d[\d ().\-/]{4,38}\d/g)].flatMap(
      ([text]) => canonicalPhone(text) ?? [],
    );
  }

  #asWords(): string {
    this.#words ??= spaced(this.#said);
    return this.#words;
  }
}

const partOfWord = /[\p{L}\p{N}_]/u;

/** True if a text holds a value that no letter or digit continues on either side. */
function standsIn(text: string, value: string): boolean {
  if (value === "") return false;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const end = at + value.length;
    const continues =
      (at > 0 && partOfWord.test(text.charAt(at - 1)) && partOfWord.test(value.charAt(0))) ||
      (end < text.length &&
        partOfWord.test(text.charAt(end)) &&
        partOfWord.test(value.charAt(value.length - 1)));
    if (!continues) return true;
  }
  return false;
}
