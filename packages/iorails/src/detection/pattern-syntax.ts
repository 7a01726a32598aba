import type { CharacterRange } from "./characters.js";
import { type Expression, PatternError, type Place, widthOf } from "./expression.js";
import { Cursor, escaped, needsBacktracking, oneOf } from "./pattern-escapes.js";

interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly verbose: boolean;
  readonly ascii: boolean;
}

const deepest = 100;
const longestPattern = 4_096;
const flagNames: Readonly<Record<string, keyof Flags>> = {
  i: "ignoreCase",
  m: "multiline",
  s: "dotAll",
  x: "verbose",
  a: "ascii",
};

/**
 * Reads a pattern as Python's `re` does, for texts.
 *
 * @throws PatternError for what is no pattern, and for what no engine without backtracking can run.
 */
export function parsePattern(source: string, ignoreCase: boolean): Expression {
  if (source.length > longestPattern) {
    throw new PatternError(`is longer than ${longestPattern} characters`);
  }
  return new PatternReader(source, ignoreCase).read();
}

/** Longer than most files: it is one grammar. */
class PatternReader {
  readonly #cursor: Cursor;
  #flags: Flags;
  #depth = 0;
  readonly #names = new Set<string>();

  constructor(source: string, ignoreCase: boolean) {
    this.#cursor = new Cursor(source);
    const off = { multiline: false, dotAll: false, verbose: false, ascii: false };
    this.#flags = { ignoreCase, ...off };
  }

  read(): Expression {
    this.#globalFlags();
    const expression = this.#choice();
    if (this.#cursor.next !== undefined) throw new PatternError("has an unbalanced parenthesis");
    return expression;
  }

  /** `(?i)` and others of its kind. Newer Pythons take them only at the start, and so do we. */
  #globalFlags(): void {
    for (;;) {
      const from = this.#cursor.at;
      if (!this.#cursor.take("(?")) return;
      const letters = this.#cursor.while(/[aiLmsux]/);
      if (letters === "" || !this.#cursor.take(")")) {
        this.#cursor.at = from;
        return;
      }
      this.#flags = this.#withFlags(letters, true);
    }
  }

  #withFlags(letters: string, on: boolean, flags = this.#flags): Flags {
    const changed = { ...flags };
    for (const letter of letters) {
      if (letter === "L") throw new PatternError("has the flag L, which is for bytes");
      if (letter === "u") changed.ascii = false;
      const name = flagNames[letter];
      if (name !== undefined) changed[name] = on;
    }
    return changed;
  }

