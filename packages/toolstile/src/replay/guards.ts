import type { GuardrailProvider, ToolDefinition, ToolObserver } from "@toolstile/core";
import { type CallGuard, ConversationGuard } from "./conversation-guard.js";
import { readTools } from "./declared-tools.js";
import { PolicyGuard, type ReplayedPolicy } from "./policy-guard.js";

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
  /** A guard.yaml in place of the guards that a replay has otherwise. */
  readonly policy?: ReplayedPolicy | undefined;
}

/** The guards of the tools of one list. */
export interface ListedTools {
  readonly guard: CallGuard;
  /** The reasons why some of the definitions cannot be read. */
  readonly faults: readonly string[];
}

/** Guards by the list of tools that they stand before, the least recently used forgotten first. */
export class Guards {
  readonly #options: GuardsOptions;
  readonly #byText = new Map<string, ListedTools>();
  readonly #withoutOutputSchema = new Set<string>();

  constructor(options: GuardsOptions) {
    this.#options = options;
  }

  /** True if a guard.yaml decides. */
  get isPolicy(): boolean {
    return this.#options.policy !== undefined;
  }

  /** The tools that were called and whose results are not held against the `outputSchema` that the guard.yaml gives them. */
  get withoutOutputSchema(): readonly string[] {
    return [...this.#withoutOutputSchema].sort();
  }

  /** @param called The names that are called: with a policy, the tools of a conversation that declares none. */
  of(declared: readonly unknown[], called: () => readonly string[] = () => []): ListedTools {
    const { policy } = this.#options;
    if (policy === undefined) return this.#kept(declared, () => this.#declared(declared));
    if (declared.length > 0) {
      return this.#kept(declared, () => {
        const { tools, faults } = readTools(declared);
        return { guard: this.#policed(policy, tools), faults };
      });
    }
    const tools = this.#ofPolicy(policy, called()) ?? called().map((name) => ({ name }));
    return this.#kept(tools, () => ({ guard: this.#policed(policy, tools), faults: [] }));
  }

  /** Recorded results have no structured content: held against a schema, each would be withheld. */
  #ofPolicy(
    { file }: ReplayedPolicy,
    called: readonly string[],
  ): readonly ToolDefinition[] | undefined {
    const names = new Set(called);
    return file.tools?.map(({ outputSchema, ...tool }) => {
      if (outputSchema !== undefined && names.has(tool.name)) {
        this.#withoutOutputSchema.add(tool.name);
      }
      return tool;
    });
  }

  #kept(list: readonly unknown[], make: () => ListedTools): ListedTools {
    const text = jsonText(list);
    if (text === undefined || text.length > longestKept) return make();
    const known = this.#byText.get(text) ?? make();
    this.#byText.delete(text);
    this.#byText.set(text, known);
    if (this.#byText.size > kept) this.#byText.delete(this.#byText.keys().next().value as string);
    return known;
  }

  #declared(declared: readonly unknown[]): ListedTools {
    const { tools, faults } = readTools(declared);
    const isDeclaring = declared.length > 0;
    const guard = new ConversationGuard({
      ...this.#options,
      tools: isDeclaring ? tools : undefined,
    });
    return { guard, faults };
  }

  #policed(policy: ReplayedPolicy, tools: readonly ToolDefinition[]): CallGuard {
    const { observers, onUnrecorded } = this.#options;
    return new PolicyGuard({ policy, tools, observers, onUnrecorded });
  }
}

function jsonText(declared: readonly unknown[]): string | undefined {
  try {
    return JSON.stringify(declared);
  } catch {
    // Nested too deeply for the engine to write.
    return undefined;
  }
}
