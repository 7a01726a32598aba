import { frozenDefinition, isDeepFrozen, restrictsArguments, undeclared } from "./definition.js";
import { ToolstileError } from "./errors.js";
import { type Link, register } from "./link.js";
import { didYouMean, quoted } from "./naming.js";
import { type Policy, policyOf } from "./policy.js";
import type { JsonObject, ToolDefinition } from "./protocol.js";
import { checkedTimeout, flatten } from "./provider.js";
import { isStandardSchema, jsonSchemaOf, normaliser } from "./standard-schema.js";
import { checkTool, ownTool, type Tool, type ToolContext, type ToolDeclaration } from "./tool.js";

/** A tool as the runner knows it: fixed when it was loaded. */
export interface Entry {
  readonly definition: ToolDefinition;
  readonly execute: ((args: JsonObject, context: ToolContext) => unknown) | undefined;
  readonly timeoutMs: number | undefined;
  readonly policy: Policy;
  /** The guardrail that refused the tool, whose calls are therefore denied. */
  readonly refusedBy: string | undefined;
  /** Declared for one call only, which may be decided on and released, but not run. */
  readonly declaredOnly: boolean;
  /** Why, as the reason of a denial says it. */
  readonly refusal: string;
}

/** A tool that was not taken on, and why. */
export interface RefusedTool {
  readonly name: string;
  readonly refusedBy: string;
  readonly cause: unknown;
}

/** The tools of a runner, by name. */
export class Catalogue {
  #links: readonly Link[];
  readonly #unchecked: boolean;
  #base: Policy;
  #entries: ReadonlyMap<string, Entry> = new Map();
  #declared = new WeakMap<object, Entry>();

  constructor(links: readonly Link[], unchecked: boolean) {
    this.#links = links;
    this.#unchecked = unchecked;
    this.#base = policyOf(links);
  }

  /** What holds for a tool that nobody declared. */
  get base(): Policy {
    return this.#base;
  }

  /** Be from now on what another one is. */
  become(other: Catalogue): void {
    this.#links = other.#links;
    this.#base = other.#base;
    this.#entries = other.#entries;
    this.#declared = other.#declared;
  }

  get(name: string): Entry | undefined {
    return this.#entries.get(name);
  }

