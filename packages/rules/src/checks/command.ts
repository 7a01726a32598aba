import { invalidOption, quoted } from "@toolstile/core/provider";
import type { CheckKind, Outcome } from "./check.js";
import { readTexts, textsSchema } from "./operands.js";

/**
 * The characters that a shell interprets, and every character that is not printed.
 * `=` and `#` count where they begin a word, `%` and `^` for the shell of Windows.
 */
const meaningful = /[|&;<>()$`\\"'*?[\]{}!~%^]|(?!\t)\p{Cc}|(?:^|[ \t])[=#]/u;

/** The words of a command. Undefined for a text that a shell would do more with than to split it at blanks. */
function wordsOf(value: unknown): readonly string[] | undefined {
  if (typeof value === "string") {
    return meaningful.test(value) ? undefined : value.split(/[ \t]+/).filter((word) => word !== "");
  }
  if (!Array.isArray(value)) return undefined;
  // No shell reads these. A NUL ends a word for C.
  return value.every((word) => typeof word === "string" && !word.includes("\0"))
    ? value
    : undefined;
}

const command: CheckKind = {
  schema: textsSchema(
    'The command is one of these, word for word. A last word * stands for any more words: ["git status", "git log *"]. A text with characters of a shell is none.',
  ),
  read: (operand, where, name) => {
    const given = readTexts("commands", operand, where, name);
    const commands = given.map((each) => readCommand(each, where, name));
    const test = (value: string | readonly string[]): Outcome => {
      const words = wordsOf(value);
      if (words === undefined || words.length === 0) return undefined;
      return commands.some((command) => isOf(command, words));
    };
    return { name, operand: given, kinds: ["string", "list"], test };
  },
};

interface Command {
  readonly words: readonly string[];
  readonly takesMore: boolean;
}

function readCommand(given: string, where: string, name: string): Command {
  const words = given.split(/[ \t]+/).filter((word) => word !== "");
  const takesMore = words.at(-1) === "*";
  const fixed = takesMore ? words.slice(0, -1) : words;
  if (fixed.length > 0 && wordsOf(fixed.join(" ")) !== undefined)
    return { words: fixed, takesMore };
  throw invalidOption(
    where,
    `'${name}' must hold commands as plain words, with * only as the last of several, received ${quoted(given)}.`,
  );
}

function isOf({ words, takesMore }: Command, given: readonly string[]): boolean {
  if (takesMore ? given.length < words.length : given.length !== words.length) return false;
  return words.every((word, index) => word === given[index]);
}

export const commands = { command } satisfies Readonly<Record<string, CheckKind>>;
