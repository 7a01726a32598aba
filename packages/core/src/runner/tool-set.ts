import { ToolstileError } from "../errors/error.js";
import { didYouMean, quoted } from "../errors/names.js";
import { optionError } from "../errors/option-error.js";
import type { Policy } from "../guard/policy.js";
import { Catalogue } from "../tool/catalogue.js";
import { checkToolNames } from "../tool/named-tools.js";
import { type RefusedTool, refusalError } from "../tool/refused-tool.js";
import { ToolRegistry } from "../tool/registry.js";
import { type Tool, toolName } from "../tool/tool.js";

interface ToolSetOptions {
  readonly tools: readonly Tool[];
  readonly aliases: Readonly<Record<string, string>>;
  /** True if tools may be loaded whose arguments no guard checks. */
  readonly unchecked: boolean;
}

/**
 * The tools of one runner under its guards, and the names that stand for them.
 *
 * A child has the tools of its parent, under the guards of its parent and its own.
 */
export class ToolSet {
  readonly #parent: ToolSet | undefined;
  readonly #unchecked: boolean;
  readonly #aliases: ReadonlyMap<string, string>;
  /** The runner's own guards: those of its parent are not among them. */
  #policies: readonly Policy[];
  #registry: ToolRegistry;
  /** The registry of the parent that this one was made from. */
  #above: ToolRegistry | undefined;
  #hasLoaded = false;

  /** @throws ToolstileError for a tool, or an alias, that cannot be taken. */
  constructor(
    policies: readonly Policy[],
    { tools, aliases, unchecked }: ToolSetOptions,
    parent: ToolSet | undefined,
  ) {
    this.#parent = parent;
    this.#unchecked = unchecked;
    this.#policies = policies;
    this.#above = parent?.registry;
    this.#registry =
      this.#above === undefined
        ? new ToolRegistry(Catalogue.of(tools), policies, unchecked)
        : below(this.#above, policies);
    // Refusals of tools that the parent loaded later have been reported already.
    if (this.#isAsBuilt) requireAll(this.#registry, policies);
    this.#aliases =
      parent === undefined ? checkedAliases(aliases, this.#registry) : parent.#aliases;
  }

  get #isAsBuilt(): boolean {
    return !this.#hasLoaded && (this.#parent === undefined || this.#parent.#isAsBuilt);
  }

  /** The tools as they are now, with those that the parent has been given meanwhile. */
  get registry(): ToolRegistry {
    const above = this.#parent?.registry;
    if (above !== undefined && above !== this.#above) this.#follow(above);
    return this.#registry;
  }

  #follow(above: ToolRegistry): void {
    const { catalogue } = this.#registry;
    // Tools that it was given itself stay until its parent is given others.
    const hasOwn = catalogue !== above.catalogue && this.#above?.catalogue === above.catalogue;
    this.#registry = hasOwn
      ? new ToolRegistry(catalogue, [...above.policies, ...this.#policies], this.#unchecked)
      : below(above, this.#policies);
    this.#above = above;
  }

  /** Returns the name of the tool that a requested name stands for. */
  resolve(requestedName: string): string {
    return this.#aliases.get(requestedName) ?? requestedName;
  }

  /** Loads other tools. The refused ones are returned, and calls to them are denied. */
  load(tools: readonly Tool[]): readonly RefusedTool[] {
    const { policies, catalogue } = this.registry;
    // A runner that gets its tools later has the tool names of its guards checked then.
    if (catalogue.names.size === 0 && this.#isAsBuilt) {
      this.checkToolNames(new Set(tools.flatMap((tool) => toolName(tool) ?? [])));
    }
    const isAlias = (tool: Tool): boolean => this.#aliases.has(toolName(tool) as string);
    const refused = tools
      .filter(isAlias)
      .map(({ name }) => ({ name, refusedBy: "core", cause: aliasTaken(name) }));
    const others = refused.length === 0 ? tools : tools.filter((tool) => !isAlias(tool));
    const loaded = Catalogue.of(others);
    this.#registry = new ToolRegistry(loaded, policies, this.#unchecked);
    this.#hasLoaded = true;
    return [...refused, ...this.#registry.refused];
  }

  /** @throws ToolstileError `ERR_UNKNOWN_TOOL` for a name in a guard's configuration that none of these tools has. */
  checkToolNames(tools: ReadonlySet<string>): void {
    for (const { guards } of this.registry.policies) checkToolNames(guards, tools);
  }

  /** Puts the present tools under other guards of the runner's own, from `commit` on. @throws ToolstileError as the constructor does. */
  under(policies: readonly Policy[]): { commit(): void; readonly refused: readonly RefusedTool[] } {
    const { catalogue } = this.registry;
    const all = [...(this.#above?.policies ?? []), ...policies];
    const registry = new ToolRegistry(catalogue, all, this.#unchecked);
    if (this.#isAsBuilt) requireAll(registry, policies);
    else requireNames(registry, policies);
    const commit = (): void => {
      this.#policies = policies;
      this.#registry = registry;
    };
    return { commit, refused: registry.refused };
  }
}

/** Returns the tools of a parent as a child has them. Without guards of its own, it shares all with its parent. */
function below(above: ToolRegistry, policies: readonly Policy[]): ToolRegistry {
  return policies.length === 0 ? above : above.under(policies);
}

/** @throws ToolstileError for a tool that is refused, and for a name in the configuration of these guards that no tool has. */
function requireAll(registry: ToolRegistry, policies: readonly Policy[]): void {
  const [first] = registry.refused;
  if (first !== undefined) throw refusalError(first);
  requireNames(registry, policies);
}

function requireNames({ catalogue }: ToolRegistry, policies: readonly Policy[]): void {
  if (catalogue.names.size === 0) return;
  for (const { guards } of policies) checkToolNames(guards, catalogue.names);
}

/** Makes the error for an alias that is also the name of a tool: a call could mean either. */
function aliasTaken(alias: string): ToolstileError {
  return new ToolstileError(
    "ERR_DUPLICATE_TOOL",
    `The alias ${quoted(alias)} is also the name of a tool. Choose one that no tool has.`,
  );
}

/** Checks aliases. @throws ToolstileError for an alias that is the name of a tool, or that stands for no known tool. */
function checkedAliases(
  aliases: Readonly<Record<string, string>>,
  { catalogue: { names } }: ToolRegistry,
): ReadonlyMap<string, string> {
  const checked = new Map(Object.entries(aliases));
  for (const [alias, name] of checked) {
    if (typeof name !== "string") {
      throw optionError("ToolRunner", `aliases[${quoted(alias)}]`, "the name of a tool", name);
    }
    if (names.has(alias)) throw aliasTaken(alias);
    if (!names.has(name)) {
      throw new ToolstileError(
        "ERR_UNKNOWN_TOOL",
        `The alias ${quoted(alias)} stands for the tool ${quoted(name)}, which does not exist.${didYouMean(name, names)}`,
      );
    }
  }
  return checked;
}
