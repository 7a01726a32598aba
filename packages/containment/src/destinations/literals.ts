import {
  type Address,
  canonicalHost,
  canonicalIban,
  canonicalMail,
  readUrl,
  wholeAddress,
} from "./address.js";
import { contactedIn, isMail, nestedIn } from "./contacted.js";
import { asClientsMap, isAnyAddress, isFileName, isHostName, isNameOfHost } from "./host-names.js";
import { ibansIn } from "./ibans.js";
import { machinesIn } from "./machines.js";
import { asMailboxes, hasUnusualMailbox, isAddressList, isMailbox } from "./mailboxes.js";
import { trimmed, withoutEscapes, wordsWithMarks } from "./words.js";

/** A destination that stands in a text. */
export interface Literal {
  readonly kind: "url" | "mail" | "iban";
  /** Undefined for one that can be read in two ways. */
  readonly value: string | undefined;
  readonly address?: Address | undefined;
  /** True if the text is nothing else. */
  readonly isWhole: boolean;
}

const longestWord = 4_096;
const leastIban = 15;
/** One text with more destinations than this, or more words that look like one, cannot be read. */
const mostLiterals = 256;
const mostCandidates = 4_096;
const mostWords = 65_536;

/** Stands for what cannot be read, and may be a destination. */
const unreadable: Literal = { kind: "url", value: undefined, isWhole: false };

/** The work done so far, over all texts of one call. */
export interface Scan {
  words: number;
  candidates: number;
  /** True if there was too much to look at. What cannot be read was found, then. */
  isOver: boolean;
}

export function newScan(): Scan {
  return { words: 0, candidates: 0, isOver: false };
}

/**
 * Finds the destinations in a text: URLs and hosts, mail addresses, IBANs.
 *
 * Also those behind the escapes of HTML, JSON and URLs, those within other URLs, and those that clients read
 * where another word stands. Its cost grows with the length of the text; where it gives up, it says that there
 * is something that cannot be read.
 *
 * @param name of the member that the text stands in
 */
export function literalsIn(text: string, scan: Scan = newScan(), name = ""): readonly Literal[] {
  const found: Literal[] = [];
  const isAddress = bareAddress.test(text) || isNamedHost(text.trim(), name);
  if (isAddress) pushUrl(addressText(text), true, found);
  if (text.length < leastIban && !/[.:@&\\%\u0080-\uffff]|\/\/|\d{7}|0x/i.test(text)) return found;
  const plain = withoutEscapes(text);
  const mapped = asClientsMap(plain);
  const seen = new Set<string>();
  readForm(text, seen, scan, found);
  if (plain !== text) readForm(plain, seen, scan, found);
  if (mapped !== plain) {
    const others: Literal[] = [];
    readForm(mapped, seen, scan, others);
    for (const { kind, isWhole } of others) found.push({ kind, value: undefined, isWhole });
  }
  if (!scan.isOver) readOfClients(plain, mapped, scan, found);
  if (!scan.isOver) readIbans(mapped, scan, found);
  if (scan.isOver) return [...found, unreadable];
  const mailboxes = asMailboxes(mapped);
  if (!mailboxes.includes("@")) return found;
  if (hasUnusualMailbox(mapped)) found.push({ ...unreadMail, isWhole: false });
  if (isAddressList(mailboxes) && hasOther(mailboxes, seen))
    found.push({ ...unreadMail, isWhole: true });
  if (!found.some(({ kind, isWhole }) => kind === "mail" && !isWhole)) return found;
  if (!isAddressList(text) && !isAddressList(mailboxes)) return found;
  return found.map((each) => (each.kind === "mail" ? { ...each, isWhole: true } : each));
}

/** True for one number, and for what looks like a file, if the member's name says that it is a host. */
function isNamedHost(text: string, name: string): boolean {
  if (!isAnyAddress(text) && !(isFileName(text) && isHostName(text))) return false;
  return isNameOfHost(name);
}

/** Reads the words of one form of a text that stand in no other. */
function readForm(form: string, seen: Set<string>, scan: Scan, found: Literal[]): void {
  for (const given of wordsWithMarks(form)) {
    scan.words += 1;
    scan.isOver ||= scan.words > mostWords;
    if (scan.isOver) return;
    const word = trimmed(given);
    if (word.length < 4 || !mayHold(word) || seen.has(word)) continue;
    seen.add(word);
    if (isTooMuch(scan, found)) return;
    readWord(word, given.length === form.length, found);
  }
}

function isTooMuch(scan: Scan, found: readonly Literal[]): boolean {
  scan.candidates += 1;
  scan.isOver ||= scan.candidates > mostCandidates || found.length >= mostLiterals;
  return scan.isOver;
}

