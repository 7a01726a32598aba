import {
  type CodePoints,
  codePoints,
  complement,
  digits,
  lineTerminators,
  union,
  whitespace,
  wordCharacters,
} from "./code-points.js";

/**
 * A regular expression, reduced to what decides whether a text matches:
 * greed and capture are gone.
 */
export type Expression =
  | { readonly kind: "set"; readonly set: CodePoints }
  | { readonly kind: "start" | "end" | "boundary" | "no-boundary" }
  | { readonly kind: "look"; readonly negative: boolean; readonly body: Expression }
  | { readonly kind: "sequence"; readonly parts: readonly Expression[] }
  | { readonly kind: "choice"; readonly options: readonly Expression[] }
  | {
      readonly kind: "repeat";
      readonly body: Expression;
      readonly min: number;
      readonly max: number;
    };

/** The reason for which a pattern is refused. */
export class PatternError extends Error {}

const maxNesting = 100;
const controls = new Map([
  ["t", 0x09],
  ["n", 0x0a],
  ["v", 0x0b],
  ["f", 0x0c],
  ["r", 0x0d],
]);

/**
 * Reads an ECMA-262 pattern, as with the `u` flag.
 *
 * Syntax that only the older grammar takes (`\@`, `\_`, a lone `{` or `]`,
 * `[\w-.]`) is read as that grammar does.
 *
 * @param unicode The code points of a Unicode property.
 * @throws PatternError for backreferences, lookbehind, and text that is not a pattern.
 */
export function parsePattern(source: string, unicode: (name: string) => CodePoints): Expression {
  return new PatternReader(source, unicode).read();
}

// One class, and longer than most files here: it is one grammar.
class PatternReader {
  private readonly points: readonly string[];
  private readonly unicode: (name: string) => CodePoints;
  private at = 0;
  private depth = 0;

  constructor(source: string, unicode: (name: string) => CodePoints) {
    this.points = [...source];
    this.unicode = unicode;
  }

  read(): Expression {
    const expression = this.choice();
    if (this.at < this.points.length) throw new PatternError("it has an unmatched ')'");
    return expression;
  }

  private choice(): Expression {
    if (++this.depth > maxNesting) throw new PatternError("its groups nest too deeply");
    const options = [this.sequence()];
    while (this.take("|")) options.push(this.sequence());
    this.depth--;
    return options.length === 1 ? (options[0] as Expression) : { kind: "choice", options };
  }

  private sequence(): Expression {
    const parts: Expression[] = [];
    for (;;) {
      const point = this.points[this.at];
      if (point === undefined || point === "|" || point === ")") break;
      parts.push(this.quantified(this.atom()));
    }
    return parts.length === 1 ? (parts[0] as Expression) : { kind: "sequence", parts };
  }

  private quantified(body: Expression): Expression {
    const bounds = this.quantifier();
    if (bounds === undefined) return body;
    this.take("?");
    if (body.kind !== "set" && body.kind !== "sequence" && body.kind !== "choice") {
      throw new PatternError("it repeats an assertion");
    }
    if (bounds.min > bounds.max) throw new PatternError("it has a repetition out of order");
    if (this.quantifier() !== undefined) throw new PatternError("it has nothing to repeat");
    return { kind: "repeat", body, min: bounds.min, max: bounds.max };
  }

