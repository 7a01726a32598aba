import type { Question } from "./ask.js";
import { ToolstileError } from "./errors.js";
import { type Link, type LinkFacts, ProviderLink } from "./link.js";
import { checkOptions, didYouMean, editDistance, quoted } from "./naming.js";
import type { GuardrailProvider, ResultGuardrail } from "./protocol.js";

export type Guardrail = GuardrailProvider | ResultGuardrail;

const members = [
  "name",
  "evaluate",
  "admit",
  "evaluateResult",
  "settle",
  "register",
  "tools",
  "checksArguments",
  "timeoutMs",
  "close",
];

/** The links that core's own chains and combinators are made of. */
const linksOf = new WeakMap<object, readonly Link[]>();

/** On every composed provider, of whichever copy of this package. A spread copies it, too. */
const composition = Symbol.for("toolstile.composed");

/** On the guard of a live chain, of whichever copy of this package. */
export const livesOn = Symbol.for("toolstile.live");

/** What neither a guardrail nor an observer may be called. */
export function reservedName(list: "guardrails" | "observers"): ToolstileError {
  return new ToolstileError(
    "ERR_INVALID_PROVIDER",
    `One of the ${list} is named 'core', which records say of what none of them decided. Give it another name.`,
  );
}

/** Remember what a composed provider is made of, so that chains around it can flatten it. */
export function remember<T extends object>(provider: T, links: readonly Link[]): T {
  const composed = Object.freeze({ ...provider, [composition]: true });
  linksOf.set(composed, links);
  return composed;
}

/**
 * The flat list of what some guardrails are made of.
 *
 * @throws ToolstileError for two of one name, for one that is no guardrail, and
 * for a member that looks like a misspelling.
 */
export function flatten(guardrails: readonly Guardrail[]): readonly Link[] {
  if (!Array.isArray(guardrails)) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "Guardrails are given as a list, such as [allowAll()].",
    );
  }
  const links = guardrails.flatMap(
    (guardrail, index) => linksOf.get(guardrail) ?? [link(guardrail, index)],
  );
  const seen = new Set<string>();
  for (const name of links.flatMap(({ names }) => names)) {
    if (seen.has(name)) {
      throw new ToolstileError(
        "ERR_DUPLICATE_PROVIDER",
        `Two guardrails are named ${quoted(name)}. Give one of them another, as in allowlist([…], { name: "…" }): records tell them apart by it.`,
      );
    }
    seen.add(name);
  }
  return links;
}

function link(guardrail: Guardrail, index: number): Link {
  if (typeof guardrail !== "object" || guardrail === null) {
    throw new ToolstileError(
      "ERR_INVALID_PROVIDER",
      `A guardrail is an object with a name and evaluate(call); number ${index + 1} of the list is none. Was a factory passed uncalled?`,
    );
  }
  const name = member(guardrail, "name");
  if (typeof name !== "string" || name === "") {
    throw new ToolstileError(
      "ERR_INVALID_PROVIDER",
      `A guardrail needs a name that is not empty; number ${index + 1} of the list has none.`,
    );
  }
  if (name === "core") throw reservedName("guardrails");
  if (Object.hasOwn(guardrail, composition)) {
    // What in it counts, and what is only shadowed, could not be told.
    throw new ToolstileError(
      "ERR_INVALID_PROVIDER",
      `The guardrail ${quoted(name)} was composed by another copy of @toolstile/core, or copied. Install one copy, and pass on what chain(), shadow() and the like gave.`,
    );
  }
  // Also by inheritance, as its members are.
  if (livesOn in guardrail) {
    // Here it would stay as it is now.
    throw new ToolstileError(
      "ERR_INVALID_PROVIDER",
      `The live chain ${quoted(name)} stands itself among the guardrails of a runner, and not inside another guard. Put what is around it around the guards that it is given.`,
    );
  }
  refuseMisspellings(guardrail, name);
  const bound = (key: string): ((...args: never[]) => unknown) | undefined => {
    const value = member(guardrail, key);
    if (value === undefined) return undefined;
    if (typeof value !== "function") {
      throw new ToolstileError("ERR_INVALID_PROVIDER", `${quoted(name)}.${key} is not a function.`);
    }
    return value.bind(guardrail) as (...args: never[]) => unknown;
  };
  const evaluate = bound("evaluate") as Question | undefined;
  const evaluateResult = bound("evaluateResult") as Question | undefined;
  if (evaluate === undefined && evaluateResult === undefined) {
    throw new ToolstileError(
      "ERR_INVALID_PROVIDER",
      `The guardrail ${quoted(name)} has neither evaluate(call) nor evaluateResult(call, result). Observers go under \`observers\`.`,
    );
  }
  const admit = bound("admit") as Question | undefined;
  const facts: LinkFacts = {
    name,
    counts: evaluate !== undefined,
    only: undefined,
    when: [],
    tools: toolNames(member(guardrail, "tools"), name),
    checksArguments: bound("checksArguments") as LinkFacts["checksArguments"],
    register: bound("register") as LinkFacts["register"],
    settle: bound("settle") as LinkFacts["settle"],
    close: bound("close") as LinkFacts["close"],
  };
  const timeoutMs = member(guardrail, "timeoutMs");
  return new ProviderLink(
    facts,
    { call: evaluate, admit, result: evaluateResult },
    timeoutMs === undefined ? undefined : checkedTimeout(timeoutMs, `${quoted(name)}.timeoutMs`),
  );
}

