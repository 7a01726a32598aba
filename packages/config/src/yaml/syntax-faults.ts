import { YAMLException } from "js-yaml";

/** The reason why a text is not read, and the place of it. */
export interface Refused {
  readonly refused: string;
  readonly offset: number;
}

const tooDeep = "it is nested too deeply";
export const noDirectives = "directives are not supported";

const tab = "a tab is used to indent; YAML takes spaces only";
const missing = "a quote, bracket or colon is missing";
export const indentation = "the indentation is wrong";
const tags = "tags of your own are not supported";

/** The parser's own words may quote the file: they are known by how they begin. */
const words: readonly (readonly [begin: RegExp, fault: string])[] = [
  [/^tab characters/, tab],
  [/^(?:deficient|bad) indentation/, indentation],
  [/^end of the stream or a document separator/, indentation],
  [/directive/, noDirectives],
  [/tag/, tags],
  [/^(?:unexpected end|missed comma|expected ':'|expected the node|a whitespace)/, missing],
  [/multiline key/, "a key goes over more than one line, or a colon is missing"],
  [/^(?:unknown escape|expected hexadecimal)/, "a quoted text has an escape that YAML has not"],
  [/^(?:the stream contains|null byte|expected valid JSON)/, "it holds a control character"],
  [/anchor|alias/, "an anchor or alias stands where none can"],
];

/** Why the parser gave up, in words that quote nothing of the text. */
export function syntaxFault(error: unknown, text: string): Refused {
  if (!(error instanceof YAMLException)) throw error;
  const { reason, mark } = error;
  const offset = mark?.position ?? 0;
  if (reason.startsWith("nesting exceeded")) return { refused: tooDeep, offset };
  const [, known = "it is not well-formed"] = words.find(([begin]) => begin.test(reason)) ?? [];
  const at = placeOf(offset, text);
  return { refused: `cannot be read as YAML: ${at.fault ?? known}`, offset: at.offset };
}

/** The sign at the place says more than the one that the parser expected. */
function placeOf(
  offset: number,
  text: string,
): { readonly offset: number; readonly fault?: string } {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const blank = /^ *\t/.exec(text.slice(start, start + 200));
  if (blank !== null) return { offset: start + blank[0].length - 1, fault: tab };
  if (text[offset - 1] === "\t") return { offset: offset - 1, fault: tab };
  if (/^[@`]/.test(text.slice(offset, offset + 1))) {
    return { offset, fault: "a text that begins with a sign such as @ or ` needs quotes" };
  }
  return { offset };
}
