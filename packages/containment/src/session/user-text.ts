import {
  type Address,
  canonicalMail,
  canonicalPhone,
  type Kind,
  readUrl,
  spaced,
} from "../destinations/address.js";
import { covers, siteOf } from "../destinations/covers.js";
import { mayBeFile } from "../destinations/host-names.js";
import { type Literal, literalsIn } from "../destinations/literals.js";
import { addressesIn } from "../destinations/machines.js";
import { isNamed, mailStandsIn, standsIn } from "./stands-in.js";

/** More of what a user said is not kept: it then vouches for nothing. */
const longestSaid = 65_536;
/** A shorter id may stand in a text by chance, as the number of a day. */
const shortestId = 6;
const mostWords = 32;

/** The words of the user of one session. It tells if a value stands in them. */
export class UserText {
  #said = "";
  #index: Index | undefined;

  constructor(texts: readonly string[] = []) {
    for (const text of texts) this.add(text);
  }

  add(text: string): void {
    // Of what is too long the end is left out.
    const room = longestSaid - this.#said.length - 1;
    if (room <= 0) return;
    this.#said += `\n${text.slice(0, room)}`;
    this.#index = undefined;
  }

  /** True if the user named a value of a kind, in its canonical form. */
  names(kind: Kind, canonical: string, address?: Address | undefined): boolean {
    if (this.#said === "") return false;
    const { sites, hosts, mails, phones, words, written, lower, squeezed } = this.#indexed();
    switch (kind) {
      case "url":
        return (
          address !== undefined &&
          (sites.get(siteOf(address)) ?? []).some((named) => covers(named, address))
        );
      case "host":
        return hosts.has(canonical);
      case "mail":
        return (
          mails.has(canonical) ||
          (mailStandsIn(lower, canonical) && canonicalMail(canonical) === canonical)
        );
      case "iban":
        if (!squeezed.includes(canonical)) return false;
        return new RegExp(
          `(?<![\\p{L}\\p{N}])${canonical.split("").join("[ -]?")}(?![\\p{L}\\p{N}]|[ -]\\d)`,
          "iu",
        ).test(this.#said);
      case "phone":
        return phones.has(canonical);
      case "id":
        return canonical.length >= shortestId && standsIn(this.#said, canonical);
      case "handle":
        return (
          standsIn(words, canonical) && (canonical.includes(" ") || isNamed(written, canonical))
        );
      case "text":
        return standsIn(words, canonical);
    }
  }

  /**
   * True if a text is made of pieces, of which each stands in what the user said, or is a known name.
   *
   * A piece of the user's has two words at least: of single words any sentence can be made.
   */
  composes(text: string, isName: (piece: string) => boolean): boolean {
    const words = text.split(" ");
    if (words.length > mostWords) return false;
    const said = this.#indexed().words;
    const reached = new Set([0]);
    for (let from = 0; from < words.length; from++) {
      if (!reached.has(from)) continue;
      let isSaid = true;
      for (let to = from + 1; to <= words.length; to++) {
        const piece = words.slice(from, to).join(" ");
        if (to > from + 1) isSaid &&= standsIn(said, piece);
        if ((isSaid && to > from + 1) || isName(piece)) reached.add(to);
      }
    }
    return reached.has(words.length);
  }

  #indexed(): Index {
    this.#index ??= indexOf(this.#said);
    return this.#index;
  }
}

/** The words of the user, in the form in which values of each kind are sought. */
interface Index {
  readonly sites: ReadonlyMap<string, readonly Address[]>;
  readonly hosts: ReadonlySet<string>;
  readonly mails: ReadonlySet<string>;
  readonly phones: ReadonlySet<string>;
  readonly words: string;
  readonly written: string;
  readonly lower: string;
  /** In capitals, without spaces. */
  readonly squeezed: string;
}

function indexOf(said: string): Index {
  const lower = said.toLowerCase();
  const literals = literalsIn(said);
  const named = literals.flatMap(({ address }) =>
    // Whoever names a file names no host, even if somebody has registered one of this name.
    address === undefined || (mayBeFile(address.host) && !lower.includes(`//${address.host}`))
      ? []
      : address,
  );
  const machines = [...addressesIn(said)].flatMap((each) => readUrl(each) ?? []);
  const addresses = [...named, ...machines];
  const sites = new Map<string, Address[]>();
  for (const each of addresses) {
    const site = siteOf(each);
    sites.set(site, [...(sites.get(site) ?? []), each]);
  }
  return {
    sites,
    hosts: new Set(addresses.map(({ host }) => host)),
    mails: new Set(literals.flatMap(mailOf)),
    phones: new Set(
      [...said.matchAll(/\+?\d[\d ().\-/]{4,38}\d/g)].flatMap(
        ([text]) => canonicalPhone(text) ?? [],
      ),
    ),
    words: spaced(said),
    written: said.normalize("NFC"),
    lower,
    squeezed: said.replace(/[ -]/g, "").toUpperCase(),
  };
}

function mailOf({ kind, value }: Literal): readonly string[] {
  return kind === "mail" && value !== undefined ? [value] : [];
}