  private quantifier(): { min: number; max: number } | undefined {
    if (this.take("*")) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.take("+")) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.take("?")) return { min: 0, max: 1 };
    if (this.points[this.at] !== "{") return undefined;
    const match = /^\{(\d{1,9})(?:(,)(\d{1,9})?)?\}/u.exec(
      this.points.slice(this.at, this.at + 24).join(""),
    );
    if (match === null) return undefined;
    this.at += match[0].length;
    const min = Number(match[1]);
    if (match[2] === undefined) return { min, max: min };
    return { min, max: match[3] === undefined ? Number.POSITIVE_INFINITY : Number(match[3]) };
  }

  private atom(): Expression {
    const point = this.points[this.at++] as string;
    switch (point) {
      case "^":
        return { kind: "start" };
      case "$":
        return { kind: "end" };
      case ".":
        return { kind: "set", set: complement(lineTerminators) };
      case "(":
        return this.group();
      case "[":
        return { kind: "set", set: this.characterClass() };
      case "\\":
        return this.escape();
      case "*":
      case "+":
      case "?":
        throw new PatternError("it has nothing to repeat");
      default:
        return one(point.codePointAt(0) as number);
    }
  }

  private group(): Expression {
    if (this.take("?")) {
      if (this.take(":")) {
        // No capture either way.
      } else if (this.take("<") && this.points[this.at] !== "=" && this.points[this.at] !== "!") {
        const end = this.points.indexOf(">", this.at);
        if (end < 0) throw new PatternError("it has an unfinished group name");
        this.at = end + 1;
      } else if (this.points[this.at] === "=" || this.points[this.at] === "!") {
        // After `<` it looks behind, which is not read.
        if (this.points[this.at - 1] !== "?") throw notRead();
        const negative = this.points[this.at++] === "!";
        const body = this.choice();
        if (!this.take(")")) throw new PatternError("it has an unmatched '('");
        return { kind: "look", negative, body };
      } else {
        throw notRead();
      }
    }
    const body = this.choice();
    if (!this.take(")")) throw new PatternError("it has an unmatched '('");
    // A group is an atom of its own: `(?:^)*` is not `^*`.
    return body.kind === "sequence" || body.kind === "choice"
      ? body
      : { kind: "sequence", parts: [body] };
  }

  private escape(): Expression {
    const point = this.points[this.at];
    if (point === "b" || point === "B") {
      this.at++;
      return { kind: point === "b" ? "boundary" : "no-boundary" };
    }
    return { kind: "set", set: this.setEscape(false) };
  }

  private characterClass(): CodePoints {
    const negated = this.take("^");
    let set: CodePoints = [];
    for (;;) {
      if (this.at >= this.points.length) throw new PatternError("it has an unmatched '['");
      if (this.take("]")) break;
      const low = this.classAtom();
      if (this.points[this.at] === "-" && this.points[this.at + 1] !== "]") {
        this.at++;
        if (this.at >= this.points.length) throw new PatternError("it has an unmatched '['");
        const high = this.classAtom();
        if (isOne(low) && isOne(high)) {
          if ((low[0] as number) > (high[0] as number)) {
            throw new PatternError("it has a range out of order");
          }
          set = union(set, [low[0] as number, high[0] as number]);
        } else {
          set = union(union(union(set, low), high), [0x2d, 0x2d]);
        }
      } else {
        set = union(set, low);
      }
    }
    return negated ? complement(set) : set;
  }

  private classAtom(): CodePoints {
    const point = this.points[this.at++] as string;
    if (point !== "\\") return [point.codePointAt(0) as number, point.codePointAt(0) as number];
    return this.setEscape(true);
  }

  private setEscape(inClass: boolean): CodePoints {
    const point = this.points[this.at++];
    switch (point) {
      case undefined:
        throw new PatternError("it ends in a backslash");
      case "d":
        return digits;
      case "D":
        return complement(digits);
      case "w":
        return wordCharacters;
      case "W":
        return complement(wordCharacters);
      case "s":
        return whitespace;
      case "S":
        return complement(whitespace);
      case "p":
      case "P": {
        const set = this.property();
        return point === "p" ? set : complement(set);
      }
      default: {
        const value = this.pointEscape(point, inClass);
        return [value, value];
      }
    }
  }

  private property(): CodePoints {
    const end = this.points.indexOf("}", this.at);
    if (!this.take("{") || end < 0) throw new PatternError("it has an unfinished \\p{…}");
    const name = this.points.slice(this.at, end).join("");
    this.at = end + 1;
    if (!/^[A-Za-z_]+(?:=[A-Za-z0-9_]+)?$/u.test(name)) {
      throw new PatternError("it names no Unicode property");
    }
    return this.unicode(name);
  }

  private pointEscape(point: string, inClass: boolean): number {
    const control = controls.get(point);
    if (control !== undefined) return control;
    if (point === "b" && inClass) return 0x08;
    if (point === "0" && !/^\d$/u.test(this.points[this.at] ?? "")) return 0;
    if (/^[1-9k]$/u.test(point) && !inClass) {
      throw new PatternError("it uses a backreference, which no engine of bounded cost can run");
    }
    if (point === "c" && /^[A-Za-z]$/u.test(this.points[this.at] ?? "")) {
      return ((this.points[this.at++] as string).codePointAt(0) as number) % 32;
    }
    if (point === "x") return this.hexadecimal(2);
    if (point === "u") return this.unicodeEscape();
    if (/^[\x20-\x7e]$/u.test(point) && !/^[A-Za-z0-9]$/u.test(point)) {
      return point.codePointAt(0) as number;
    }
    throw new PatternError("it has an escape that ECMA-262 does not know");
  }

  private unicodeEscape(): number {
    if (this.take("{")) {
      const end = this.points.indexOf("}", this.at);
      const text = this.points.slice(this.at, end).join("");
      if (end < 0 || !/^[0-9A-Fa-f]{1,8}$/u.test(text) || Number.parseInt(text, 16) > 0x10ffff) {
        throw new PatternError("it has a malformed \\u{…}");
      }
      this.at = end + 1;
      return Number.parseInt(text, 16);
    }
    const high = this.hexadecimal(4);
    const pair = this.points.slice(this.at, this.at + 6).join("");
    if (high >= 0xd800 && high <= 0xdbff && /^\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}$/u.test(pair)) {
      this.at += 6;
      return (high - 0xd800) * 0x400 + (Number.parseInt(pair.slice(2), 16) - 0xdc00) + 0x10000;
    }
    return high;
  }

  private hexadecimal(length: number): number {
    const text = this.points.slice(this.at, this.at + length).join("");
    if (text.length !== length || !/^[0-9A-Fa-f]+$/u.test(text)) {
      throw new PatternError("it has a malformed \\x or \\u escape");
    }
    this.at += length;
    return Number.parseInt(text, 16);
  }

  private take(point: string): boolean {
    if (this.points[this.at] !== point) return false;
    this.at++;
    return true;
  }
}

function notRead(): PatternError {
  return new PatternError(
    "it uses lookbehind or a modifier, which no engine of bounded cost can run",
  );
}

function one(point: number): Expression {
  return { kind: "set", set: codePoints([point, point]) };
}

function isOne(set: CodePoints): boolean {
  return set.length === 2 && set[0] === set[1];
}
