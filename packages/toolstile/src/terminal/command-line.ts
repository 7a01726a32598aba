import { parseArgs } from "node:util";
import { didYouMean, quoted } from "@toolstile/core/provider";

/** The command was called in a way it does not know. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The options and operands that follow the command's name. */
export class Arguments {
  readonly operands: readonly string[];
  readonly #options: ReadonlyMap<string, readonly string[]>;

  constructor(operands: readonly string[], options: ReadonlyMap<string, readonly string[]>) {
    this.operands = operands;
    this.#options = options;
  }

  has(option: string): boolean {
    return this.#options.has(option);
  }

  text(option: string): string | undefined {
    return this.#options.get(option)?.[0];
  }

  /** All values of an option whose form is "strings". */
  texts(option: string): readonly string[] {
    return this.#options.get(option) ?? [];
  }
}

/** The kinds of options: without a value, with one, or with one each time that it is given. */
export type OptionForms = Readonly<Record<string, "boolean" | "string" | "strings">>;

/**
 * Read options and operands.
 *
 * @throws UsageError for an option that is not known, that lacks its value, or
 * has one it does not take.
 */
export function readArguments(argv: readonly string[], forms: OptionForms): Arguments {
  const known = new Map(Object.entries(forms));
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      [...known].map(([name, form]) => [name, { type: form === "boolean" ? form : "string" }]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const operands: string[] = [];
  const options = new Map<string, readonly string[]>();
  for (const token of tokens) {
    if (token.kind === "positional") operands.push(token.value);
    if (token.kind !== "option") continue;
    const form = known.get(token.name);
    if (form === undefined || !token.rawName.startsWith("--")) {
      throw new UsageError(unknownOption(token.rawName, token.name, known.keys()));
    }
    if (form === "boolean") {
      if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value.`);
      options.set(token.name, []);
    } else {
      // The next option is not a value: it was forgotten.
      const isValue = token.value !== undefined && token.value !== "";
      if (!isValue || (!token.inlineValue && token.value.startsWith("-"))) {
        throw new UsageError(`${token.rawName} needs a value.`);
      }
      const before = options.get(token.name);
      // One of the two would be without effect.
      if (before !== undefined && form === "string") {
        throw new UsageError(`${token.rawName} is given twice.`);
      }
      options.set(token.name, [...(before ?? []), token.value as string]);
    }
  }
  return new Arguments(operands, options);
}

function unknownOption(rawName: string, name: string, known: Iterable<string>): string {
  const rawNames = Array.from(known, (each) => `--${each}`);
  return `There is no option ${quoted(rawName)}.${didYouMean(`--${name}`, rawNames)}`;
}
