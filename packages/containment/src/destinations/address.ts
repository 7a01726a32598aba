import { parseUrl } from "@toolstile/core/host";
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
  const url = /^[^/?#@\s\\]+$/.test(value) ? parseUrl(`http://${value}/`) : undefined;
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
    text.normalize("NFKC").toLowerCase() !== text.toLowerCase() ||
    /ß|ς|\u200c|\u200d|\u00ad|\u3002|\uff0e|\uff61/.test(text)
  );
}

/** A URL as it is compared: its origin, its path, and the rest. */
export interface Address {
  readonly host: string;
  /** The host, and the port if it is not the scheme's own. */
  readonly origin: string;
  readonly path: string;
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
  const authority = /^[^/]*\/\/([^/?#]*)/.exec(withScheme)?.[1] ?? "";
  if (authority.includes("@") || authority.includes("%")) return undefined;
  const host = hostOf(url, authority);
  if (host === undefined) return undefined;
  return { host, origin: url.port === "" ? host : `${host}:${url.port}`, path: pathOf(url) };
}

/** The path with its escapes undone once; escaped separators stay. */
function pathOf({ pathname }: URL): string {
  try {
    return pathname.replace(/%(?!2f|5c)[0-9a-f]{2}/gi, (escaped) => decodeURIComponent(escaped));
  } catch {
    return pathname;
  }
}

/** Hosts where anybody can publish or collect: their bare name says nothing about who reads what is sent there. */
const sharedHosts: ReadonlySet<string> = new Set([
  "amazonaws.com",
  "bit.ly",
  "bitbucket.org",
  "discord.com",
  "docs.google.com",
  "drive.google.com",
  "dropbox.com",
  "facebook.com",
  "forms.gle",
  "gist.github.com",
  "github.com",
  "gitlab.com",
  "google.com",
  "hooks.slack.com",
  "linkedin.com",
  "medium.com",
  "notion.so",
  "pastebin.com",
  "raw.githubusercontent.com",
  "reddit.com",
  "script.google.com",
  "sites.google.com",
  "t.co",
  "t.me",
  "tinyurl.com",
  "twitter.com",
  "webhook.site",
  "x.com",
  "youtube.com",
]);

/** True if what the user named covers an address: the same place, or one below it. */
export function covers(named: Address, asked: Address): boolean {
  if (withoutWww(named.origin) !== withoutWww(asked.origin)) return false;
  if (named.path === "/" && sharedHosts.has(withoutWww(named.host))) return asked.path === "/";
  const folder = named.path.endsWith("/") ? named.path : `${named.path}/`;
  return asked.path === named.path || asked.path.startsWith(folder);
}

/** Both names of a site are its owner's. */
function withoutWww(origin: string): string {
  return origin.replace(/^www\./, "");
}

const local = /^[^\s"(),:;<>@[\]\\%!\p{Cc}\p{Cf}]+$/u;

/** Reads one mail address, with a name before it or without. Tags after a plus belong to the address. */
export const canonicalMail: Canonical = (value) => {
  if (value.length > longest) return undefined;
  const [, inBrackets, bare] =
    /^(?:(?:"[^"\\\p{Cc}]*"[ \t]*|[^"<>@,:;()[\]\\\p{Cc}]*)<([^<>\s]*)>|([^<>\s]*))$/u.exec(
      value.trim().replace(/^mailto:/i, ""),
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
  if (value.length > longestName) return undefined;
  const text = spaced(value).replace(/^[@#]/, "");
  return text === "" || isMapped(text) ? undefined : text;
};

export const canonicalId: Canonical = (value) =>
  value === "" || value.length > 256 || /\s/.test(value) ? undefined : value;

/** A text in lower case, each run of spaces one space. */
export function spaced(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
}