  get definitions(): readonly ToolDefinition[] {
    return [...this.#entries.values()]
      .filter(({ refusedBy }) => refusedBy === undefined)
      .map(({ definition }) => definition);
  }

  /**
   * Take on these tools in place of those before.
   *
   * @param strict whether a refusal is an error, as at construction, or is only told.
   */
  load(tools: readonly Tool[], strict: boolean): readonly RefusedTool[] {
    const entries = new Map<string, Entry>();
    const refused: RefusedTool[] = [];
    const refuse = (refusal: RefusedTool): void => {
      if (strict) throw refusalError(refusal);
      refused.push(refusal);
    };
    for (const [index, tool] of tools.entries()) {
      const name = tool?.name;
      if (typeof name !== "string" || name === "") {
        refuse({ name: "", refusedBy: "core", cause: namelessError(index) });
      } else if (entries.has(name)) {
        const cause = duplicateError(name);
        refuse({ name, refusedBy: "core", cause });
        // Which of the two a call means is anyone's guess, so neither is run.
        entries.set(name, refusedEntry(name, "two tools have its name", this.base));
      } else {
        entries.set(name, strict ? this.#entry(tool, refuse) : this.#entryOrRefused(tool, refuse));
      }
    }
    if (strict && tools.length > 0) this.checkToolNames(entries);
    this.#entries = entries;
    return refused;
  }

  /** @throws ToolstileError `ERR_UNKNOWN_TOOL` for a name in a guard's configuration that no tool has. */
  checkToolNames(entries: ReadonlyMap<string, unknown>): void {
    checkToolNames(this.#links, entries);
  }

  /** The entry of a tool that was declared for one call only, remembered by the definition's identity. */
  declared(tool: ToolDeclaration): Entry {
    const known = this.#declared.get(tool);
    if (known !== undefined) return known;
    // No more than the definition: a declared tool cannot run, nor say that nobody checks it.
    const { name, description, parameters, outputSchema, annotations } = tool;
    const definition = { name, description, parameters, outputSchema, annotations };
    const entry = Object.freeze({
      ...this.#entryOrRefused(definition, () => {}),
      declaredOnly: true,
    });
    // Of one that may change, nothing is remembered.
    if (isDeepFrozen(tool)) this.#declared.set(tool, entry);
    return entry;
  }

  /** What cannot be read is as if it had been refused: a call to it says so. */
  #entryOrRefused(tool: Tool, refuse: (refusal: RefusedTool) => void): Entry {
    try {
      return this.#entry(tool, refuse);
    } catch (cause) {
      refuse({ name: tool.name, refusedBy: "core", cause });
      return refusedEntry(tool.name, "its definition is not right", this.base);
    }
  }

  #entry(given: Tool, refuse: (refusal: RefusedTool) => void): Entry {
    const tool = ownTool(given);
    checkTool(given, tool);
    const { parameters } = tool;
    const standard = isStandardSchema(parameters) ? parameters : undefined;
    const shown = standard === undefined ? parameters : jsonSchemaOf(standard);
    const definition = frozenDefinition(tool, shown);
    const own = flatten(tool.guardrails ?? []);
    const links = [...this.#links, ...own];
    if (own.length > 0) {
      checkNamesApart(this.#links, own);
      checkToolNames(own, new Map([[definition.name, tool]]));
    }
    const checks =
      standard === undefined ? [] : [normaliser(standard, shown as JsonObject | undefined)];
    let refusedBy: string | undefined;
    let refusal = "a guardrail did not take it on";
    for (const link of links) {
      if (!link.covers(definition.name)) continue;
      try {
        register(link, definition);
      } catch (cause) {
        refusedBy ??= link.facts.name;
        refuse({ name: definition.name, refusedBy: link.facts.name, cause });
      }
    }
    if (
      checks.length === 0 &&
      restrictsArguments(definition.parameters) &&
      !this.#unchecked &&
      tool.unchecked !== true &&
      !links.some((link) => checksArguments(link, definition))
    ) {
      refusedBy ??= "core";
      refusal = "no guardrail holds its arguments to its schema";
      refuse({ name: definition.name, refusedBy: "core", cause: uncheckedError(definition.name) });
    }
    const plain = checks.length === 0 && own.length === 0;
    return Object.freeze({
      definition,
      execute: tool.execute as Entry["execute"],
      timeoutMs:
        tool.timeoutMs === undefined
          ? undefined
          : checkedTimeout(tool.timeoutMs, `The timeoutMs of tool ${quoted(definition.name)}`),
      policy: plain ? this.base : policyOf([...checks, ...links]),
      refusedBy,
      declaredOnly: false,
      refusal,
    });
  }
}

function refusedEntry(name: string, refusal: string, policy: Policy): Entry {
  return Object.freeze({
    definition: Object.freeze({ ...undeclared, name }),
    execute: undefined,
    timeoutMs: undefined,
    policy,
    refusedBy: "core",
    declaredOnly: false,
    refusal,
  });
}

function checksArguments(link: Link, definition: ToolDefinition): boolean {
  try {
    return link.checksArguments(definition);
  } catch {
    // A provider that cannot say yes has not said it.
    return false;
  }
}

function checkToolNames(links: readonly Link[], entries: ReadonlyMap<string, unknown>): void {
  for (const { facts } of links) {
    for (const name of facts.tools) {
      if (entries.has(name)) continue;
      throw new ToolstileError(
        "ERR_UNKNOWN_TOOL",
        `The guardrail ${quoted(facts.name)} names the tool ${quoted(name)}, which is not there.${didYouMean(name, entries.keys())}`,
      );
    }
  }
}

function checkNamesApart(links: readonly Link[], own: readonly Link[]): void {
  const taken = new Set(links.flatMap(({ names }) => names));
  for (const name of own.flatMap(({ names }) => names)) {
    if (!taken.has(name)) continue;
    throw new ToolstileError(
      "ERR_DUPLICATE_PROVIDER",
      `Two guardrails are named ${quoted(name)}: the runner's and a tool's. Give one of them another name.`,
    );
  }
}

function namelessError(index: number): ToolstileError {
  const text = `A tool is an object with a name, such as { name: "search" }: number ${index + 1} of the list has none.`;
  return new ToolstileError("ERR_INVALID_TOOL", text);
}

function duplicateError(name: string): ToolstileError {
  return new ToolstileError("ERR_DUPLICATE_TOOL", `Two tools are named ${quoted(name)}.`);
}

function uncheckedError(name: string): ToolstileError {
  return new ToolstileError(
    "ERR_UNCHECKED_TOOL",
    `The tool ${quoted(name)} declares a JSON Schema and no guardrail holds its arguments to it. Add schemaValidation() from @toolstile/schema, or write \`unchecked: true\`.`,
  );
}

function refusalError({ name, refusedBy, cause }: RefusedTool): ToolstileError {
  if (ToolstileError.isInstance(cause)) return cause;
  return new ToolstileError(
    "ERR_TOOL_REFUSED",
    `The tool ${quoted(name)} was refused by the guardrail ${quoted(refusedBy)}.`,
    { cause },
  );
}
