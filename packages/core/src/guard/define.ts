import { ToolstileError } from "../errors/error.js";
import { quoted } from "../errors/names.js";
import { invalidOption, isList, typeOf, wrongValue } from "../errors/option-error.js";
import { nonEmptyText, timeout } from "../errors/option-readers.js";
import { readOptions } from "../errors/options.js";
import { member, ownValue } from "../json/own.js";
import type { GuardrailProvider, ResultGuardrail } from "../protocol/guardrail.js";
import type { Question } from "./ask.js";
import { type Guard, type GuardFacts, ProviderGuard } from "./guard.js";
import { refuseReserved, requireNamesApart } from "./guard-names.js";
import { meantAsEvaluate, refuseMisspellings } from "./member-names.js";

export type Guardrail = GuardrailProvider | ResultGuardrail;

/** The guards that core's own chains and combinators are made of. */
const guardsOf = new WeakMap<object, readonly Guard[]>();

/** On every composed provider, of whichever copy of this package. A spread copies it, too. */
const composition = Symbol.for("toolstile.composed");

/** On the guard of a live chain, of whichever copy of this package. */
export const livesOn = Symbol.for("toolstile.live");

/** Remembers the guards of a composed provider, so that chains around it can flatten it. */
export function remember<T extends object>(provider: T, guards: readonly Guard[]): T {
  const composed = Object.freeze({ ...provider, [composition]: true });
  guardsOf.set(composed, guards);
  return composed;
}

/**
 * Returns the flat list of guards that some guardrails are made of.
 *
 * @param where - the function that takes the list, for errors.
 * @throws ToolstileError for two of one name, for a value that is not a guardrail,
 * and for a member that looks like a misspelling.
 */
export function flatten(guardrails: readonly Guardrail[], where?: string): readonly Guard[] {
  const guards = guardsOfEach(guardrails, where).flat();
  requireNamesApart(guards);
  return guards;
}

/** Returns the guards that each of some guardrails is made of. @throws ToolstileError as `flatten` does, but not for names. */
export function guardsOfEach(
  guardrails: readonly Guardrail[],
  where?: string,
): readonly (readonly Guard[])[] {
  return entriesOf(guardrails, where).map(
    (each, index) =>
      guardsOf.get(each) ?? [guard(each, `Guardrail number ${index + 1} of the list`)],
  );
}

