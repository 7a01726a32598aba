import { ToolstileError } from "./errors.js";
import { checkOptions, didYouMean, quoted } from "./naming.js";
import type { ToolDefinition } from "./protocol.js";

/** What the model is told in place of a tool's own name or description. */
export interface ToolOverride {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

/** The way from a requested name to a tool's own, and what the model is told of each tool. */
export class Overrides {
  readonly #overrides: ReadonlyMap<string, ToolOverride>;
  readonly #originals = new Map<string, string>();

  constructor(overrides: Readonly<Record<string, ToolOverride>> = {}) {
    this.#overrides = new Map(Object.entries(overrides));
    for (const [original, override] of this.#overrides) {
      checkOptions(`The override of ${quoted(original)}`, override, ["name", "description"]);
      const { name, description } = override;
      if (!isText(name) || !isText(description) || name === "") {
        throw new ToolstileError(
          "ERR_INVALID_OPTION",
          `The override of ${quoted(original)} takes a name that is not empty, and a description, both text.`,
        );
      }
      if (name === undefined || name === original) continue;
      if (this.#originals.has(name)) throw taken(original, name);
      this.#originals.set(name, original);
    }
  }

  readonly resolve = (requestedName: string): string =>
    this.#originals.get(requestedName) ?? requestedName;

  /** @throws ToolstileError for an override of no tool, or one that takes another tool's name. */
  check(tools: readonly { readonly name: string }[]): void {
    const names = new Set(tools.map(({ name }) => name));
    for (const original of this.#overrides.keys()) {
      if (names.has(original)) continue;
      throw new ToolstileError(
        "ERR_UNKNOWN_TOOL",
        `There is an override for the tool ${quoted(original)}, which is not there.${didYouMean(original, names)}`,
      );
    }
    for (const [name, original] of this.#originals)
      if (names.has(name)) throw taken(original, name);
  }

  apply(definitions: readonly ToolDefinition[]): readonly ToolDefinition[] {
    return definitions.map((definition) => {
      const override = this.#overrides.get(definition.name);
      if (override === undefined) return definition;
      const { name = definition.name, description = definition.description } = override;
      return Object.freeze({ ...definition, name, description });
    });
  }
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function taken(original: string, name: string): ToolstileError {
  return new ToolstileError(
    "ERR_DUPLICATE_TOOL",
    `The override of ${quoted(original)} takes the name ${quoted(name)}, which another tool has.`,
  );
}