/** @throws ToolstileError unless it is a positive number of milliseconds, or Infinity for none. */
export function checkedTimeout(value: unknown, where: string): number {
  if (typeof value !== "number" || !(value > 0)) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `${where} is a positive number of milliseconds, or Infinity for no deadline.`,
    );
  }
  return value;
}

/** The name that options give. @throws ToolstileError for another option, or for what is no name. */
export function givenName(where: string, options: { readonly name?: string }): string | undefined {
  checkOptions(where, options, ["name"]);
  const name: unknown = Object.hasOwn(options, "name") ? options.name : undefined;
  if (name === undefined || (typeof name === "string" && name !== "")) return name;
  throw new ToolstileError("ERR_INVALID_OPTION", `${where} takes a name that is not empty.`);
}

function toolNames(value: unknown, name: string): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((tool) => typeof tool === "string")) {
    throw new ToolstileError("ERR_INVALID_PROVIDER", `${quoted(name)}.tools is a list of names.`);
  }
  return [...value];
}

/**
 * A member of the object's own or of its class, never of the root prototype:
 * what someone planted there is nobody's member.
 */
export function member(object: object, key: string): unknown {
  for (
    let holder: object | null = object;
    holder !== null && (holder === object || Object.getPrototypeOf(holder) !== null);
    holder = Object.getPrototypeOf(holder)
  ) {
    if (Object.hasOwn(holder, key)) return (object as Record<string, unknown>)[key];
  }
  return undefined;
}

function refuseMisspellings(guardrail: object, name: string): void {
  for (
    let holder: object | null = guardrail;
    holder !== null && (holder === guardrail || Object.getPrototypeOf(holder) !== null);
    holder = Object.getPrototypeOf(holder)
  ) {
    for (const key of Object.getOwnPropertyNames(holder)) {
      if (members.includes(key) || !looksLikeMember(key)) continue;
      throw new ToolstileError(
        "ERR_UNKNOWN_MEMBER",
        `The guardrail ${quoted(name)} has a member ${quoted(key)}, which nobody would call.${didYouMean(key, members)}`,
      );
    }
  }
}

/** The members whose absence would be silent, and how many slips from one still look like it. */
const slips: readonly (readonly [string, number])[] = [
  ["evaluate", 1],
  ["evaluateResult", 2],
  ["admit", 1],
  ["settle", 1],
  ["register", 1],
  ["checksArguments", 2],
  ["timeoutMs", 1],
];

function looksLikeMember(key: string): boolean {
  return (
    /^(evaluate|admit|settle)/i.test(key) ||
    slips.some(([name, most]) => editDistance(key.toLowerCase(), name.toLowerCase()) <= most)
  );
}
