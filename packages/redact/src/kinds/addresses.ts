import { isDigitCode, isHex, isWord, tableOf } from "../text/classes.js";
import { continuesAfter, continuesBefore } from "../text/marks.js";
import type { Place } from "./before.js";
import type { Detector } from "./detector.js";
import { isSpecialIpv4, isSpecialIpv6 } from "./ip-ranges.js";
import { isVersion, nearVersion } from "./versions.js";

const colon = 58;
const dot = 46;
const hyphen = 45;

/** Public resolvers are nobody's address. */
const resolvers = new Set([
  0x01010101, // 1.1.1.1
  0x01000001, // 1.0.0.1
  0x08080808, // 8.8.8.8
  0x08080404, // 8.8.4.4
  0x09090909, // 9.9.9.9
  0xd043dede, // 208.67.222.222
  0xd043dcdc, // 208.67.220.220
]);

/** The same in IPv6: of Google, Cloudflare, Quad9 and OpenDNS. */
const resolvers6 = new Set([
  "2001:4860:4860:0:0:0:0:8888",
  "2001:4860:4860:0:0:0:0:8844",
  "2606:4700:4700:0:0:0:0:1111",
  "2606:4700:4700:0:0:0:0:1001",
  "2620:fe:0:0:0:0:0:fe",
  "2620:fe:0:0:0:0:0:9",
  "2620:119:35:0:0:0:0:35",
  "2620:119:53:0:0:0:0:53",
]);

/** The end of four octets, and their value. */
let octetsEnd = 0;

/** Reads four octets at `at`: their value, and -1 if none stand there. */
function octetsAt(units: Uint16Array, at: number): number {
  let address = 0;
  let place = at;
  for (let octet = 0; octet < 4; octet++) {
    if (octet > 0) {
      if (units[place] !== dot) return -1;
      place += 1;
    }
    const from = place;
    let value = 0;
    while (place - from < 3 && isDigitCode(units[place] as number)) {
      value = value * 10 + (units[place] as number) - 48;
      place += 1;
    }
    if (place === from || value > 255 || (place - from > 1 && units[from] === 48)) return -1;
    address = address * 256 + value;
  }
  octetsEnd = place;
  return address;
}

/** An address that may be somebody's: none of ipaddr.js's special ranges, no version, no public resolver. */
const ipv4: Detector = {
  kind: "personal.ipv4",
  groups: [{ from: 1, to: 3, next: "." }],
  atDigits(source, at, before, groupEnd): Place | undefined {
    const { units } = source;
    if (units[groupEnd] !== dot || groupEnd - at > 3) return undefined;
    // More parts before or behind make it a version or an object id; `==` pins a version.
    const previous = at === 0 ? 0 : (units[at - 1] as number);
    if (previous === dot || previous === hyphen) return undefined;
    const address = octetsAt(units, at);
    const end = octetsEnd;
    if (address < 0 || continuesBefore(source, at) || continuesAfter(source, end)) return undefined;
    if (previous === 61 && at > 1 && comparisons[units[at - 2] as number] === 1) return undefined;
    const next = units[end] as number;
    if ((next === dot || next === hyphen) && isWord(units[end + 1] as number)) return undefined;
    if (isSpecialIpv4(address) || resolvers.has(address)) return undefined;
    if (!isVersion(source, at, end, before)) return { start: at, end };
    before.doubt(at, at - nearVersion, end + nearVersion);
    return undefined;
  },
};

const comparisons = tableOf("=~<>!");

const groups = new Uint16Array(8);

/** Reads an IPv6 address (RFC 4291, 2.2) into `groups`: its end, and -1 if none stands there. */
function readIpv6(units: Uint16Array, start: number): number {
  let place = start;
  let size = 0;
  let gap = -1;
  let end = -1;
  while (size < 8) {
    if (units[place] === colon && units[place + 1] === colon) {
      if (gap >= 0) break;
      gap = size;
      place += 2;
      end = place;
    } else if (size > 0) {
      if (units[place] !== colon) break;
      place += 1;
    }
    const from = place;
    let value = 0;
    while (place - from < 4 && isHex(units[place] as number)) {
      const code = units[place] as number;
      value = value * 16 + (code <= 57 ? code - 48 : (code | 32) - 87);
      place += 1;
    }
    if (place === from) break;
    const address = units[place] === dot && size <= 6 ? octetsAt(units, from) : -1;
    if (address >= 0) {
      groups[size] = Math.floor(address / 65_536);
      groups[size + 1] = address % 65_536;
      size += 2;
      end = octetsEnd;
      break;
    }
    groups[size] = value;
    size += 1;
    if (gap >= 0 || size === 8) end = place;
    else if (units[place] !== colon) break;
  }
  if (gap < 0 ? size !== 8 : size > 7 || end < 0) return -1;
  if (gap >= 0) {
    groups.copyWithin(gap + 8 - size, gap, size);
    groups.fill(0, gap, gap + 8 - size);
  }
  return end;
}

