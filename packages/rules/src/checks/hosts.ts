import { BlockList, isIP } from "node:net";
import { domainToUnicode } from "node:url";
import { invalidOption, parseUrl, quoted } from "@toolstile/core/provider";
import type { CheckKind, Outcome } from "./check.js";
import { oneOf } from "./one-of.js";
import { readTexts, textsSchema } from "./operands.js";
import { ownCopy } from "./own-copy.js";

/** The schemes whose hosts all clients read by the same rules. */
const special: ReadonlySet<string> = new Set(["http:", "https:", "ws:", "wss:", "ftp:"]);

const hostIn: CheckKind = {
  schema: textsSchema(
    'The host of the URL, or the host itself, is one of these: "example.com", "*.example.com" for every host below it, "10.0.0.0/8" for addresses.',
  ),
  read: (operand, where, name) => {
    const given = readTexts("hosts", operand, where, name);
    const hosts = new Hosts(given, where, name);
    const long = (value: string): Outcome => {
      const host = hostOf(value);
      return host === undefined ? undefined : hosts.covers(host);
    };
    const plainly = plainUrlOf(hosts);
    const others = rememberingHosts(long);
    const test = (value: string): Outcome =>
      (value.length <= longestPlainUrl && plainly?.test(value) === true) || others(value);
    return { name, operand: given, kinds: ["string"], test };
  },
};

const longestPlainUrl = 2_048;

/**
 * Makes a pattern of URLs that surely have one of the hosts, at half the price of looking their host up.
 *
 * Their hosts have small letters, digits, points and single hyphens, so that no
 * client maps them to others, and their last label is that of a host, not a number.
 */
function plainUrlOf({ names, endings }: Hosts): RegExp | undefined {
  const name = oneOf([...names].filter((host) => isPlainHost.test(host)));
  const ending = oneOf(endings.filter((each) => isPlainHost.test(each)));
  // The fewest labels are tried first: the other way takes twice as long.
  const below = ending === undefined ? undefined : `(?:[a-z0-9]+[.-])*?[a-z0-9]+${ending}`;
  const hosts = [name, below].filter((each) => each !== undefined);
  if (hosts.length === 0) return undefined;
  return new RegExp(`^(?:https?|wss?|ftp)://(?:${hosts.join("|")})(?:/[\\w/.~=&?#-]*)?$`);
}

/** A name, or the ending of one, whose last label begins with a letter. */
const isPlainHost = /^(?:[a-z0-9.-]*\.)?[a-z][a-z0-9-]*$/;

