import { isDigitCode, isHex, isWord, tableOf } from "../text/classes.js";
import { continuesAfter, continuesBefore } from "../text/marks.js";
import type { Detector, Place } from "./detector.js";
import { isSpecialIpv4, isSpecialIpv6 } from "./ip-ranges.js";

const colon = 58;
const dot = 46;
const hyphen = 45;

/** Public resolvers are nobody's address. */
const resolvers = new Set([
  "1.1.1.1",
  "1.0.0.1",
  "8.8.8.8",
  "8.8.4.4",
  "9.9.9.9",
  "208.67.222.222",
  "208.67.220.220",
]);

/** The end of four octets, and their value. */
let octetsEnd = 0;

/** Reads four octets at `at`: their value, and -1 if none stand there. */
function octetsAt(text: string, at: number): number {
  let address = 0;
  let place = at;
  for (let octet = 0; octet < 4; octet++) {
    if (octet > 0) {
      if (text.charCodeAt(place) !== dot) return -1;
      place += 1;
    }
    const from = place;
    let value = 0;
    while (place - from < 3 && isDigitCode(text.charCodeAt(place))) {
      value = value * 10 + text.charCodeAt(place) - 48;
      place += 1;
    }
    if (place === from || value > 255 || (place - from > 1 && text.charCodeAt(from) === 48))
      return -1;
    address = address * 256 + value;
  }
  octetsEnd = place;
  return address;
}

/** An address that may be somebody's: none of ipaddr.js's special ranges, no version, no public resolver. */
const ipv4: Detector = {
  kind: "personal.ipv4",
  atDigits(text, at, before, groupEnd): Place | undefined {
    if (groupEnd - at > 3 || text.charCodeAt(groupEnd) !== dot) return undefined;
    const address = octetsAt(text, at);
    const end = octetsEnd;
    if (address < 0 || continuesBefore(text, at) || continuesAfter(text, end)) return undefined;
    // More parts before or behind make it a version or an object id; `==` pins a version.
    const previous = text.charCodeAt(at - 1);
    if (previous === dot || previous === hyphen) return undefined;
    if (previous === 61 && comparisons[text.charCodeAt(at - 2)] === 1) return undefined;
    const next = text.charCodeAt(end);
    if ((next === dot || next === hyphen) && isWord(text.charCodeAt(end + 1))) return undefined;
    if (before.says("version", at, 24) || isSpecialIpv4(address)) return undefined;
    return resolvers.has(text.slice(at, end)) ? undefined : { start: at, end };
  },
};

const comparisons = tableOf("=~<>!");

const groups = new Uint16Array(8);

/** Reads an IPv6 address (RFC 4291, 2.2) into `groups`: its end, and -1 if none stands there. */
function readIpv6(text: string, start: number): number {
  let place = start;
  let size = 0;
  let gap = -1;
  let end = -1;
  while (size < 8) {
    if (text.charCodeAt(place) === colon && text.charCodeAt(place + 1) === colon) {
      if (gap >= 0) break;
      gap = size;
      place += 2;
      end = place;
    } else if (size > 0) {
      if (text.charCodeAt(place) !== colon) break;
      place += 1;
    }
    const from = place;
    let value = 0;
    while (place - from < 4 && isHex(text.charCodeAt(place))) {
      const code = text.charCodeAt(place);
      value = value * 16 + (code <= 57 ? code - 48 : (code | 32) - 87);
      place += 1;
    }
    if (place === from) break;
    if (text.charCodeAt(place) === dot && size <= 6) {
      const address = octetsAt(text, from);
      if (address < 0) break;
      groups[size] = Math.floor(address / 65_536);
      groups[size + 1] = address % 65_536;
      size += 2;
      end = octetsEnd;
      break;
    }
    groups[size] = value;
    size += 1;
    if (gap >= 0 || size === 8) end = place;
    else if (text.charCodeAt(place) !== colon) break;
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
  atAnchor(text, at): Place | undefined {
    const next = text.charCodeAt(at + 1);
    if (next !== colon && !isHex(next)) return undefined;
    let start = at;
    while (at - start < 5 && isHex(text.charCodeAt(start - 1))) start -= 1;
    if (at - start > 4 || (start === at && next !== colon) || text.charCodeAt(start - 1) === colon)
      return undefined;
    if (continuesBefore(text, start)) return undefined;
    const end = readIpv6(text, start);
    if (end < 0 || continuesAfter(text, end) || text.charCodeAt(end) === colon) return undefined;
    return isSomebodys() ? { start, end } : undefined;
  },
};

/** The address in `groups`, or the IPv4 address that is mapped into it. */
function isSomebodys(): boolean {
  const isMapped = groups[5] === 0xffff && groups.subarray(0, 5).every((group) => group === 0);
  if (isMapped) return !isSpecialIpv4((groups[6] as number) * 65_536 + (groups[7] as number));
  return !isSpecialIpv6(groups);
}

const macs =
  /(?:[0-9A-Fa-f]{2}([:-]))(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}|[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}/y;

/** An interface's own address: not the broadcast's, a group's or all zeros (IEEE 802). */
const mac: Detector = {
  kind: "personal.mac",
  anchors: [":", "-", "."],
  atAnchor(text, at): Place | undefined {
    const sign = text.charCodeAt(at);
    const width = sign === dot ? 4 : 2;
    const start = at - width;
    if (start < 0 || text.charCodeAt(at + width + 1) !== sign) return undefined;
    if (
      !isHex(text.charCodeAt(start)) ||
      !isHex(text.charCodeAt(at + 1)) ||
      continuesBefore(text, start)
    ) {
      return undefined;
    }
    if (width === 2 && text.charCodeAt(at + 12) !== sign) return undefined;
    if (
      text.charCodeAt(start - 1) === sign &&
      (sign !== colon || isHex(text.charCodeAt(start - 2)))
    )
      return undefined;
    macs.lastIndex = start;
    if (!macs.test(text)) return undefined;
    const end = macs.lastIndex;
    if (
      continuesAfter(text, end) ||
      (text.charCodeAt(end) === sign && isHex(text.charCodeAt(end + 1)))
    ) {
      return undefined;
    }
    const isGroup = (Number.parseInt(text.slice(start, start + 2), 16) & 1) === 1;
    return isGroup || /^[0.:-]+$/.test(text.slice(start, end)) ? undefined : { start, end };
  },
};

export const addresses: readonly Detector[] = [ipv6, mac, ipv4];
