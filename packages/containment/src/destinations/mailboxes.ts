import { asClientsMap, isHostName, isPlainAddress } from "./host-names.js";

const longest = 4_096;
const mostComments = 4;
const mostLabels = 8;
/** A quote, a comment or brackets before the @, as in "ann"@example.com. */
const unusual =
  /(?:[^\s:,;{}[\]()=<>"']["')>][ \t]*@[ \t]*|[^\s@]@[ \t]*(?=[[(]))(\[(?:ipv6:)?[\da-f:.x]+\]|(?:\([^()]*\)[ \t]*)?[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]*)/giu;

/** True if a text has a mail address that not all mail programs read in one way. */
export function hasUnusualMailbox(text: string): boolean {
  if (!text.includes("@")) return false;
  for (const [, host = ""] of text.matchAll(unusual)) if (isDomain(host)) return true;
  return false;
}

/**
 * A text as a mail program reads it that knows all of RFC 5322.
 *
 * Comments and blanks may stand around each part of an address, quotes and brackets around a name, and the
 * name of a group before addresses. A line that begins with a blank goes on with the one before it.
 */
export function asMailboxes(text: string): string {
  if (text.length > longest) return text;
  let read = text.replace(encodedWord, (_, way, word) => decodedWord(way, word));
  if (!read.includes("@")) return text;
  for (let round = 0; round < mostComments; round++) read = read.replace(/\([^()]*\)/g, " ");
  read = read
    .replace(/\r?\n[ \t]+/g, " ")
    .replace(/(?<![^,;\r\n])[^:@,;<>\r\n]{1,64}:([^:;]*);/g, "$1,")
    .replace(/"(?:[^"\\]|\\.)*"(?=\s*@)/g, "quoted")
    .replace(/<([^<>@]*)>(?=\s*@)/g, "$1")
    .replace(/(?<![^\s,;:<>])([^\s@,;:<>"]+)\s*@\s*/g, "$1@");
  for (let round = 0; round < mostLabels; round++) {
    read = read.replace(/(@[^\s@,;:<>]*)(?:\s+\.\s*|\.\s+)(?=[\p{L}\p{N}])/gu, "$1.");
  }
  return read;
}

const encodedWord = /=\?[^?\s]{1,40}\?([bq])\?([^?\s]*)\?=/gi;

/** Some programs undo these also within an address. */
function decodedWord(way: string, word: string): string {
  if (way.toLowerCase() === "b") return Buffer.from(word, "base64").toString();
  return word.replace(/=([\da-f]{2})/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** True if a word is a mail address, with a machine in brackets behind the @ or without. */
export function isMailbox(word: string): boolean {
  const [, host = ""] = /^<?[^@<>]+@([^@<>]+)>?$/.exec(word) ?? [];
  return isDomain(host);
}

function isDomain(host: string): boolean {
  const name = asClientsMap(host.replace(/\([^()]*\)\s*/g, "")).replace(/(?<!\.)\.+$/, "");
  const literal = `[${name.replace(/^\[(?:ipv6:)?|\]$/gi, "")}]`;
  return isHostName(name) || isPlainAddress(literal.slice(1, -1)) || isPlainAddress(literal);
}

/** True for a text that is nothing but mail addresses, with names before them or without, as in a header. */
export function isAddressList(text: string): boolean {
  const lines = text.replace(/"[^"\r\n]*"/g, "").split(/[\r\n]+/);
  return lines.every((line) => {
    const parts = line.replace(/^\s*(?:to|b?cc|from|sender|reply-to)\s*:/i, "").split(/[,;]/);
    return (
      line.trim() === "" ||
      (parts.some((part) => part.includes("@")) && parts.every(isMailboxOrName))
    );
  });
}

function isMailboxOrName(part: string): boolean {
  const words = part.trim().split(/\s+/);
  if (!part.includes("@")) return words.length <= 3;
  return words.every((word) => word.includes("@")) || /^[^<>@]*<[^<>]*>\s*$/.test(part);
}