/** A URL of which only the host has to be looked at closely. */
const usual = /^(?:https?|wss?|ftp):\/\/[a-z0-9.-]+(?:\/[\w/.~=&?#-]*)?$/;
const remembered = 1_000;
const longestHost = 253;

/** Remembers what was said of the hosts of most URLs: taking a URL apart takes ten times as long. */
function rememberingHosts(long: (url: string) => Outcome): (url: string) => Outcome {
  const said = new Map<string, Outcome>();
  return (url) => {
    if (!usual.test(url)) return long(url);
    const start = url.indexOf("//") + 2;
    const end = url.indexOf("/", start);
    const host = end === -1 ? url.slice(start) : url.slice(start, end);
    const known = said.get(host);
    if (known !== undefined) return known;
    const outcome = long(url);
    if (said.size >= remembered) said.clear();
    if (host.length <= longestHost) said.set(ownCopy(host), outcome);
    return outcome;
  };
}

const urlScheme: CheckKind = {
  schema: textsSchema('The scheme of the URL is one of these, as in ["https"].', {
    pattern: "^[A-Za-z][A-Za-z0-9+.-]*$",
  }),
  read: (operand, where, name) => {
    const given = readTexts("schemes", operand, where, name);
    for (const scheme of given) {
      if (/^[a-z][a-z0-9+.-]*$/i.test(scheme)) continue;
      throw invalidOption(
        where,
        `'${name}' must hold schemes as in "https", received ${quoted(scheme)}.`,
      );
    }
    const schemes = new Set(given.map((scheme) => `${scheme.toLowerCase()}:`));
    const test = (value: string): Outcome => {
      const url = isPlainUrl(value) ? parseUrl(value) : undefined;
      return url === undefined ? undefined : schemes.has(url.protocol);
    };
    return { name, operand: given, kinds: ["string"], test };
  },
};

/** Blanks and control characters are taken out by some clients and sent by others. */
function isPlainUrl(text: string): boolean {
  return !/[\s\p{Cc}\\]/u.test(text);
}

/** A host with nothing around it but a port. */
const bareHost = /^(?:\[[0-9a-f:.]+\]|[^\s/\\@?#:[\]%]+)(?::\d{1,5})?$/i;
/** A host with a port, or an address whose scheme is followed by a number: clients differ. */
const schemeAndNumber = /^(?:https?|wss?|ftp|file):\d/i;
const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/** Some clients take what stands before an @ for a name, also if a query or a fragment has begun. */
const nameBehindHost = /^[^/]*\/\/[^/]*@/;

/**
 * The host that a client contacts, in the form that URLs of the WHATWG have.
 *
 * Undefined where clients disagree: by user names, backslashes, blanks, escapes,
 * letters that some map to others, and addresses that are not written in the
 * usual way.
 */
function hostOf(text: string): string | undefined {
  if (!isPlainUrl(text) || schemeAndNumber.test(text)) return undefined;
  const written = bareHost.test(text) ? text : authority.exec(text)?.[1];
  if (written === undefined || written === "" || /[@%]/.test(written)) return undefined;
  if (nameBehindHost.test(text)) return undefined;
  const url = parseUrl(bareHost.test(text) ? `http://${text}/` : text);
  if (url === undefined || !special.has(url.protocol)) return undefined;
  const host = withoutDot(url.hostname);
  const asWritten = withoutDot(written.replace(/:\d*$/, "").toLowerCase());
  if (
    host === "" ||
    emptyLabel.test(host) ||
    !signsOfHosts.test(asWritten) ||
    isDisputed(asWritten, host) ||
    carriesAddress.test(host)
  )
    return undefined;
  return plainAddress(host);
}

/** Some clients end a host at other signs, such as `;` and quotes. */
const signsOfHosts =
  /^(?:\[[0-9a-f:.]+\]|(?:[a-z0-9_-]|[^\p{ASCII}])(?:[a-z0-9._-]|[^\p{ASCII}])*)$/u;

/** Some clients leave out what is empty between the dots, or behind them. */
const emptyLabel = /^\.|\.\.|\.$/;

/** IPv6 addresses that some systems send on to the IPv4 address in them: compatible, translated, 6to4, NAT64, Teredo, ISATAP. */
const carriesAddress =
  /^\[(?:::[0-9a-f]{1,4}:[0-9a-f]{1,4}|::ffff:0:.*|2002:.*|64:ff9b:.*|2001:(?:0?:).*|[0-9a-f:]*:(?:0:|200:)?5efe:[0-9a-f]{1,4}:[0-9a-f]{1,4})\]$/;

/** Letters that older clients map to others. */
const deviations = /[ßς\u200c\u200d]/;

function isDisputed(written: string, host: string): boolean {
  if (isIP(host) === 4) return written !== host;
  if (/^\p{ASCII}*$/u.test(written)) return false;
  // What comes back as it was written was mapped to nothing else.
  return deviations.test(written) || domainToUnicode(host) !== written;
}

function withoutDot(host: string): string {
  return host.replace(/\.$/, "");
}

/** Takes the brackets off, and gives an IPv4 address that stands in an IPv6 address. */
function plainAddress(host: string): string {
  const address = host.replace(/^\[(.*)\]$/, "$1");
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const bits = Number.parseInt(high, 16) * 0x1_00_00 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join(".");
}

class Hosts {
  readonly names = new Set<string>();
  /** Each begins with a point. */
  readonly endings: string[] = [];
  readonly #addresses = new BlockList();

  constructor(given: readonly string[], where: string, name: string) {
    for (const each of given) {
      if (!this.#add(each)) {
        throw invalidOption(
          where,
          `'${name}' must hold hosts, as in "example.com", "*.example.com" or "10.0.0.0/8", received ${quoted(each)}.`,
        );
      }
    }
  }

  covers(host: string): boolean {
    if (this.names.has(host)) return true;
    const version = isIP(host);
    if (version !== 0) return this.#addresses.check(host, version === 4 ? "ipv4" : "ipv6");
    return this.endings.some((ending) => host.endsWith(ending));
  }

  #add(given: string): boolean {
    const [, address, bits] = /^([0-9a-f:.]+)\/(\d{1,3})$/i.exec(given) ?? [];
    if (address !== undefined && bits !== undefined) return this.#addSubnet(address, Number(bits));
    const below = given.startsWith("*.");
    const name = below ? given.slice(2) : given;
    if (/[*/:]/.test(name) && isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 6) return false;
    const host = hostOf(isIP(name) === 6 ? `[${name}]` : name);
    if (host === undefined || (below && isIP(host) !== 0)) return false;
    if (below) this.endings.push(`.${host}`);
    else this.names.add(host);
    return true;
  }

  #addSubnet(address: string, bits: number): boolean {
    const version = isIP(address);
    if (version === 0 || bits > (version === 4 ? 32 : 128)) return false;
    this.#addresses.addSubnet(address, bits, version === 4 ? "ipv4" : "ipv6");
    return true;
  }
}

export const hosts = { hostIn, urlScheme } satisfies Readonly<Record<string, CheckKind>>;
