import { EVENT_ID, type Event, parseEvents } from "js-yaml";
import { endOf } from "./places.js";
import { deepest } from "./plain-json.js";
import { indentation, noDirectives, type Refused, syntaxFault } from "./syntax-faults.js";

/** Signs of one text that the parser may make something of: more than one for each value and key that it may have. */
const mostSigns = 32_000;

const mostLines = 100_000;

export const tooManySigns = "it has more signs than any configuration";
/** Some readers end a line there, and others do not. */
const loneReturn = "a carriage return stands without a line feed";
const directives = `cannot be read as YAML: ${noDirectives}`;
/** Readers differ in which of its lines are comments. */
const wholeBlock = "cannot be read as YAML: the whole document must not be one block of text";
const badIndentation = `cannot be read as YAML: ${indentation}`;
export const tooManyLines = `it has more than ${mostLines} lines`;

/** The events of a text whose cost was bounded before it was read, or the reason why it is not read. */
export type Syntax =
  | {
      /** Those of the first document, from its root on. */
      readonly events: readonly Event[];
      /** The place of a second document, if there is one. */
      readonly second: number | undefined;
    }
  | Refused;

/** Reads the syntax of a text. Its cost is bounded by the number of its signs. */
export function readSyntax(text: string): Syntax {
  const early = refusedEarly(text);
  if (early !== undefined) return early;
  let events: readonly Event[];
  try {
    events = parseEvents(text, { maxDepth: deepest + 1 });
  } catch (error) {
    return syntaxFault(error, text);
  }
  const second = events.findIndex(({ type }, at) => at > 0 && type === EVENT_ID.DOCUMENT);
  const first = second < 0 ? events : events.slice(0, second);
  // Without the document itself, and its end.
  return {
    events: first.slice(1, -1),
    second: second < 0 ? undefined : secondDocument(text, first),
  };
}

/** The parser takes these, or takes long for them. */
function refusedEarly(text: string): Refused | undefined {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    if (++lines > mostLines) return { refused: tooManyLines, offset: at };
  }
  const directive = /^\ufeff?(?:[ \t]*(?:#.*)?\r?\n)*%/.exec(text)?.[0];
  if (directive !== undefined) return { refused: directives, offset: directive.length - 1 };
  // The parser takes it for the mark of a document.
  const marked = /^\ufeff?[ \t]+(?=---(?:\s|$))/.exec(text)?.[0];
  if (marked !== undefined) return { refused: badIndentation, offset: marked.length };
  const block = /^\ufeff?(?:---(?=\s)|[ \t]|(?:#.*)?\r?\n)*[|>]/.exec(text)?.[0];
  if (block !== undefined) return { refused: wholeBlock, offset: block.length - 1 };
  const lone = text.search(/\r(?!\n)/);
  if (lone >= 0) return { refused: loneReturn, offset: lone };
  sign.lastIndex = 0;
  for (let signs = 0; sign.test(text); signs++) {
    if (signs === mostSigns) return { refused: tooManySigns, offset: sign.lastIndex - 1 };
  }
  return undefined;
}

/** Each value and key has at least one of these, also where it says nothing; and so has what is written as an escape. */
const sign = /[,[{&*!\\]|[-?:](?=[\s,[\]{}]|$)|["']:|^(?:---|\.\.\.)/gm;

/** The place of the mark that begins the document after the first, or ends the first. */
function secondDocument(text: string, first: readonly Event[]): number {
  const mark = /^(?:---|\.\.\.)(?=\s|$)/gm;
  mark.lastIndex = endOf(first.findLast(({ type }) => type !== EVENT_ID.POP));
  return mark.exec(text)?.index ?? 0;
}