const ipv6: Detector = {
  kind: "personal.ipv6",
  anchors: [":"],
  next: ":0123456789abcdefABCDEF",
  atAnchor(source, at): Place | undefined {
    const { units } = source;
    const next = units[at + 1] as number;
    const previous = at === 0 ? 0 : (units[at - 1] as number);
    if (next === colon ? previous === colon : !isHex(next) || !isHex(previous)) return undefined;
    let start = at;
    while (start > 0 && at - start < 5 && isHex(units[start - 1] as number)) start -= 1;
    if (start < at && !mayBeSomebodys(units, start, at)) return undefined;
    if (start > 0 && units[start - 1] === colon) {
      if (start === 1 || !isHex(units[start - 2] as number)) return undefined;
      if (isBehindGroup(units, start - 1)) return undefined;
    }
    if (continuesBefore(source, start)) return undefined;
    const end = readIpv6(units, start);
    if (end < 0 || continuesAfter(source, end) || units[end] === colon) return undefined;
    return isSomebodys() ? { start, end } : undefined;
  },
};

/** True if a group ends at `end`, and not a word: `IPv6:2a02:…`. */
function isBehindGroup(units: Uint16Array, end: number): boolean {
  let at = end;
  while (at > 0 && end - at < 5 && isHex(units[at - 1] as number)) at -= 1;
  return at === 0 || !isWord(units[at - 1] as number);
}

/** False for a first group that no address of anybody has: most of what stands before a colon. */
function mayBeSomebodys(units: Uint16Array, start: number, end: number): boolean {
  const first = units[start] as number;
  // 2000::/3, or zeros before an address of IPv4.
  return end - start === 4
    ? first === 48 || first === 50 || first === 51
    : end - start < 4 && first === 48;
}

/** The address in `groups`, or the IPv4 address that is mapped into it. */
function isSomebodys(): boolean {
  const isMapped = groups[5] === 0xffff && groups.subarray(0, 5).every((group) => group === 0);
  if (isMapped) return !isSpecialIpv4((groups[6] as number) * 65_536 + (groups[7] as number));
  if (isSpecialIpv6(groups)) return false;
  // Of other addresses, none is written anew to be looked up.
  const mayBeResolver = groups[3] === 0 && groups[4] === 0 && groups[5] === 0 && groups[6] === 0;
  return (
    !mayBeResolver || !resolvers6.has(Array.from(groups, (each) => each.toString(16)).join(":"))
  );
}

/** The end of twelve hexadecimal digits in groups of `width`; -1 if none stand there. */
function macEnd(units: Uint16Array, start: number, sign: number, width: number): number {
  let at = start;
  for (let digits = 0; digits < 12; digits++) {
    if (digits > 0 && (digits & (width - 1)) === 0) {
      if (units[at] !== sign) return -1;
      at += 1;
    }
    if (!isHex(units[at] as number)) return -1;
    at += 1;
  }
  return at;
}

/** True behind two hexadecimal digits and a colon that are no end of a word. */
function isBehindOctet(units: Uint16Array, start: number): boolean {
  if (start < 2 || !isHex(units[start - 2] as number)) return false;
  if (start < 3 || !isHex(units[start - 3] as number))
    return start < 3 || !isWord(units[start - 3] as number);
  return start < 4 || !isWord(units[start - 4] as number);
}

/** The end of the second address of the 14 octets that an Ethernet frame begins with, behind the first; -1 if they are none. */
function frameEnd(units: Uint16Array, first: number): number {
  const sign = units[first] as number;
  const end = macEnd(units, first + 1, sign, 2);
  if (end < 0 || units[end] !== sign) return -1;
  let at = end;
  for (let octet = 0; octet < 2; octet++, at += 3)
    if (units[at] !== sign || !isHex(units[at + 1] as number) || !isHex(units[at + 2] as number))
      return -1;
  return units[at] === sign || isWord(units[at] as number) ? -1 : end;
}

/** False for an address of a group, which an odd first byte has, and for zeros. */
function isInterface(units: Uint16Array, start: number, end: number): boolean {
  const second = units[start + 1] as number;
  const value = second <= 57 ? second - 48 : (second | 32) - 87;
  if (value % 2 === 1) return false;
  for (let at = start; at < end; at++) {
    const code = units[at] as number;
    if (code !== 48 && isHex(code)) return true;
  }
  return false;
}

/** An interface's own address: not the broadcast's, a group's or all zeros (IEEE 802). */
const mac: Detector = {
  kind: "personal.mac",
  anchors: [":", "-", "."],
  next: "0123456789abcdefABCDEF",
  atAnchor(source, at, before): Place | undefined {
    const { units } = source;
    const sign = units[at] as number;
    const width = sign === dot ? 4 : 2;
    const start = at - width;
    if (start < 0 || units[at + width + 1] !== sign) return undefined;
    if (start > 0 && units[start - 1] === sign) {
      if (sign !== colon) return undefined;
      if (isBehindOctet(units, start)) {
        before.doubt(at, start - 2, start);
        return undefined;
      }
    }
    const end = macEnd(units, start, sign, width);
    if (end < 0 || continuesBefore(source, start) || continuesAfter(source, end)) return undefined;
    if (units[end] !== sign || !isHex(units[end + 1] as number))
      return isInterface(units, start, end) ? { start, end } : undefined;
    const last = width === 2 ? frameEnd(units, end) : -1;
    if (last < 0) before.doubt(at, end, end + 2);
    // The head of a frame, as firewalls log it: two addresses and the type.
    else if (isInterface(units, start, end) || isInterface(units, end + 1, last))
      return { start, end: last };
    return undefined;
  },
};

export const addresses: readonly Detector[] = [ipv6, mac, ipv4];