/** Reads what clients make of a text beyond its words, and the addresses of machines. */
function readOfClients(plain: string, mapped: string, scan: Scan, found: Literal[]): void {
  if (/[\s,;()[\]{}|*"'`]|[^\p{ASCII}]/u.test(plain)) {
    for (const { url, isWhole } of contactedIn(plain)) {
      if (isTooMuch(scan, found)) return;
      readUrls(url, isWhole, found);
    }
  }
  for (const url of machinesIn(mapped)) {
    if (isTooMuch(scan, found)) return;
    pushUrl(url, false, found);
  }
}

/** Stands for a mail address that not all mail programs read in one way. */
const unreadMail = { kind: "mail", value: undefined } as const;

function hasOther(addresses: string, seen: ReadonlySet<string>): boolean {
  const words = addresses.split(/[\s,;<>]+/).map(trimmed);
  return words.some((word) => !seen.has(word) && isMailbox(word));
}

/** The beginnings of a URL: at a scheme, at two slashes, or at www. */
const urlStart = /(?:[a-z][a-z0-9+.-]{0,30}:)?\/\/|(?:https?|wss?|ftp):(?=.)|www\./i;

function mayHold(word: string): boolean {
  if (word.length > longestWord || word.includes("//") || word.includes("@")) return true;
  return /\p{L}{2}|xn--/u.test(word) && (/[.\u3002\uff0e\uff61]/.test(word) || urlStart.test(word));
}

function readWord(word: string, isWhole: boolean, found: Literal[]): void {
  if (word.length > longestWord) {
    found.push(unreadable);
    return;
  }
  // Markdown, and some programs, let a URL begin in the middle of a word.
  const start = urlStart.exec(word);
  if (start !== null) readUrls(word.slice(start.index), isWhole, found);
  else if (!word.includes("@") || !readMail(word, isWhole, found)) readHosts(word, isWhole, found);
}

function pushUrl(text: string, isWhole: boolean, found: Literal[]): void {
  const address = readUrl(text);
  found.push({ kind: "url", value: address && wholeAddress(address), address, isWhole });
}

function readUrls(text: string, isWhole: boolean, found: Literal[]): void {
  pushUrl(text.replace(/^(https?|wss?|ftp):\/*(?=[^\\/])/i, "$1://"), isWhole, found);
  for (const each of literalsWithin(text, isWhole)) found.push(each);
}

/** Finds the URLs and addresses in the path and the query of a URL: it may lead on to them. */
export function literalsWithin(url: string, isWhole = true): readonly Literal[] {
  const found: Literal[] = [];
  const afterHost = /^(?:[a-z][a-z0-9+.-]*:)?[\\/]*[^\\/?#]*/i.exec(url)?.[0].length ?? 0;
  for (const nested of nestedIn(url.slice(afterHost))) {
    if (!isMail(nested) || !readMail(nested, isWhole, found)) pushUrl(nested, isWhole, found);
  }
  return found;
}

/** @returns false for a word that is no address: its @ may stand in the path of a URL. */
function readMail(word: string, isWhole: boolean, found: Literal[]): boolean {
  const value = canonicalMail(word);
  // "@ann" is a name, and "a@b" no address that mail outside of one network goes to.
  const isAddress =
    value?.includes(".", value.indexOf("@")) ?? /^[^/@]+@(?:[^/]*@)?[^@]+\.[^@]/.test(word);
  if (isAddress) found.push({ kind: "mail", value, isWhole });
  return isAddress || value !== undefined;
}

/** Finds names of hosts in a word, as they stand behind other signs or before a path. */
function readHosts(word: string, isWhole: boolean, found: Literal[]): void {
  for (const match of word.matchAll(/[\p{L}\p{M}\p{N}._\u3002\uff0e\uff61-]+/gu)) {
    const name = match[0].replace(/^[._-]+|(?<![._-])[._-]+$/g, "");
    const start = match.index + match[0].indexOf(name);
    // A name in a path is one of a folder or a file.
    if (/(?:^|[^\\/:])[\\/]$/.test(word.slice(0, start))) continue;
    const rest = word.slice(start);
    if (!isHostName(name) || (isFileName(name) && !/^[\\/]/.test(rest.slice(name.length))))
      continue;
    readUrls(rest, isWhole && /^[\\/]*$/.test(word.slice(0, start)), found);
    return;
  }
}

/** The address of a machine in numbers, as a whole text, with a port and a path or without. */
const bareAddress =
  /^\s*(?:\d{1,3}(?:\.\d{1,3}){3}\.?|\[[\da-f:.]+\]|[\da-f:]*::[\da-f:.]*|[\da-f]{1,4}(?::[\da-f]{1,4}){7})(?::\d+)?(?:[/?#\\].*)?\s*$/is;

function addressText(text: string): string {
  const name = text.trim();
  return canonicalHost(`[${name}]`) === undefined ? name : `[${name}]`;
}

function readIbans(text: string, scan: Scan, found: Literal[]): void {
  if (text.length < leastIban) return;
  const whole = canonicalIban(text);
  if (whole !== undefined) {
    found.push({ kind: "iban", value: whole, isWhole: true });
    return;
  }
  for (const value of ibansIn(text)) {
    scan.candidates += 16;
    if (scan.candidates > mostCandidates) {
      scan.isOver = true;
      found.push(unreadable);
      return;
    }
    if (value !== undefined) found.push({ kind: "iban", value, isWhole: false });
  }
}
