import { tableOf } from "../text/classes.js";
import type { Source } from "../text/source.js";

const words =
  /^(?:pass(?:word|wd|wort)?|p[a@][s$]{2}w[o0]rd.?|user(?:name)?|secret|token|change[-_ ]?(?:me|it)(?:[-_]?\d+)?|example|placeholder|redacted|masked|hidden|none|null|nil|undefined|true|false|empty|required|optional|string|todo.*|tbd|n\/a|your(?:[-_ ].*|strong.*)|my[-_ ]?(?:secret|password|token|key).*|set[-_].*|insert[-_ ].*|replace[-_ ].*|<.*>?|\{\{.*|\{[a-z_.]+(?:[!:].*)?\}|\$(?:[{(].*|[A-Za-z_][A-Za-z_.]*)|%\w+%|__\w+__|@@\w+@@|(.)\1{3,}.*|\.{3,}.*|…+)$/i;

const filled = /X{4}|XXX-|x{6}|\*{3}|(?:%2A){3}|YOUR[-_]|EXAMPLE|[-_]here(?:_\d+)?$/;

/** True for text that stands where a secret would: a variable, a template, a mask, a word for it. */
export function isPlaceholder(text: string): boolean {
  return words.test(text) || filled.test(text);
}

const wholeWords =
  /^(?:[$%]?(?:(?:my|your|the)[-_ ]?)?(?:pass(?:word|wd|wort)?|user(?:name)?|secret|(?:access[-_ ]?|auth[-_ ]?)?token|(?:api[-_ ]?|secret[-_ ]?)?key)%?|change[-_ ]?(?:me|it)|example|placeholder|redacted|masked|hidden|none|null|nil|undefined|true|false|empty|required|optional|string|todo|tbd|n\/a|<[^<>]*>|\{\{.*\}\}|([x*.…])\1*)$/i;
const wholeVariables = /^(?:\$[A-Z_][A-Z0-9_]*|\$\{.*\}|\$\(.*\)|%[A-Z_]+%)$/;

/** The same for text that was sent as a secret: it must be a word of documentation as a whole. */
export function isWholePlaceholder(text: string): boolean {
  return wholeWords.test(text) || wholeVariables.test(text);
}

/** The first signs of the words, and of what names a variable. */
const begins = tableOf("cefhimnoprstuyCEFHIMNOPRSTUY<{$%.…_@");

/** The same for a part of a text. Most parts show by a look at each unit that they are none, without a pattern. */
export function isPlaceholderAt(source: Source, start: number, end: number): boolean {
  const { units } = source;
  let mayBe = begins[units[start] as number] === 1;
  let same = 0;
  for (let at = start; at < end && !mayBe; at++) {
    const code = units[at] as number;
    same = at > start && code === units[at - 1] ? same + 1 : 0;
    // Three of the same, `%2A`, `YOUR_`, `EXAMPLE` and `_here`.
    mayBe =
      same > 1 ||
      code === 37 ||
      (code === 89 && units[at + 1] === 79) ||
      (code === 69 && units[at + 1] === 88);
  }
  if (!mayBe && units[end - 1] !== 101) return false;
  return isPlaceholder(source.text.slice(start, end));
}