  #choice(): Expression {
    if (++this.#depth > deepest) throw new PatternError("has groups that nest too deeply");
    const options = [this.#sequence()];
    while (this.#cursor.take("|")) options.push(this.#sequence());
    this.#depth--;
    return options.length === 1 ? (options[0] as Expression) : { kind: "choice", options };
  }

  #sequence(): Expression {
    const parts: Expression[] = [];
    for (;;) {
      if (this.#flags.verbose) this.#skipComments();
      const point = this.#cursor.next;
      if (point === undefined || point === "|" || point === ")") break;
      if (this.#cursor.take("(?#")) {
        this.#cursor.while(/[^)]/);
        if (!this.#cursor.take(")")) throw new PatternError("has a comment that does not end");
        continue;
      }
      const bounds = this.#quantifier();
      if (bounds === undefined) parts.push(this.#atom());
      else parts.push(this.#repeated(parts.pop(), bounds));
    }
    return { kind: "sequence", parts };
  }

  #skipComments(): void {
    for (;;) {
      this.#cursor.while(/[ \t\n\r\v\f]/);
      if (!this.#cursor.take("#")) return;
      this.#cursor.while(/[^\n]/);
    }
  }

  #repeated(body: Expression | undefined, { min, max }: Bounds): Expression {
    if (body === undefined || body.kind === "place") {
      throw new PatternError("has nothing to repeat");
    }
    if (body.kind === "repeat") throw new PatternError("repeats a repetition");
    if (min > max) throw new PatternError("has a repetition whose least is above its most");
    if (this.#cursor.take("+")) {
      throw new PatternError("has a possessive repetition, which needs backtracking");
    }
    this.#cursor.take("?");
    return { kind: "repeat", body, min, max };
  }

  #quantifier(): Bounds | undefined {
    if (this.#cursor.take("*")) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.#cursor.take("+")) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.#cursor.take("?")) return { min: 0, max: 1 };
    const from = this.#cursor.at;
    if (!this.#cursor.take("{")) return undefined;
    const least = this.#cursor.while(/[0-9]/);
    const hasMost = this.#cursor.take(",");
    const most = hasMost ? this.#cursor.while(/[0-9]/) : least;
    if (!this.#cursor.take("}") || (least === "" && !hasMost)) {
      // A brace that begins no repetition is a brace.
      this.#cursor.at = from;
      return undefined;
    }
    return {
      min: Number(least || "0"),
      max: most === "" ? Number.POSITIVE_INFINITY : Number(most),
    };
  }

  #atom(): Expression {
    const point = this.#cursor.step() as string;
    const { multiline, dotAll } = this.#flags;
    switch (point) {
      case "^":
        return place(multiline ? "line start" : "text start");
      case "$":
        return place(multiline ? "line end" : "last line end");
      case ".":
        return this.#set(dotAll ? [] : [{ from: 10, to: 10 }], true);
      case "(":
        return this.#group();
      case "[":
        return this.#class();
      case "\\":
        return this.#escape();
      default:
        return this.#one(point.codePointAt(0) as number);
    }
  }

  #one(point: number): Expression {
    return this.#set([{ from: point, to: point }], false);
  }

  #set(ranges: readonly CharacterRange[], negated: boolean): Expression {
    const { ignoreCase, ascii } = this.#flags;
    return { kind: "characters", characters: { ranges, negated, ignoreCase, ascii } };
  }

  #group(): Expression {
    const outer = this.#flags;
    let look: { readonly behind: boolean; readonly negative: boolean } | undefined;
    if (this.#cursor.take("?")) {
      if (this.#cursor.take("P<")) {
        const name = this.#cursor.while(/[^>)]/);
        if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) || !this.#cursor.take(">")) {
          throw new PatternError(
            "has a group whose name must be letters, digits and underscores, and not begin with a digit",
          );
        }
        if (this.#names.has(name)) throw new PatternError("has two groups of one name");
        this.#names.add(name);
      } else if (this.#cursor.take("<=")) look = { behind: true, negative: false };
      else if (this.#cursor.take("<!")) look = { behind: true, negative: true };
      else if (this.#cursor.take("=")) look = { behind: false, negative: false };
      else if (this.#cursor.take("!")) look = { behind: false, negative: true };
      else if (!this.#cursor.take(":")) this.#scopedFlags();
    }
    const body = this.#choice();
    if (!this.#cursor.take(")")) throw new PatternError("has a parenthesis that is not closed");
    this.#flags = outer;
    if (look === undefined) return { kind: "sequence", parts: [body] };
    if (look.behind && widthOf(body) === undefined) {
      throw new PatternError("looks behind for a text of no fixed length");
    }
    return { kind: "look", ...look, body };
  }

  #scopedFlags(): void {
    if (this.#cursor.startsWith("P=") || this.#cursor.startsWith("(")) throw needsBacktracking();
    if (this.#cursor.startsWith(">")) {
      throw new PatternError("has an atomic group, which needs backtracking");
    }
    const on = this.#cursor.while(/[aiLmsux]/);
    const off = this.#cursor.take("-") ? this.#cursor.while(/[imsx]/) : "";
    if (this.#cursor.startsWith(")") && on !== "") {
      throw new PatternError("has flags for all of it that do not stand at its start");
    }
    if (on + off === "" || !this.#cursor.take(":")) {
      throw new PatternError("has a group of a kind that there is not");
    }
    this.#flags = this.#withFlags(off, false, this.#withFlags(on, true));
  }

  #escape(): Expression {
    const point = this.#cursor.next;
    const { ascii } = this.#flags;
    const places: Readonly<Record<string, Place>> = {
      A: "text start",
      Z: "text end",
      b: ascii ? "ASCII boundary" : "boundary",
      B: ascii ? "no ASCII boundary" : "no boundary",
    };
    const named = Object.hasOwn(places, point ?? "") ? places[point ?? ""] : undefined;
    if (named !== undefined) {
      this.#cursor.step();
      return place(named);
    }
    const range = escaped(this.#cursor, false);
    return this.#set([range], false);
  }

  #class(): Expression {
    const negated = this.#cursor.take("^");
    const ranges: CharacterRange[] = [];
    for (let isFirst = true; isFirst || !this.#cursor.take("]"); isFirst = false) {
      const low = this.#classPart();
      if (!this.#cursor.take("-")) {
        ranges.push(low);
      } else if (this.#cursor.take("]")) {
        ranges.push(low, { from: 0x2d, to: 0x2d });
        break;
      } else {
        const high = this.#classPart();
        if ("letter" in low || "letter" in high || low.from > high.from) {
          throw new PatternError("has a bad range of characters");
        }
        ranges.push({ from: low.from, to: high.from });
      }
    }
    return this.#set(ranges, negated);
  }

  #classPart(): CharacterRange {
    const point = this.#cursor.step();
    if (point === undefined) throw new PatternError("has a set of characters that is not closed");
    if (point === "\\") return escaped(this.#cursor, true);
    return oneOf(point.codePointAt(0) as number);
  }
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

function place(name: Place): Expression {
  return { kind: "place", place: name };
}