/** Returns the guards of one guardrail. @param where - the call that takes it, with its parameters, for errors: "withTimeout(guardrail, timeoutMs)". */
export function guardsIn(guardrail: Guardrail, where: string): readonly Guard[] {
  return guardsOf.get(guardrail) ?? [guard(guardrail, `${where}: the guardrail`)];
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for a value that is not a list, or a list that throws when it is read. */
export function entriesOf(
  guardrails: readonly Guardrail[],
  where = "Guardrails",
): readonly Guardrail[] {
  const subject = where === "Guardrails" ? "they" : "the guardrails";
  try {
    // flatMap() would skip a hole.
    if (isList(guardrails)) return Array.from(guardrails);
  } catch (cause) {
    throw invalidOption(where, `${subject} must be readable, and reading them threw.`, cause);
  }
  const expected = "a list, such as [allowAll()]";
  throw wrongValue("ERR_INVALID_OPTION", where, subject, expected, guardrails);
}

function guard(guardrail: Guardrail, subject: string): Guard {
  try {
    return readGuard(guardrail, subject);
  } catch (cause) {
    if (ToolstileError.isInstance(cause)) throw cause;
    const problem = `${subject} must be readable, and reading it threw.`;
    throw new ToolstileError("ERR_INVALID_PROVIDER", problem, { cause });
  }
}

function readGuard(guardrail: Guardrail, subject: string): Guard {
  if (typeof guardrail !== "object" || guardrail === null) {
    const uncalled =
      typeof guardrail === "function"
        ? " Was a factory passed uncalled? A function that decides goes under evaluate: { name, evaluate }."
        : "";
    throw new ToolstileError(
      "ERR_INVALID_PROVIDER",
      `${subject} must be an object with a name and evaluate(call), received ${typeOf(guardrail)}.${uncalled}`,
    );
  }
  refuseLiveChain(guardrail, subject);
  const name = member(guardrail, "name");
  if (typeof name !== "string" || name === "") {
    throw wrongValue("ERR_INVALID_PROVIDER", subject, "`name`", "a string that is not empty", name);
  }
  refuseReserved(name, "guardrails");
  if (Object.hasOwn(guardrail, composition)) {
    // Its parts cannot be seen, so which of them count and which are only shadowed is unknown.
    throw new ToolstileError(
      "ERR_INVALID_PROVIDER",
      `The guardrail ${quoted(name)} was composed by another copy of @toolstile/core, or copied. Install one copy, and pass on what chain(), shadow() and the like gave.`,
    );
  }
  refuseMisspellings(guardrail, name);
  const bound = (key: string): ((...args: never[]) => unknown) | undefined => {
    const value = member(guardrail, key);
    if (value === undefined) return undefined;
    if (typeof value !== "function") {
      const where = `Guardrail ${quoted(name)}`;
      throw wrongValue("ERR_INVALID_PROVIDER", where, `\`${key}\``, "a function", value);
    }
    // In AutoGen a guard is asked with (toolName, args). Here it would take the call for the name, and allow.
    const most = key === "evaluate" || key === "admit" ? 1 : Number.POSITIVE_INFINITY;
    if (value.length > most) {
      throw new ToolstileError(
        "ERR_INVALID_PROVIDER",
        `Guardrail ${quoted(name)}: \`${key}\` must take one argument, the call: ({ toolName, args }) => ….`,
      );
    }
    return value.bind(guardrail) as (...args: never[]) => unknown;
  };
  const evaluate = bound("evaluate") as Question | undefined;
  const evaluateResult = bound("evaluateResult") as Question | undefined;
  if (evaluate === undefined && evaluateResult === undefined) {
    throw new ToolstileError(
      "ERR_INVALID_PROVIDER",
      `The guardrail ${quoted(name)} has neither evaluate(call) nor evaluateResult(call, result).${meantAsEvaluate(guardrail)} Observers go under \`observers\`.`,
    );
  }
  const admit = bound("admit") as Question | undefined;
  const facts: GuardFacts = {
    name,
    counts: evaluate !== undefined,
    only: [],
    when: [],
    tools: toolNames(member(guardrail, "tools"), name),
    checksArguments: bound("checksArguments") as GuardFacts["checksArguments"],
    judgesPieces: bound("judgesPieces") as GuardFacts["judgesPieces"],
    register: bound("register") as GuardFacts["register"],
    settle: bound("settle") as GuardFacts["settle"],
    close: bound("close") as GuardFacts["close"],
  };
  return new ProviderGuard(
    facts,
    { call: evaluate, admit, result: evaluateResult },
    timeout().read(member(guardrail, "timeoutMs"), `The guardrail ${quoted(name)}`, "timeoutMs"),
  );
}

/** @throws ToolstileError for a live chain in a place where its guards could not be exchanged. */
function refuseLiveChain(guardrail: object, subject: string): void {
  const inside = ownValue(guardrail, "guardrail");
  if (typeof inside === "object" && inside !== null && livesOn in inside) {
    throw new ToolstileError(
      "ERR_INVALID_PROVIDER",
      `${subject} must be a guardrail, received the result of liveChain(). Pass its \`guardrail\`: [live.guardrail].`,
    );
  }
  // The mark may be inherited, as members may.
  if (!(livesOn in guardrail)) return;
  throw new ToolstileError(
    "ERR_INVALID_PROVIDER",
    `The live chain ${quoted(String(member(guardrail, "name")))} must stand directly among the guardrails of a runner of its own copy of @toolstile/core, not inside another guard. Wrap the guards in it instead.`,
  );
}

/** Reads the name that options give. @throws ToolstileError for another option, or for a name that is not text or is empty. */
export function givenName(where: string, options: { readonly name?: string }): string | undefined {
  const { name } = readOptions(where, options, { name: nonEmptyText() });
  refuseReserved(name, "guardrails");
  return name;
}

function toolNames(value: unknown, name: string): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((tool) => typeof tool === "string")) {
    const where = `Guardrail ${quoted(name)}`;
    throw wrongValue("ERR_INVALID_PROVIDER", where, "`tools`", "a list of tool names", value);
  }
  return [...value];
}
