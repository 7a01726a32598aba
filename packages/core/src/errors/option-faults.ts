/** One thing that is wrong with options, in words that hold nothing of their values. */
export interface OptionFault {
  /** From the root of the options: `["rules", 3, "when"]`. */
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** The most causes of an error that are looked at. */
const deepest = 4;

/**
 * The things that are wrong with options, one by one: the `cause` of an error that tells of them.
 *
 * Whoever read the options from a file can then say where each of them stands.
 */
export class OptionFaults extends Error {
  override readonly name = "OptionFaults";
  readonly faults: readonly OptionFault[];

  constructor(message: string, faults: readonly OptionFault[]) {
    super(message);
    this.faults = faults;
  }

  /** Returns the faults that an error has among its causes; undefined if it has none. */
  static of(error: unknown): readonly OptionFault[] | undefined {
    let each = error;
    for (let depth = 0; depth < deepest && each instanceof Error; depth++) {
      // Of any installed copy: `instanceof` fails across two.
      if (each.name === "OptionFaults" && "faults" in each && areFaults(each.faults)) {
        return each.faults;
      }
      each = each.cause;
    }
    return undefined;
  }
}

function areFaults(faults: unknown): faults is readonly OptionFault[] {
  return Array.isArray(faults) && faults.length > 0 && faults.every(isFault);
}

function isFault(fault: unknown): boolean {
  const { path, text } = Object(fault) as Partial<OptionFault>;
  const isStep = (step: unknown): boolean => typeof step === "string" || typeof step === "number";
  return typeof text === "string" && Array.isArray(path) && path.every(isStep);
}
