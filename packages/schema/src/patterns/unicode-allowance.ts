import { isPassing } from "../document/inadmissible.js";
import { type CodePoints, unicodeProperty } from "./code-points.js";
import { PatternError } from "./syntax.js";

/** Properties of which the patterns of one schema may use tables: the engine takes milliseconds for each new one. */
const mostProperties = 8;

/** The tables of `\p{…}` that the patterns of one schema may still use. */
export class UnicodeAllowance {
  private readonly names = new Set<string>();
  private left: number;

  /** @param numbers All numbers of all tables, each as often as it is used. */
  constructor(numbers: number) {
    this.left = numbers;
  }

  /** @throws PatternError for a name that is not a property, and if the patterns use too many. */
  use(name: string): CodePoints {
    this.names.add(name);
    if (this.names.size > mostProperties) {
      throw new PatternError(
        `the schema's patterns use more than ${mostProperties} Unicode properties`,
      );
    }
    const found = tableOf(name);
    this.left -= found.length;
    if (this.left < 0)
      throw new PatternError("the schema's patterns use Unicode properties too often");
    return found;
  }
}

function tableOf(name: string): CodePoints {
  try {
    return unicodeProperty(name);
  } catch (error) {
    if (isPassing(error)) throw error;
    throw new PatternError("it names no Unicode property");
  }
}
