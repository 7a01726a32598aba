import { isRun, tableOf } from "../text/classes.js";
import type { Source } from "../text/source.js";
import { Ranges } from "./findings.js";
import { beginsLine, foldedLine, isFold } from "./folds.js";
import { hides, isEscape, readUnit } from "./unescaped.js";
import { Places, reach } from "./windows.js";

const ends = "\0 \t\"'`,;:(){}<>|!?*#$&~^\n\r";
/** Units that end words, numbers, runs and escapes, whatever stands behind them. */
const plainBefore = tableOf(`${ends}=`);
/** Units that begin no word, number, run or escape, whatever stands before them. */
const plainBehind = tableOf(`${ends}/.`);
const mayEscape = tableOf("\\%");

/**
 * The findings whose marks may show something that was not found beside them: what was in doubt stands there, or
 * what stands directly before or behind a finding might be read in another way.
 *
 * Around all others the text was read as it will be read again. What was in doubt is part of what is given back.
 *
 * @param doubts - rows as `Before` has them.
 */
export function mayShow(source: Source, found: Ranges, doubts: readonly number[]): Places {
  const showing = new Places(reach);
  const open = openPlaces(found, doubts);
  let passed = 0;
  for (let index = 0; index < found.length; index++) {
    const start = found.start(index);
    const end = found.end(index);
    while (open.end(passed) < start) passed += 1;
    const from = open.start(passed);
    if (from <= end) {
      const to = Math.min(end + reach, open.end(passed));
      showing.note(Math.max(0, start - reach, Math.min(start, from)), Math.max(end, to));
    } else if (!isPlainBefore(source, start) || !isPlainBehind(source, end))
      showing.note(start, end);
  }
  return showing;
}

/** What stays in doubt. What was asked for within a finding is masked with it, if the finding was known or not. */
function openPlaces(found: Ranges, doubts: readonly number[]): Ranges {
  const open = new Ranges();
  for (let row = 0; row < doubts.length; row += 4) {
    const first = doubts[row + 2] as number;
    const index = found.firstBehind(first);
    if (first < found.start(index) || (doubts[row + 3] as number) >= found.end(index))
      open.add(Math.max(0, doubts[row] as number), doubts[row + 1] as number, 0);
  }
  return open.disjoint();
}

function isPlainBefore(source: Source, start: number): boolean {
  if (start === 0) return true;
  const code = source.units[start - 1] as number;
  return isLineBreak(code) ? endsLine(source, start - 1) : plainBefore[code] === 1;
}

function isPlainBehind(source: Source, end: number): boolean {
  const { units } = source;
  const code = units[end] as number;
  if (isLineBreak(code)) return endsLine(source, end);
  if (mayEscape[code] !== 1) return plainBehind[code] === 1;
  // An escape: what it stands for counts.
  const unit = readUnit(units, end);
  return plainBehind[unit] === 1 && !(isLineBreak(unit) && mayEndLongRun(units, end));
}

function isLineBreak(code: number): boolean {
  return code === 10 || code === 13;
}

/** False for a line break that may go unseen: it is escaped, or one inside of a block of base64 with escapes beside it. */
function endsLine(source: Source, at: number): boolean {
  const { units } = source;
  const first = units[at - 1] === 13 ? at - 1 : at;
  const previous = units[first - 1];
  if (previous === 61 || previous === 92) return false;
  const next = units[units[at] === 13 ? at + 2 : at + 1] as number;
  if ((!beginsLine(next) && hides[next] !== 1) || !mayEndLongRun(units, first)) return true;
  return !hasEscape(source, first - reach, first) && !hasEscape(source, at + 2, at + reach);
}

/** True if a line of a block of base64 may end at `end`, whatever is escaped in it. */
function mayEndLongRun(units: Uint16Array, end: number): boolean {
  let size = 0;
  for (let at = end - 1; at >= 0 && size < foldedLine; at--) {
    const code = units[at] as number;
    if (isRun(code)) size += 1;
    else if (hides[code] !== 1) return false;
  }
  return size === foldedLine;
}

function hasEscape({ units, length }: Source, from: number, to: number): boolean {
  for (let at = Math.max(0, from); at < Math.min(to, length); at++) {
    const code = units[at] as number;
    if (code === 10 ? isFold(units, at) : hides[code] === 1 && isEscape(units, at)) return true;
  }
  return false;
}
