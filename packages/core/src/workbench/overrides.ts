import { ToolstileError } from "../errors/error.js";
import { didYouMean, quoted } from "../errors/names.js";
import { nonEmptyText, text } from "../errors/option-readers.js";
import { type OptionTable, readOptions } from "../errors/options.js";
import type { ToolDefinition } from "../protocol/guardrail.js";
import { toolName } from "../tool/tool.js";

/** The name and the description that the model sees in place of the tool's own. */
export interface ToolOverride {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

const overrideOptions = {
  name: nonEmptyText(),
  description: text(),
} satisfies OptionTable<ToolOverride>;

/** The way from a requested name to a tool's own, and what the model is told of each tool. */
export class Overrides {
  readonly #overrides: ReadonlyMap<string, ToolOverride>;
  readonly #originals = new Map<string, string>();

  constructor(overrides: Readonly<Record<string, ToolOverride>> = {}) {
    this.#overrides = new Map(
      Object.entries(overrides).map(([original, override]) => {
        const where = `The override of ${quoted(original)}`;
        return [original, readOptions(where, override, overrideOptions)];
      }),
    );
    for (const [original, { name }] of this.#overrides) {
      if (name === undefined || name === original) continue;
      if (this.#originals.has(name)) throw taken(original, name);
      this.#originals.set(name, original);
    }
  }

  readonly resolve = (requestedName: string): string =>
    this.#originals.get(requestedName) ?? requestedName;

  /** @throws ToolstileError for an override of an unknown tool, or one that takes another tool's name. */
  check(tools: readonly { readonly name: string }[]): void {
    // A value that is not a tool is refused where tools are loaded.
    const names = new Set(tools.flatMap((tool) => toolName(tool) ?? []));
    for (const original of this.#overrides.keys()) {
      if (names.has(original)) continue;
      throw new ToolstileError(
        "ERR_UNKNOWN_TOOL",
        `There is an override for the tool ${quoted(original)}, which does not exist.${didYouMean(original, names)}`,
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

function taken(original: string, name: string): ToolstileError {
  return new ToolstileError(
    "ERR_DUPLICATE_TOOL",
    `The override of ${quoted(original)} takes the name ${quoted(name)}, which another tool has.`,
  );
}
