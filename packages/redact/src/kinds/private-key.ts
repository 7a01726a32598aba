import { markOpens } from "../text/marks.js";
import type { Before } from "./before.js";
import type { Detector } from "./detector.js";

const header = /-----BEGIN ((?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?)-----/y;
const fence = /-----(?:BEGIN |END ([A-Z0-9 ]{0,40})-----)/;
/** Above it a key is not looked at whole: RSA keys of 8,192 bits have 6,400 units, and as much may stand before their lines. */
const longestPem = 12_288;
/** A line of PEM has 64 digits (RFC 7468), of OpenSSH 70, of OpenPGP 64 or 76. None of what stands before a line has so many. */
const shortestLine = 40;
const rows = /[A-Za-z0-9+/]{40,}={0,2}/g;
const shorter = /[A-Za-z0-9+/]+={0,2}/y;
/** The most that stands between two lines, and before the first one: headers (RFC 1421), a time, the name of a container. */
const longestGap = 256;

/**
 * PEM whose body decodes: to DER, which begins with a sequence, or to OpenSSH's format. Of OpenPGP, and of what is
 * encrypted as RFC 1421 has it, each body does.
 *
 * Anything may stand before and behind its lines: the signs of a diff, a number, a comment, quotes. A missing end is no
 * excuse: then the lines that stand near to each other are the key.
 */
export const privateKey: Detector = {
  kind: "secret.private_key",
  anchors: ["-----BEGIN "],
  atAnchor({ text }, at, before) {
    header.lastIndex = at;
    const opened = header.exec(text);
    if (opened === null) return undefined;
    const end = keyEnd(text, at, opened[1] as string, before);
    const looked = end > 0 ? end : header.lastIndex + 2 * longestPem;
    before.noteValue(at, looked);
    if (end > 0) return { start: at, end };
    before.doubt(at, at, looked);
    return undefined;
  },
};

function keyEnd(text: string, at: number, label: string, before: Before): number {
  const start = header.lastIndex;
  const rest = text.slice(start, at + longestPem);
  const closed = fence.exec(rest);
  if (closed !== null && closed.index < shortestLine) return -1;
  const behind = rest.slice(0, closed?.index);
  const mark = behind.indexOf(markOpens);
  const body = mark < 0 ? behind : behind.slice(0, mark);
  const isOpen = label.startsWith("PGP") || body.includes("4,ENCRYPTED");
  if (mark < 0 && closed !== null && closed[1] === label) {
    // Most show in their first lines that they are keys.
    if (!hasKey(body.slice(0, 256), isOpen) && !hasKey(body, isOpen)) return -1;
    const end = start + closed.index + closed[0].length;
    before.passOver(end);
    return end;
  }
  const end = lastLineEnd(withoutEscapes(body), isOpen);
  return end < 0 ? -1 : start + end;
}

/** True if a line decodes, or all as one if there is nothing else between the ends: some write shorter lines. */
function hasKey(body: string, isOpen: boolean): boolean {
  const written = withoutEscapes(body);
  const lines = written.match(rows) ?? [];
  if (lines.some((line) => isOpen || begins(line))) return true;
  const all = written.replace(/\s+/g, "");
  return /^[A-Za-z0-9+/]{40,}={0,2}$/.test(all) && (isOpen || begins(all));
}

/** Line breaks may be written as escapes, whose letters are no digits of the key. */
function withoutEscapes(body: string): string {
  return body.includes("\\") ? body.replace(/\\[nrt]/g, "\n\n") : body;
}

/** The end of the last of the lines that follow each other from the start on; -1 if they are no key. */
function lastLineEnd(body: string, isOpen: boolean): number {
  let end = -1;
  let gap = "";
  for (const { 0: line, index } of body.matchAll(rows)) {
    if (index - Math.max(end, 0) > longestGap) break;
    if (end < 0 && !isOpen && !begins(line)) return -1;
    gap = end < 0 ? "\n" : body.slice(end, index);
    end = index + line.length;
  }
  // The last line may be shorter, or cut off.
  if (end < 0 || !body.startsWith(gap, end)) return end;
  shorter.lastIndex = end + gap.length;
  return shorter.test(body) ? shorter.lastIndex : end;
}

/** Before a line `+` of a diff may stand, and `//`, which are digits too. */
function begins(line: string): boolean {
  return decodes(line) || decodes(line.replace(/^[+/]+/, ""));
}

function decodes(base64: string): boolean {
  const bytes = Buffer.from(base64.slice(0, 64), "base64");
  return bytes[0] === 0x30 || bytes.toString("latin1").startsWith("openssh-key-v1");
}
