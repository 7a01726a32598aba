import { parseUrl } from "@toolstile/core/provider";
import { parse } from "tldts";

const longestHost = 255;

/** True for the name of a host with an ending of the public list. */
export function isHostName(name: string): boolean {
  const host = name.replace(/[\u3002\uff0e\uff61]/g, ".");
  if (
    host.length > longestHost ||
    !/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]*\.\p{L}[\p{L}\p{M}\p{N}-]+$/u.test(host)
  ) {
    return false;
  }
  const { domain, isIcann } = parse(host.replace(/_/g, "-"));
  return domain !== null && isIcann === true;
}

/** In a text these are names of files far more often than hosts. With a path behind them they are hosts. */
const fileEndings = /\.(?:md|py|rs|sh|pl|cc|so|ps)$/i;
/** These are both. Who names one may mean the file. */
const moreFileEndings = /\.(?:zip|mov|app|tf|pm|mk|mo|mm|cl|cab|docs|properties)$/i;

export function isFileName(name: string): boolean {
  return fileEndings.test(name);
}

/** True for a host that has the name of a file. */
export function mayBeFile(host: string): boolean {
  return fileEndings.test(host) || moreFileEndings.test(host);
}

const fourNumbers = /^\d{1,3}(?:\.\d{1,3}){3}\.?$/;
const oneNumber = /^(?:0x[\da-f]+|\d+)$/i;
/** Smaller numbers are addresses of no machine, and mostly numbers of something else. */
const leastNumber = 2 ** 24;

/** True for four numbers with dots between them, and for an IPv6 address in brackets. */
export function isPlainAddress(host: string): boolean {
  if (!/^[\d[]/.test(host)) return false;
  return (fourNumbers.test(host) || /^\[[\da-f:.]+\]$/i.test(host)) && isAddress(host);
}

/** True for the address of a machine in any spelling, also for one number. */
export function isAnyAddress(host: string): boolean {
  if (isPlainAddress(host)) return true;
  if (!/^\d[\da-fx.]*$/i.test(host) || !isAddress(host)) return false;
  return !oneNumber.test(host) || Number(host) >= leastNumber;
}

function isAddress(host: string): boolean {
  const name = parseUrl(`http://${host}/`)?.hostname ?? "";
  return fourNumbers.test(name) || name.startsWith("[");
}

/** The letters of a host as clients map them: \u24d2 is c, and what nobody sees is left out. */
export function asClientsMap(text: string): string {
  let mapped = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 128 || plainUnits[unit] === 1) continue;
    const code = text.codePointAt(at) ?? unit;
    const to = mappingOf(code);
    const end = code > 0xffff ? at + 1 : at;
    if (to !== undefined) {
      mapped += text.slice(from, at) + to;
      from = end + 1;
    } else if (end === at) plainUnits[unit] = 1;
    at = end;
  }
  return from === 0 ? text : mapped + text.slice(from);
}

/** 1 for a code unit that is known to be mapped to nothing else. */
const plainUnits = new Uint8Array(0x1_0000);
const mappings = new Map<number, string | undefined>();
const mostMappings = 4_096;

/** The letters, the hyphen, the dot or the @ that a sign stands for; undefined for one that stands for itself. */
function mappingOf(code: number): string | undefined {
  if (mappings.has(code)) return mappings.get(code);
  const sign = String.fromCodePoint(code);
  const to = /\p{Default_Ignorable_Code_Point}/u.test(sign) ? "" : sign.normalize("NFKC");
  const isMapped = to !== sign && /^(?:[\p{L}\p{M}\p{N}-]*|[\p{L}\p{N}]*\.|@)$/u.test(to);
  if (mappings.size >= mostMappings) mappings.clear();
  mappings.set(code, isMapped ? to : undefined);
  return isMapped ? to : undefined;
}

const namesOfHosts =
  /(?:^|[^a-z])(?:host|host_?name|ip|ip_?addr(?:ess)?|addr(?:ess)?|server|ur[il]|site|domain|endpoint|proxy|peer)s?$/i;

/** True for the name of a member that holds a host. */
export function isNameOfHost(name: string): boolean {
  return namesOfHosts.test(name.replace(/(?<=[a-z])(?=[A-Z])/g, "_"));
}
