import {
  invalidOption,
  longestToolPattern,
  optionError,
  ownText,
  type PatternMatch,
  quoted,
  readOptions,
  such,
  ToolNames,
  type ToolPattern,
} from "@toolstile/core/provider";

/**
 * The name of a tool, byte for byte, or a pattern that names of tools match.
 *
 * `*` stands for any run of characters and `?` for one: of printable ASCII
 * where tools are allowed, of every character where they are denied.
 */
export type ToolRule<Name extends string = string> = Name | ToolPattern;

const patternTable = {
  pattern: such<string>(
    (pattern) =>
      typeof pattern === "string" && pattern !== "" && pattern.length <= longestToolPattern,
    `a string of 1 to ${longestToolPattern} characters, as in { pattern: "github_*" }`,
  ).required(),
};

/**
 * Reads the rules of an option.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for what is neither a name nor a pattern.
 */
export function readNameList(
  where: string,
  option: string,
  rules: unknown,
  match: PatternMatch,
): ToolNames {
  if (!isList(rules)) {
    throw optionError(where, option, 'an array of tool names, as in ["search"]', rules);
  }
  const names = new Set<string>();
  const patterns = new Set<string>();
  for (const rule of rules) {
    if (typeof rule === "string") names.add(readName(where, option, rule));
    else if (ownText(rule, "name") !== undefined) {
      const problem = `'${option}' must hold the names of tools, received a tool. Write tool.name.`;
      throw invalidOption(where, problem);
    } else {
      const { pattern } = readOptions(`${where}: a rule of '${option}'`, rule, patternTable);
      patterns.add(pattern.replace(/\*+/g, "*"));
    }
  }
  return new ToolNames(names, [...patterns], match);
}

/** True for an iterable object. A string is iterable too, but a list of its letters is never meant. */
export function isList(value: unknown): value is Iterable<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Partial<Iterable<unknown>>)[Symbol.iterator] === "function"
  );
}

function readName(where: string, option: string, name: string): string {
  if (name === "") throw invalidOption(where, `'${option}' must not hold an empty name.`);
  if (/[*?]/.test(name)) {
    throw invalidOption(
      where,
      `'${option}' must hold a pattern as an object: write { pattern: ${quoted(name)} }. A plain name is compared byte for byte.`,
    );
  }
  return name;
}
