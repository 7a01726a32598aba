import { parseUrl } from "@toolstile/core/provider";
import ipaddr from "ipaddr.js";

/** The kind of a destination, or of a value whose origin is judged. */
export type Kind = "url" | "host" | "mail" | "iban" | "phone" | "handle" | "id" | "text";
export const kinds: readonly Kind[] = [
  "url",
  "host",
  "mail",
  "iban",
  "phone",
  "handle",
  "id",
  "text",
];

/** The form in which a value is compared; undefined for one that can be read in two ways, or is no such value. */
export type Canonical = (value: string) => string | undefined;

const longest = 2_048;
const longestName = 256;

/**
 * Reads the host that a client would contact.
 *
 * IPv4 in all its spellings and in IPv6 is one address, one trailing dot is dropped. A name that is
 * mapped to another one, as "ⓖood.example" is, is read in two ways by old and new clients.
 */
export function canonicalHost(value: string): string | undefined {
  if (value.length <= 253 && plainHost.test(value)) return value.toLowerCase();
  const url = /^[^/?#@%\s\\]+$/.test(value) ? parseUrl(`http://${value}/`) : undefined;
  return url === undefined ? undefined : hostOf(url, value);
}

/** The host of a URL, if its text names no other host to another reader. */
function hostOf(url: URL, text: string): string | undefined {
  const name = url.hostname.replace(/\.$/, "");
  if (name === "" || isMapped(text)) return undefined;
  const address = name.startsWith("[") ? name.slice(1, -1) : name;
  if (!ipaddr.isValid(address)) return name;
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv6" ? `[${parsed.toString()}]` : parsed.toString();
}

/** Most hosts: taking them apart as a URL takes ten times as long. Names in Punycode may be none. */
const plainHost = /^(?!.*xn--)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/i;

/** True if a text has letters that are mapped to others, and not only to lower case. */
function isMapped(text: string): boolean {
  if (/^[\x20-\x7e]*$/.test(text)) return false;
  return (
    text.normalize("NFC") !== text ||
    hasVariant(text) ||
    /[\u00df\u03c2\u3002\p{Default_Ignorable_Code_Point}]/u.test(text)
  );
}

/** True if a letter is a variant of another one, such as \u24d0 of a and the sign for Kelvin of k. */
function hasVariant(text: string): boolean {
  return [...text].some((letter) => letter.normalize("NFKC") !== letter);
}

/** A URL as it is compared: its origin, its path, and its query. */
export interface Address {
  readonly host: string;
  /** The host, and the port if it is not the scheme's own. */
  readonly origin: string;
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
}

export function wholeAddress({ origin, path, query }: Address): string {
  return origin + path + query;
}

const schemes: ReadonlySet<string> = new Set(["http:", "https:", "ws:", "wss:", "ftp:"]);

/** Reads the text of a URL, with or without a scheme; undefined for one that names two hosts to two readers. */
export function readUrl(value: string): Address | undefined {
  const text = value.trim();
  // A control character, a backslash and a name before the host are each read in two ways.
  if (text.length > longest || /[\p{Cc}\p{Cf}\s\\]/u.test(text)) return undefined;
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? text
    : `https://${text.replace(/^\/\//, "")}`;
  const url = parseUrl(withScheme);
  if (url === undefined || !schemes.has(url.protocol)) return undefined;
  // Some readers take what stands before an @ for a name, also if a query or a fragment has begun.
  const authority = /^[^/]*\/\/([^/?#]+)/.exec(withScheme)?.[1];
  if (authority === undefined || /^[^/]*\/\/[^/]*@/.test(withScheme)) return undefined;
  const host = authority.includes("%") ? undefined : hostOf(url, authority);
  if (host === undefined || climbs(url.pathname)) return undefined;
  return {
    host,
    origin: url.port === "" ? host : `${host}:${url.port}`,
    path: unescaped(url.pathname),
    query: url.search,
  };
}

/** The path with its escapes undone once; escaped separators stay. */
function unescaped(pathname: string): string {
  return pathname.replace(/(?:%(?!2f|5c)[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

const mostRounds = 4;

/** True if a path goes up for a server that undoes escapes again, or that reads `..;` as a step up. */
function climbs(pathname: string): boolean {
  let path = pathname;
  for (let round = 0; round < mostRounds; round++) {
    if (/(?:^|[\\/])\.\.?(?:;[^\\/]*)?(?:[\\/]|$)|%c0%a[ef]|%c1%9c|%e0%80%a[ef]/i.test(path))
      return true;
    const next = path.replace(/%([2-7][0-9a-f])/gi, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    if (next === path) return false;
    path = next;
  }
  return true;
}

const local = /^[^\s"(),:;<>@[\]\\%!\p{Cc}\p{Cf}]+$/u;

/** Reads one mail address, with a name before it or without. Tags after a plus belong to the address. */
export const canonicalMail: Canonical = (value) => {
  if (value.length > longest) return undefined;
  const [, inBrackets, bare] =
    /^(?:(?:"[^"<>@\\\p{Cc}]*"[ \t]*|[^"<>@,:;()[\]\\\p{Cc}]*)<([^<>\s]*)>|([^<>\s]*))$/u.exec(
      value.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, "").replace(/^mailto:/i, ""),
    ) ?? [];
  const mailbox = inBrackets ?? bare ?? "";
  const at = mailbox.indexOf("@");
  if (at < 1 || mailbox.includes("=?") || !local.test(mailbox.slice(0, at))) return undefined;
  const name = mailbox.slice(at + 1);
  const host = /^[^/?#@\s\\:]+$/.test(name) ? canonicalHost(name) : undefined;
  if (host === undefined || isMapped(mailbox)) return undefined;
  return `${mailbox.slice(0, at).toLowerCase()}@${host}`;
};

export const canonicalIban: Canonical = (value) => {
  if (value.length > longestName) return undefined;
  const text = value.replace(/[\s-]/g, "").toUpperCase();
  return /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(text) ? text : undefined;
};

export const canonicalPhone: Canonical = (value) => {
  if (!/^\+?[\d\s().\-/]{5,40}$/.test(value.trim())) return undefined;
  const digits = value.replace(/[^\d+]/g, "").replace(/^00/, "+");
  return digits.length >= 5 ? digits : undefined;
};

/** A name within a system. Case and spaces do not tell names apart; a letter of another alphabet does. */
export const canonicalHandle: Canonical = (value) => {
  if (value.length > longestName || /\p{Cc}/u.test(value)) return undefined;
  const text = spaced(value).replace(/^[@#]/, "");
  return text === "" || hasVariant(value.replace(/\s/g, " ")) ? undefined : text;
};

export const canonicalId: Canonical = (value) =>
  value === "" || value.length > 256 || /\s/.test(value) ? undefined : value;

/** A text in lower case, each run of spaces one space. */
export function spaced(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
}
