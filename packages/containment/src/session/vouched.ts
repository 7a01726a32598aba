import {
  type Address,
  type Canonical,
  canonicalHandle,
  canonicalHost,
  canonicalIban,
  canonicalId,
  canonicalMail,
  canonicalPhone,
  type Kind,
  readUrl,
  spaced,
  wholeAddress,
} from "../destinations/address.js";
import { covers, siteOf } from "../destinations/covers.js";

/** The form in which values of each kind are compared. */
export const canonicalOf: Readonly<Record<Kind, Canonical>> = {
  url: (value) => {
    const address = readUrl(value);
    return address && wholeAddress(address);
  },
  host: canonicalHost,
  mail: canonicalMail,
  iban: canonicalIban,
  phone: canonicalPhone,
  handle: canonicalHandle,
  id: canonicalId,
  text: (value) => (value.length > longestText ? undefined : spaced(value)),
};

const longestText = 1_024;
const mostValues = 8_192;
/** The first URLs of one site are kept. */
const mostOfSite = 256;

/** The name of a kind and of the set that its names are from: an id of a file is no id of a user. */
export type KindName = string;

function kindName(kind: Kind, of: string | undefined): KindName {
  return of === undefined ? kind : `${kind} of ${of}`;
}

/** Values that something vouches for, in a bounded space: what does not fit in is not vouched for. */
export class Vouched {
  readonly #values = new Map<KindName, Map<string, string>>();
  readonly #sites = new Map<string, Address[]>();
  readonly #names = new Set<string>();
  #size = 0;

  /**
   * @param source of the value. The first one stays.
   * @returns the source under which the value is kept; undefined if it is not kept.
   */
  add(kind: Kind, of: string | undefined, value: string, source: string): string | undefined {
    if (this.#size >= mostValues) return undefined;
    const canonical = canonicalOf[kind](value);
    if (canonical === undefined || canonical === "") return undefined;
    const name = kindName(kind, of);
    const values = this.#values.get(name) ?? new Map<string, string>();
    this.#values.set(name, values);
    const known = values.get(canonical);
    if (known !== undefined) return known;
    this.#size += 1;
    values.set(canonical, source);
    if (kind === "handle" || kind === "text") this.#names.add(canonical);
    if (kind === "url") this.#addUrl(readUrl(value));
    return source;
  }

  /** The source of a value; undefined if nothing vouches for it. */
  sourceOf(kind: Kind, of: string | undefined, canonical: string): string | undefined {
    return this.#values.get(kindName(kind, of))?.get(canonical);
  }

  /** True if an address is at or below one of the URLs. */
  coversUrl(address: Address): boolean {
    return (this.#sites.get(siteOf(address)) ?? []).some((named) => covers(named, address));
  }

  /** True for a name of any set, of which texts may be made. */
  readonly isName = (text: string): boolean => this.#names.has(text);

  #addUrl(address: Address | undefined): void {
    if (address === undefined) return;
    const of = this.#sites.get(siteOf(address)) ?? [];
    if (of.length < mostOfSite) of.push(address);
    this.#sites.set(siteOf(address), of);
  }
}
