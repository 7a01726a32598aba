import type { GuardrailProvider, ToolObserver } from "@toolstile/core";
import { ConversationGuard } from "./conversation-guard.js";
import { readTools } from "./declared-tools.js";

/** Lists of tools whose guard is kept. Recorded conversations mostly come in runs of the same few. */
const kept = 16;
/** Characters of the longest list that is kept: some are megabytes of definitions, and stand in one conversation. */
const longestKept = 1 << 20;

export interface GuardsOptions {
  /** Shared, so that a schema is compiled once. */
  readonly schema: GuardrailProvider;
  readonly observers: readonly ToolObserver[];
  /** Told of an observer that could not write its record. */
  readonly onUnrecorded: (error: unknown) => void;
}

/** The guards of the tools of one list. */
export interface ListedTools {
  readonly guard: ConversationGuard;
  /** The reasons why some of the definitions cannot be read. */
  readonly faults: readonly string[];
}

/** Guards by the list of tools that they stand before, the least recently used forgotten first. */
export class Guards {
  readonly #options: GuardsOptions;
  readonly #byText = new Map<string, ListedTools>();

  constructor(options: GuardsOptions) {
    this.#options = options;
  }

  of(declared: readonly unknown[]): ListedTools {
    const text = textOf(declared);
    if (text === undefined || text.length > longestKept) return this.#make(declared);
    const known = this.#byText.get(text) ?? this.#make(declared);
    this.#byText.delete(text);
    this.#byText.set(text, known);
    if (this.#byText.size > kept) this.#byText.delete(this.#byText.keys().next().value as string);
    return known;
  }

  #make(declared: readonly unknown[]): ListedTools {
    const { tools, faults } = readTools(declared);
    const isDeclaring = declared.length > 0;
    const guard = new ConversationGuard({
      ...this.#options,
      tools: isDeclaring ? tools : undefined,
    });
    return { guard, faults };
  }
}

function textOf(declared: readonly unknown[]): string | undefined {
  try {
    return JSON.stringify(declared);
  } catch {
    // Nested too deeply for the engine to write.
    return undefined;
  }
}
