import { parse, tokenize } from "@huggingface/jinja";
import type { Step } from "./template-extras.js";

/** A template as the library represents it. */
export interface Program extends Step {
  readonly body: readonly Step[];
}

/** Characters of one template. To read one of them takes the library up to a microsecond. */
export const maxTemplate = 32_000;
/** Texts, signs, names and numbers that a template may consist of. */
const maxTokens = 10_000;

/** The library looks at each blank of a run once for every blank before it. */
const maxBlanks = 8;

/**
 * A template's syntax tree.
 *
 * Long runs of blanks are read as short ones that stand for them. Whatever
 * drops blanks, drops a run as a whole.
 *
 * @throws RangeError for one of too many tokens, and what the library throws.
 */
export function syntaxTree(source: string): Program {
  const runs: string[] = [];
  // By itself, the library drops one line's end at the end of a template.
  const written = withoutRaw(source)
    .replace(/\n$/, "")
    .replace(/\s+/g, (run) => {
      if (run.length <= maxBlanks && !/[\u2028\u2029]/.test(run)) return run;
      return `\u2028${inBlanks(runs.push(run) - 1)}\u2029`;
    });
  const tokens = tokenize(`${written}\n`);
  if (tokens.length > maxTokens) throw new RangeError(`It has more than ${maxTokens} tokens.`);
  for (const token of runs.length === 0 ? [] : tokens) {
    token.value = token.value.replace(
      /\u2028([\u2000-\u2007]+)\u2029/g,
      (_: string, at: string) => runs[fromBlanks(at)] ?? "",
    );
  }
  return parse(tokens) as unknown as Program;
}

/** A number in base eight, whose digits are eight different blanks. */
function inBlanks(at: number): string {
  return at.toString(8).replace(/./g, (digit) => String.fromCharCode(0x2000 + Number(digit)));
}

function fromBlanks(text: string): number {
  const digits = Array.from(text, (blank) => blank.charCodeAt(0) - 0x2000);
  return Number.parseInt(digits.join(""), 8);
}

/** Writes what stands between `{% raw %}` and `{% endraw %}` as a text, which the library reads as it stands. */
function withoutRaw(source: string): string {
  let written = "";
  let from = 0;
  let open: RegExpExecArray | undefined;
  for (const tag of source.matchAll(/\{%(-?)\s*(raw|endraw)\s*(-?)%\}/g)) {
    const [whole, before = "", name, after = ""] = tag;
    if (open === undefined) {
      if (name !== "raw") continue;
      written += source.slice(from, tag.index);
      open = tag;
    } else {
      if (name !== "endraw") continue;
      let text = source.slice(from, tag.index);
      if (open[3] === "-") text = text.trimStart();
      if (before === "-") text = text.trimEnd();
      written += `{{${open[1] ?? ""} ${literal(text)} ${after}}}`;
      open = undefined;
    }
    from = tag.index + whole.length;
  }
  // One that is not closed stays, and does not parse.
  return open === undefined ? written + source.slice(from) : source;
}

function literal(text: string): string {
  const inQuotes = text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n");
  return `'${inQuotes}'`;
}
