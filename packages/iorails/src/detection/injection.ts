import { activeContent } from "./active-content.js";
import { type Stretch, stretches } from "./stretch.js";

/** The kinds of injections that are found without rules of one's own. */
export const injectionKinds = ["sqli", "template", "code", "xss"] as const;
export type InjectionKind = (typeof injectionKinds)[number];

/** The kinds, of those asked for, that a text has. */
export function findInjections(
  text: string,
  kinds: readonly InjectionKind[],
): readonly InjectionKind[] {
  return kinds.filter((kind) => finders[kind](text).length > 0);
}

/** The most removals in a row: the texts around one may make another, and nobody nests so many by chance. */
const mostRounds = 20;

/** The text without what was found, and without what that leaves behind; nothing if there is no end to it. */
export function withoutInjections(
  text: string,
  kinds: readonly InjectionKind[],
): string | undefined {
  let left = text;
  for (let round = 0; round < mostRounds; round++) {
    const found = kinds.flatMap((kind) => finders[kind](left));
    if (found.length === 0) return left;
    left = cutOut(left, found);
  }
  return undefined;
}

function cutOut(text: string, stretches: readonly Stretch[]): string {
  let kept = "";
  let from = 0;
  for (const { start, end } of [...stretches].sort((a, b) => a.start - b.start)) {
    if (start > from) kept += text.slice(from, start);
    from = Math.max(from, end);
  }
  return kept + text.slice(from);
}

const column = String.raw`(?:\*|[\w.]+(?:\s*\([^()]{0,200}\))?(?:\s+as\s+\w+)?)`;
/**
 * Statements of SQL, by their first words. A verb alone is a word of English:
 * NeMo takes "please select a seat" for one.
 */
const statements = pattern("gi", [
  String.raw`select\s+(?:distinct\s+|all\s+)?${column}(?:\s*,\s*${column}){0,50}\s+from\s+[\w."\[\]]+(?=\s*(?:$|[;,)'"]|--|\/\*|where\b|(?:inner |left |right |cross )?join\b|order\b|group\b|limit\b|union\b|having\b))`,
  String.raw`select\s+(?:@@|'|\d|\*|(?:char|chr|concat|sleep|version|user|database|load_file|pg_\w+)\s*\()`,
  String.raw`union\s+(?:all\s+|distinct\s+)?select\b`,
  String.raw`(?:insert|upsert|merge)\s+into\b`,
  String.raw`delete\s+from\b`,
  String.raw`update\s+\S{1,128}\s+set\s`,
  String.raw`(?:create|alter|drop|truncate)\s+(?:table|database|schema|view|index|user|role|function|procedure|trigger)\b`,
  String.raw`exec(?:ute)?\s*(?:\(|@|'|(?:xp|sp)_\w|immediate\b)`,
]);
/** Something beside a statement by which it breaks out of another: a comment, a second statement, a function that hides a text, a system table. */
const signs = /--|\/\*|;\s*[^\s;]|\bch(?:a)?r\s*\(\s*\d|\b(?:select|from)\b[^;]{0,200}?\bpg_\w/i;
/** It closes a quotation and makes a condition that always holds. NeMo misses it for want of a verb. */
const tautologies =
  /'\s{0,20}(?:or|and)\s{1,20}(?:'[^']{0,64}'|\w{1,64})\s{0,20}(?:=|<|>|like\b)\s{0,20}(?:'[^'\n]{0,64}'?|\w{1,64})/gi;
const lineComments = /--[^\n]*/g;

function sql(text: string): readonly Stretch[] {
  const found = stretches(text, tautologies);
  const said = stretches(text, statements);
  const hasOddQuote = (text.split("'").length - 1) % 2 === 1;
  if (said.length === 0 || !(hasOddQuote || signs.test(text))) return found;
  return [
    ...found,
    ...wholeStatements(text, said),
    ...stretches(text, lineComments),
    ...between(text, "/*", "*/", text.length),
  ];
}

/** Each up to the end of its line, or to a semicolon if that comes first. */
function wholeStatements(text: string, said: readonly Stretch[]): readonly Stretch[] {
  const whole: Stretch[] = [];
  const ends = /;|(?=\n)|$/g;
  let last = 0;
  for (const { start, end } of said) {
    if (start < last) continue;
    ends.lastIndex = end;
    last = ends.exec(text) === null ? text.length : ends.lastIndex;
    whole.push({ start, end: last });
  }
  return whole;
}

/** Python's modules that reach the system or the network. */
const modules =
  "(?:os|cmd|subprocess|shutil|socket|asyncio|http|bs4|requests|mechanize|urllib|asyncssh)";
const imports = pattern("g", [
  String.raw`import\s+(?:[\w.]+(?:\s+as\s+\w+)?\s*,\s*){0,20}${modules}\b[^\n]*`,
  String.raw`from\s+${modules}(?:\.\w+){0,10}\s+import\b[^\n]*`,
  String.raw`(?:__import__|import_module)\s*\(\s*["']${modules}\b[^\n]*`,
]);

function templates(text: string): readonly Stretch[] {
  return [...between(text, "{{", "}}"), ...between(text, "{%", "%}")];
}

/** Each opening sign up to the next closing one, or to `unclosed` where there is none. */
function between(text: string, open: string, close: string, unclosed?: number): readonly Stretch[] {
  const found: Stretch[] = [];
  for (let start = text.indexOf(open); start !== -1; ) {
    const last = text.indexOf(close, start + open.length);
    const end = last === -1 ? unclosed : last + close.length;
    if (end === undefined) break;
    found.push({ start, end });
    start = text.indexOf(open, end);
  }
  return found;
}

const finders: Readonly<Record<InjectionKind, (text: string) => readonly Stretch[]>> = {
  sqli: sql,
  template: templates,
  code: (text) => stretches(text, imports),
  xss: activeContent,
};

function pattern(flags: string, forms: readonly string[]): RegExp {
  return new RegExp(forms.map((form) => `\\b${form}`).join("|"), flags);
}
