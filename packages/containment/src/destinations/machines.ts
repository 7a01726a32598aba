import { canonicalHost } from "./address.js";
import { isAnyAddress, isHostName, isPlainAddress } from "./host-names.js";

/** Programs that take the address of a machine among their arguments. */
const command =
  /(?<![\w-])(?:curl|wget|nc|ncat|netcat|socat|ssh|scp|sftp|rsync|telnet|t?ftp|ping|dig|nslookup|iwr|irm|invoke-webrequest|invoke-restmethod|https?|xh|aria2c|lynx)(?:\.exe)?[ \t]+([^\n;|]*)/gi;
/** A name of a file behind these is a host, for they read what stands there from a machine. */
const fileBehind =
  /(?<![\w-])(?:curl|wget|nc|ncat|telnet|ssh|ping|dig|nslookup|iwr|irm)(?:\.exe)?[ \t]+(?:-{1,2}(?!(?:[oTKbcdFE]|output|output-document|upload-file|config|data[\w-]*|form|cookie|cert|key)[ \t])[\w-]+[ \t]+){0,8}(?:[\w.-]+@)?([\w-]+(?:\.[\w-]+)*\.(?:md|py|rs|sh|pl|cc|so|ps))(?![\w./-])/gi;
/** A port or a path behind four numbers makes an address of them; behind a length of a network they are none. */
const inUrlPosition =
  /(?<![\w./-])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5}(?![\d:])|\/(?!\d{1,2}(?![\w./]))[^\s"'`<>]+)/g;
const inQuotes = /(?<=(["'`]))\d{1,3}(?:\.\d{1,3}){3}(?=\1)/g;
const inBrackets =
  /(?<!\w)\[(?=[\da-f:.]*:[\da-f:.]*:)[\da-f:.]{2,45}\](?::\d{1,5})?(?:\/[^\s"'`<>]*)?/gi;
const anyFour = /(?<![\w./-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)/g;
const device = /\/dev\/(?:tcp|udp)\/([^/\s]+)/gi;

/** Most texts have neither: these are tried first, for the patterns above cost ten times as much. */
const mayBeAddress = /\d\.\d|0x|\d{8}|:[\da-f]*:/i;
const fileEnding = /\.(?:md|py|rs|sh|pl|cc|so|ps)(?![\w-])/i;

const longestWord = 512;

/** Yields the URLs of machines that a text names by address: to a command, before a port or a path, or in brackets. */
export function* machinesIn(text: string): Iterable<string> {
  if (text.includes("/dev/")) for (const [, host = ""] of text.matchAll(device)) yield host;
  if (fileEnding.test(text)) {
    for (const [, host = ""] of text.matchAll(fileBehind)) if (isHostName(host)) yield host;
  }
  if (!mayBeAddress.test(text)) return;
  for (const [url] of text.matchAll(inUrlPosition)) yield url;
  for (const [host] of text.matchAll(inQuotes)) if (isPlainAddress(host)) yield host;
  for (const [url] of text.matchAll(inBrackets)) if (isPlainAddress(hostIn(url))) yield url;
  for (const [, rest = ""] of text.matchAll(command)) yield* machinesOf(rest);
}

/** Yields the addresses of machines that stand anywhere in a text. */
export function* addressesIn(text: string): Iterable<string> {
  for (const [host] of text.matchAll(anyFour)) if (isPlainAddress(host)) yield host;
  yield* machinesIn(text);
}

/** The addresses among the arguments of a command. */
function* machinesOf(rest: string): Iterable<string> {
  let isOption = false;
  for (const [word] of rest.matchAll(/[^\s"'`=,()<>]+/g)) {
    if (word.length <= longestWord) {
      const given = word.replace(/^[^@/]*@/, "");
      const host = hostIn(given);
      // The value of an option is a number of seconds more often.
      if (isAnyAddress(host) && !(isOption && /^\d{1,3}\.\d{1,3}$/.test(host))) yield given;
      else if (/^[\da-f]*:[\da-f:.]+$/i.test(given) && canonicalHost(`[${given}]`) !== undefined)
        yield `[${given}]`;
    }
    isOption = word.startsWith("-");
  }
}

function hostIn(url: string): string {
  return /^(?:\[[^\]]*\]|[^/?#:\\]*)/.exec(url)?.[0] ?? "";
}
