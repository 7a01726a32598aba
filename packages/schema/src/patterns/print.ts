import { type CodePoints, lastCodePoint } from "./code-points.js";
import { type Expression, PatternError } from "./syntax.js";

type Engine = "ecmascript" | "re2";

/**
 * Writes an expression so that both engines read the same language from it.
 *
 * Every class is spelled out in code points, because the engines differ in
 * `\s`, `.`, `$` and their version of Unicode.
 */
export function printPattern(expression: Expression, engine: Engine): string {
  switch (expression.kind) {
    case "set":
      return printSet(expression.set, engine);
    case "start":
      return engine === "re2" ? "\\A" : "^";
    case "end":
      return engine === "re2" ? "\\z" : "$";
    case "boundary":
      return "\\b";
    case "no-boundary":
      return "\\B";
    case "look":
      throw new PatternError("it looks ahead, which no engine of bounded cost can run");
    case "sequence":
      return expression.parts
        .map((part) =>
          part.kind === "choice" || part.kind === "sequence"
            ? `(?:${printPattern(part, engine)})`
            : printPattern(part, engine),
        )
        .join("");
    case "choice":
      return expression.options.map((option) => printPattern(option, engine)).join("|");
    case "repeat": {
      const body = printPattern(expression.body, engine);
      const atom = expression.body.kind === "set" ? body : `(?:${body})`;
      return `${atom}${printBounds(expression.min, expression.max)}`;
    }
  }
}

function printBounds(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) {
    return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  }
  if (min === 0 && max === 1) return "?";
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

function printSet(set: CodePoints, engine: Engine): string {
  if (set.length === 0) return `[^${point(0, engine)}-${point(lastCodePoint, engine)}]`;
  if (set.length === 2 && set[0] === set[1]) return point(set[0] as number, engine);
  let text = "";
  for (let i = 0; i < set.length; i += 2) {
    text += point(set[i] as number, engine);
    if (set[i] !== set[i + 1]) text += `-${point(set[i + 1] as number, engine)}`;
  }
  return `[${text}]`;
}

function point(value: number, engine: Engine): string {
  const hex = value.toString(16);
  return engine === "re2" ? `\\x{${hex}}` : `\\u{${hex}}`;
}
