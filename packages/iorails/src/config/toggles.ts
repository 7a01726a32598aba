import type { ToolstileError } from "@toolstile/core";
import { didYouMean, quoted } from "@toolstile/core/provider";
import { invalid } from "../errors.js";
import { type FlowFamily, flowFamilies, flowName, type ToolFamily } from "./flows.js";
import type { Flow, RailsConfigData, ToolCallSection } from "./model.js";
import { nameToday, olderNames } from "./older-names.js";

/** The part of a tool section that runs for one request. */
export interface ToolToggles {
  /** The flow of the section. */
  readonly flow: boolean;
  /** Names of mounted providers, in their order. */
  readonly providers: readonly string[];
  /** Names of the flows of single tools. */
  readonly perTool: readonly string[];
}

/** The rails that run for one request, in the configured order. */
export interface Toggles {
  readonly input: readonly Flow[];
  readonly output: readonly Flow[];
  readonly toolCall: ToolToggles;
  readonly toolResult: ToolToggles;
}

/** Families of the other engine: requests may name them, and nothing follows. */
const otherFamilies = ["retrieval", "dialog"] as const;
const families: readonly string[] = [...flowFamilies, ...otherFamilies];

/** True for everything, false for nothing, or the names that run. */
type Choice = boolean | readonly string[];

/**
 * Read `options.rails`: which of the configured rails run for one request.
 *
 * Absent: all. A list of families: only these. Families have their older names as well. An object: true, false or a list
 * of names for each family; a family that it does not mention runs. A name that
 * is not configured is an error, where upstream switches the rail off; nothing
 * is coerced, where upstream reads "true" and 1. An empty list is none.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` that names the culprit.
 */
export function readToggles(
  options: unknown,
  { input, output, toolCall, toolResult }: RailsConfigData,
  providerNames: { readonly toolCall: readonly string[]; readonly toolResult: readonly string[] },
): Toggles {
  const choices = readChoices(options);
  /** True of the names that run, of those that a family has. */
  const chosenIn = (family: FlowFamily, names: readonly string[]): ((name: string) => boolean) => {
    const choice = choices.get(family) ?? true;
    if (typeof choice === "boolean") return () => choice;
    const known = new Set(names);
    const chosen = new Set(choice.map((name) => chosenName(name, family, known)));
    return (name) => chosen.has(name);
  };
  const ofText = (family: "input" | "output", flows: readonly Flow[]): readonly Flow[] => {
    const isChosen = chosenIn(
      family,
      flows.map(({ name }) => name),
    );
    return flows.filter(({ name }) => isChosen(name));
  };
  const ofTools = (
    family: ToolFamily,
    section: ToolCallSection,
    providers: readonly string[],
  ): ToolToggles => {
    const flows = section.flows.map(({ name }) => name);
    const ofOneTool = Object.values(section.perTool).flat();
    const perTool = [...new Set(ofOneTool.map(({ name }) => name))];
    const isChosen = chosenIn(family, [...flows, ...providers, ...perTool]);
    return {
      flow: flows.some(isChosen),
      providers: providers.filter(isChosen),
      perTool: perTool.filter(isChosen),
    };
  };
  return {
    input: ofText("input", input.flows),
    output: ofText("output", output.flows),
    toolCall: ofTools("tool_call", toolCall, providerNames.toolCall),
    toolResult: ofTools("tool_result", toolResult, providerNames.toolResult),
  };
}

/** A provider is named exactly; a flow also with the `$…` of the configuration. */
function chosenName(written: string, family: FlowFamily, known: ReadonlySet<string>): string {
  if (known.has(written)) return written;
  const name = flowName(written);
  if (known.has(name)) return name;
  const configured = known.size === 0 ? "none" : [...known].map(quoted).join(", ");
  const hint = didYouMean(name, known) || ` Configured: ${configured}.`;
  throw invalid(
    `options.rails.${family} names ${quoted(written)}, which is not configured.${hint}`,
  );
}

function readChoices(options: unknown): ReadonlyMap<string, Choice> {
  if (options === undefined || options === null) return new Map();
  if (typeof options !== "object" || Array.isArray(options)) {
    throw invalid("options must be an object.");
  }
  const rails = Object.hasOwn(options, "rails") ? (options as { rails: unknown }).rails : undefined;
  if (rails === undefined) return new Map();
  if (Array.isArray(rails)) return onlyFamilies(rails);
  if (rails === null || typeof rails !== "object") {
    throw invalid("options.rails must be an object, or a list of families.");
  }
  const choices = new Map<string, Choice>();
  for (const [key, value] of Object.entries(rails)) {
    const family = nameToday(["rails"], key);
    if (!families.includes(family)) throw unknownFamily("has no key", key);
    if (value === undefined) continue;
    if (choices.has(family)) {
      throw invalid(`options.rails must name ${quoted(family)} once, received both of its names.`);
    }
    choices.set(family, readChoice(key, value));
  }
  return choices;
}

function onlyFamilies(rails: readonly unknown[]): ReadonlyMap<string, Choice> {
  const chosen = new Set<string>();
  for (const family of rails) {
    if (typeof family !== "string") throw invalid("options.rails must list names of families.");
    const today = nameToday(["rails"], family);
    if (!families.includes(today)) throw unknownFamily("names an unknown family", family);
    chosen.add(today);
  }
  return new Map(families.map((family) => [family, chosen.has(family)]));
}

function readChoice(family: string, value: unknown): Choice {
  if (typeof value === "boolean") return value;
  const names: readonly unknown[] | undefined = Array.isArray(value) ? [...value] : undefined;
  if (names?.every((name) => typeof name === "string") === true) return names;
  throw invalid(`options.rails.${family} must be true, false or a list of names.`);
}

function unknownFamily(problem: string, name: string): ToolstileError {
  const hint =
    didYouMean(name, [...families, ...olderNames]) || ` There are: ${families.join(", ")}.`;
  return invalid(`options.rails ${problem} ${quoted(name)}.${hint}`);
}
