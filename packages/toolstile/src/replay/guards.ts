import type { GuardrailProvider, ToolDefinition, ToolObserver } from "@toolstile/core";
import { type CallGuard, ConversationGuard } from "./conversation-guard.js";
import { type DeclaredTools, readTools } from "./declared-tools.js";
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
  readonly withOutputSchema: readonly string[];
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

  /** The tools that were called and whose results are not held against the `outputSchema` that the guard.yaml or their conversation gives them. */
  get withoutOutputSchema(): readonly string[] {
    return [...this.#withoutOutputSchema].sort();
  }

  /** @param called The names that are called: with a policy, the tools of a conversation that declares none. */
  of(declared: readonly unknown[], called: () => readonly string[] = () => []): ListedTools {
    const { policy } = this.#options;
    if (policy === undefined) return this.#kept(declared, () => this.#declared(declared));
    const list = declared.length > 0 ? declared : this.#ofPolicy(policy, called());
    const listed = this.#kept(list, () => {
      const { tools, ...read } =
        declared.length > 0 ? readTools(declared) : leftOut(list as readonly ToolDefinition[]);
      return { guard: this.#policed(policy, tools), ...read };
    });
    this.#note(listed.withOutputSchema, called);
    return listed;
  }

  #ofPolicy({ file }: ReplayedPolicy, called: readonly string[]): readonly ToolDefinition[] {
    return file.tools ?? called.map((name) => ({ name }));
  }

  #note(withOutputSchema: readonly string[], called: () => readonly string[]): void {
    if (withOutputSchema.length === 0) return;
    const names = new Set(called());
    for (const name of withOutputSchema) if (names.has(name)) this.#withoutOutputSchema.add(name);
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
    const { tools, faults, withOutputSchema } = readTools(declared);
    const isDeclaring = declared.length > 0;
    const guard = new ConversationGuard({
      ...this.#options,
      tools: isDeclaring ? tools : undefined,
    });
    return { guard, faults, withOutputSchema };
  }

  #policed(policy: ReplayedPolicy, tools: readonly ToolDefinition[]): CallGuard {
    const { observers, onUnrecorded } = this.#options;
    return new PolicyGuard({ policy, tools, observers, onUnrecorded });
  }
}

/** Recorded results have no structured content: held against a schema, each would be withheld. */
function leftOut(tools: readonly ToolDefinition[]): DeclaredTools {
  const having = tools.filter(({ outputSchema }) => outputSchema !== undefined);
  return {
    tools: tools.map(({ outputSchema: _, ...tool }) => tool),
    faults: [],
    withOutputSchema: having.map(({ name }) => name),
  };
}

function jsonText(declared: readonly unknown[]): string | undefined {
  try {
    return JSON.stringify(declared);
  } catch {
    // Nested too deeply for the engine to write.
    return undefined;
  }
}
