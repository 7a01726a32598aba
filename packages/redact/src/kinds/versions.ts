import type { Source } from "../text/source.js";
import { type Before, said } from "./before.js";

/** So far on each side it is looked at what four numbers are. */
export const nearVersion = 24;

/** The signs and words between a word for versions and a version. */
const behindVersionWord =
  /^(?:d|s)?(?:[ \t:="'`*#(v[>]|\b\d{1,5}(?:\.\d{1,5}){0,3}\b|\b(?:number|no\.?|sec(?:tion)?\.?|is|to|from|of|in)\b)*$/i;
/** Two versions in a range, as NuGet writes them: `"[4.0.3.3, 5.0.0)"`. */
const rangeOpens = /"[[(]$/;
const rangeGoesOn = /^, ?\d/;
const rangeContinues = /"[[(][\d.]{1,20}, ?$/;
const rangeCloses = /^[\])]"/;
/** Numbers of a path in SVG, of which the least have no space between them. */
const pathBefore = /(?:^|[^\d.])(?:\d+|\d*\.\d+)[ ,]$/;
const pathAround = /^(?=.{0,18}\.\d)(?:[\d .,-]|[a-z](?![a-z])){20}$/i;

/** True for four numbers that are no address: a version, a section, or numbers of a path. */
export function isVersion({ text }: Source, start: number, end: number, before: Before): boolean {
  const word = start - before.since(said.version, start);
  if (start - word <= nearVersion && behindVersionWord.test(text.slice(word, start))) return true;
  const ahead = text.slice(Math.max(0, start - nearVersion), start);
  const behind = text.slice(end, end + 20);
  if (rangeOpens.test(ahead) && rangeGoesOn.test(behind)) return true;
  if (rangeContinues.test(ahead) && rangeCloses.test(behind)) return true;
  return pathBefore.test(ahead) && pathAround.test(ahead.slice(-20)) && pathAround.test(behind);
}
