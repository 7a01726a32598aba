import { byPhase, type GuardsByPhase } from "../guard/by-phase.js";
import type { Policy } from "../guard/policy.js";
import { isDeepFrozen } from "../json/own.js";
import type { ToolDeclaration } from "../protocol/declaration.js";
import type { ToolDefinition } from "../protocol/guardrail.js";
import { Admission } from "./admission.js";
import { Catalogue, type ReadTool } from "./catalogue.js";
import { undeclared } from "./definition.js";
import { type RefusedTool, refusalOf, uncheckedError } from "./refused-tool.js";

/** A tool as the runs of a runner know it. */
export interface RegisteredTool extends Pick<ReadTool, "definition" | "execute" | "timeoutMs"> {
  readonly guards: GuardsByPhase;
  /** The guardrail that refused the tool, whose calls are therefore denied. */
  readonly refusedBy: string | undefined;
  /** The reason of the refusal, as a denial says it. */
  readonly refusal: string | undefined;
  /** True if it was declared for one call only. Such a call may be decided on and released, but not run. */
  readonly declaredOnly: boolean;
}

/** The tools of a catalogue under the guards of a runner. */
export class ToolRegistry {
  readonly catalogue: Catalogue;
  /** The tools whose calls are denied, and why. */
  readonly refused: readonly RefusedTool[];
  readonly policies: readonly Policy[];
  readonly #unchecked: boolean;
  readonly #refusals: ReadonlyMap<string, RefusedTool>;
  /** The guards of a tool that no guard is limited to. */
  #general: GuardsByPhase | undefined;
  /** The tools that have been called. */
  readonly #entries = new Map<string, RegisteredTool>();
  readonly #declared = new WeakMap<object, RegisteredTool>();

  /** @param unchecked true if tools may be loaded whose arguments no guard checks. */
  constructor(catalogue: Catalogue, policies: readonly Policy[], unchecked: boolean) {
    const admissions = policies.map((policy) => Admission.of(policy, catalogue));
    this.catalogue = catalogue;
    this.policies = policies;
    this.#unchecked = unchecked;
    this.refused = catalogue.inOrder([
      ...catalogue.refused,
      ...admissions.flatMap(({ refused }) => refused),
      ...(unchecked ? [] : uncheckedTools(catalogue, admissions)),
    ]);
    // Of several refusals of one tool, the first is told.
    const named = this.refused.filter(({ name }) => name !== "").reverse();
    this.#refusals = new Map(named.map((refusal) => [refusal.name, refusal]));
  }

  /** Returns the same tools under further guards. */
  under(policies: readonly Policy[]): ToolRegistry {
    const all = [...this.policies, ...policies];
    return new ToolRegistry(this.catalogue, all, this.#unchecked);
  }

  get(name: string): RegisteredTool | undefined {
    return this.#entries.get(name) ?? this.#enter(name);
  }

  get definitions(): readonly ToolDefinition[] {
    return [...this.catalogue.tools.values()]
      .map(({ definition }) => definition)
      .filter(({ name }) => !this.#refusals.has(name));
  }

  /** Returns the entry of a tool that was declared for one call only. It is remembered by the identity of the definition. */
  declared(tool: ToolDeclaration): RegisteredTool | undefined {
    const known = this.#declared.get(tool);
    if (known !== undefined) return known;
    // Only the definition is taken: a declared tool cannot run, and cannot state `unchecked`.
    const { name, description, parameters, outputSchema, annotations } = tool;
    const only = Catalogue.of([{ name, description, parameters, outputSchema, annotations }]);
    const entry = new ToolRegistry(only, this.policies, this.#unchecked).get(name);
    if (entry === undefined) return undefined;
    const declared = Object.freeze({ ...entry, declaredOnly: true });
    // A definition that may still change is not remembered.
    if (isDeepFrozen(tool)) this.#declared.set(tool, declared);
    return declared;
  }

  /** Returns the guards of a tool's calls, also of one that is not declared. */
  guardsOf(toolName: string, tool?: ReadTool): GuardsByPhase {
    const { policies } = this;
    const covering = policies.map((policy) => policy.covering(toolName));
    const isGeneral = covering.every((guards, index) => guards === policies[index]?.general);
    const first = tool?.schema === undefined ? [] : [tool.schema];
    const last = tool?.guards.filter((guard) => guard.covers(toolName)) ?? [];
    if (!isGeneral || first.length + last.length > 0) {
      return byPhase([...first, ...covering.flat(), ...last]);
    }
    this.#general ??= byPhase(covering.flat());
    return this.#general;
  }

  #enter(name: string): RegisteredTool | undefined {
    const tool = this.catalogue.tools.get(name);
    const refusal = this.#refusals.get(name);
    if (tool === undefined && refusal === undefined) return undefined;
    const entry = Object.freeze({
      definition: tool?.definition ?? Object.freeze({ ...undeclared, name }),
      execute: tool?.execute,
      timeoutMs: tool?.timeoutMs,
      guards: this.guardsOf(name, tool),
      refusedBy: refusal?.refusedBy,
      refusal: refusal && refusalOf(refusal),
      declaredOnly: false,
    });
    this.#entries.set(name, entry);
    return entry;
  }
}

/** Refuses the tools whose arguments no guard at all checks. */
function uncheckedTools(
  { needCheck }: Catalogue,
  admissions: readonly Admission[],
): readonly RefusedTool[] {
  const sets = admissions.map(({ unchecked }) => unchecked);
  const fewest = sets.reduce((least, set) => (set.size < least.size ? set : least), needCheck);
  return [...fewest]
    .filter((name) => sets.every((unchecked) => unchecked.has(name)))
    .map((name) => ({ name, refusedBy: "core", cause: uncheckedError(name) }));
}
