import { invalidOption, wrongValue } from "../errors/option-error.js";
import { required } from "../errors/option-reader.js";
import { timeout } from "../errors/option-readers.js";
import { ownText } from "../json/own.js";
import type { GuardrailProvider } from "../protocol/guardrail.js";
import { composed, names } from "./compose.js";
import { type Guardrail, givenName, guardsIn } from "./define.js";
import type { Guard, Predicate } from "./guard.js";
import { longestToolPattern, patternDenies, ToolNames, type ToolPattern } from "./tool-names.js";
import { allow } from "./verdicts.js";

/** Allows every call. A runner without other guardrails needs it to run tools. */
export function allowAll(options: { readonly name?: string } = {}): GuardrailProvider {
  const name = givenName("allowAll()", options) ?? "allow-all";
  return Object.freeze({ name, evaluate: () => allow() });
}

/**
 * Limits a guardrail to some tools.
 *
 * For all other tools it does not exist, its `settle` included: a call that no
 * other guardrail judged is denied. A name that no tool has is an error when the runner is built. In
 * `{ pattern: "github_*" }` a wildcard matches every character, so that no call
 * is missed.
 */
export function forTools<Name extends string = string>(
  tools: readonly (Name | ToolPattern)[] | Iterable<Name | ToolPattern>,
  guardrail: Guardrail,
): GuardrailProvider {
  const scope = scopeOf(tools);
  return transparent("forTools", guardsIn(guardrail, "forTools(tools, guardrail)"), (guard) =>
    guard.with({
      only: [...guard.facts.only, scope],
      tools: [...guard.facts.tools, ...scope.names],
    }),
  );
}

function scopeOf(tools: unknown): ToolNames {
  const isIterable = typeof tools === "object" && tools !== null && Symbol.iterator in tools;
  const all: readonly unknown[] = isIterable ? [...(tools as Iterable<unknown>)] : [];
  const names = all.filter((each) => typeof each === "string");
  const patterns = all.map(patternOf).filter((pattern) => pattern !== undefined);
  if (all.length === 0 || names.length + patterns.length < all.length) {
    const tool = all.find((each) => ownText(each, "name") !== undefined);
    if (tool !== undefined) {
      throw invalidOption(
        "forTools()",
        "it takes the names of tools, received a tool. Write tool.name.",
      );
    }
    const expected = 'a list of tool names that is not empty, or of { pattern: "github_*" }';
    throw wrongValue("ERR_INVALID_OPTION", "forTools()", "the first argument", expected, tools);
  }
  return new ToolNames(new Set(names), patterns, patternDenies);
}

function patternOf(rule: unknown): string | undefined {
  const pattern = typeof rule === "string" ? undefined : ownText(rule, "pattern");
  return pattern !== undefined && pattern.length <= longestToolPattern ? pattern : undefined;
}

/**
 * Limits a guardrail to some calls.
 *
 * The condition is asked again for the arguments of each question, and must
 * answer `true` or `false` at once; anything else, a promise too, denies. The
 * guardrail's `settle` is told of every call.
 */
export function when(condition: Predicate, guardrail: Guardrail): GuardrailProvider {
  if (typeof condition !== "function") {
    const expected = "a function, call => boolean";
    throw wrongValue("ERR_INVALID_OPTION", "when()", "the condition", expected, condition);
  }
  return transparent("when", guardsIn(guardrail, "when(condition, guardrail)"), (guard) =>
    guard.with({ when: [...guard.facts.when, condition] }),
  );
}

/** Gives a guardrail another deadline, in milliseconds, for each of its answers. `Infinity` means no deadline. */
export function withTimeout(guardrail: Guardrail, timeoutMs: number): GuardrailProvider {
  const guards = guardsIn(guardrail, "withTimeout(guardrail, timeoutMs)");
  const checked = required(timeout()).read(timeoutMs, "withTimeout()", "timeoutMs");
  return transparent("withTimeout", guards, (guard) => guard.within(checked));
}

/**
 * Marks a guardrail that several runners have: none of them closes it.
 *
 * The code that made it closes it, when no runner asks it any more.
 */
export function shared(guardrail: Guardrail): GuardrailProvider {
  return transparent("shared", guardsIn(guardrail, "shared()"), (guard) =>
    guard.with({ close: undefined }),
  );
}

function transparent(
  kind: string,
  inner: readonly Guard[],
  change: (guard: Guard) => Guard,
): GuardrailProvider {
  const guards = inner.map(change);
  return composed(`${kind}(${names(guards)})`, guards);
}
