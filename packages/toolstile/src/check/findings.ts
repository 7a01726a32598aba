import type { LoadedGuard, OptionPlace } from "@toolstile/config";
import type { ToolDefinition } from "@toolstile/core";
import type { RefusedTool } from "@toolstile/core/host";
import { didYouMean, quoted } from "@toolstile/core/provider";
import type { RuleFinding } from "@toolstile/rules/analysis";
import { namesOf } from "../policy/policy-runner.js";
import type { RulePlaces } from "../policy/rule-places.js";
import { isUnchecked, uncheckedWords } from "../policy/unchecked.js";
import { reasonOf } from "../terminal/file-error.js";
import {
  type Asker,
  covers,
  type InspectedGuard,
  type Inspection,
  scopeNamesOf,
} from "./inspection.js";
import type { TriedCall } from "./trial.js";

export type FindingKind =
  | "unknown_tool"
  | "refused_tool"
  | "denies_everything"
  | "dead_guard"
  | "dead_rule"
  | RuleFinding["kind"]
  | "unexpected";

/** Something that is probably not meant. */
export interface Finding {
  readonly kind: FindingKind;
  /** The place of the guard or the rule in the file. Absent for a finding about a tool or a sample. */
  readonly path?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** The sample call that the finding is about. */
  readonly sample?: string | undefined;
  readonly message: string;
}

/** @param declared Whether these are the tools that there are, and not only those that guards name. */
export function findingsOf(
  inspection: Inspection,
  tools: readonly ToolDefinition[],
  declared: boolean,
  places: RulePlaces,
): readonly Finding[] {
  const { guards, refusals } = inspection;
  const names = tools.map(({ name }) => name);
  return [
    ...(declared ? guards.flatMap(({ guard }) => unknownTools(guard, names)) : []),
    ...uncheckedTools(refusals),
    ...refusedTools(
      refusals.filter(({ cause }) => !isUnchecked(cause)),
      places,
    ),
    ...(declared ? guards.flatMap((each) => deniesEverything(each, names, inspection)) : []),
    ...guards.flatMap((_, index) => deadGuard(inspection, index, names)),
  ];
}

/** What is missing is one thing for all of them, and it is written in the file. */
function uncheckedTools(refusals: readonly RefusedTool[]): readonly Finding[] {
  const names = refusals.filter(({ cause }) => isUnchecked(cause)).map(({ name }) => quoted(name));
  if (names.length === 0) return [];
  return [{ kind: "refused_tool", message: uncheckedWords(names) }];
}

/** Says once what is wrong for several tools in the same words. */
function refusedTools(refusals: readonly RefusedTool[], places: RulePlaces): readonly Finding[] {
  const alike = new Map<string, { readonly cause: Cause; readonly names: string[] }>();
  for (const refusal of refusals) {
    for (const cause of causesOf(refusal, places)) {
      const key = JSON.stringify(cause);
      const names = alike.get(key)?.names ?? [];
      alike.set(key, { cause, names });
      names.push(quoted(refusal.name));
    }
  }
  return [...alike.values()].map(({ cause: { by, text, place }, names }) => {
    const tools = `the tool${names.length === 1 ? "" : "s"} ${names.join(", ")}`;
    const which = names.length === 1 ? tools : "each of them";
    const message = `${tools} would be refused${by}: ${text.replaceAll(itself, which)}`;
    return { kind: "refused_tool", ...place, message };
  });
}

/** A cause of a tool's refusal. */
interface Cause {
  readonly by: string;
  /** The words of the cause, in which `itself` stands for the tool. */
  readonly text: string;
  readonly place: OptionPlace | undefined;
}

const itself = "\0";

function causesOf({ name, refusedBy, cause }: RefusedTool, places: RulePlaces): readonly Cause[] {
  const by = refusedBy === "core" ? "" : `, by ${quoted(places.guardOf(refusedBy))}`;
  const faults = places.faultsOf(refusedBy, cause);
  const all = faults.length === 0 ? [{ place: undefined, text: reasonOf(cause) }] : faults;
  return all.map(({ place, text }) => ({
    by,
    text: text.replaceAll(`the tool ${quoted(name)}`, itself),
    place,
  }));
}

/**
 * @param deciders The names of the guards and rules that there are.
 * @returns the finding that a sample came out otherwise than was expected, if it did.
 */
export function unexpected(
  { from, tool, verdict, rulings, expect, by, isExpected }: TriedCall,
  deciders: readonly string[],
): readonly Finding[] {
  if (isExpected) return [];
  const wanted = [expect?.join(" or "), by === undefined ? undefined : `by ${quoted(by)}`];
  const decider = rulings.find(({ shadow }) => !shadow);
  const decided = decider === undefined ? "" : ` by ${decidersOf(decider).map(quoted).join(", ")}`;
  const message = `a call of ${quoted(tool)} must be decided as ${wanted.filter((each) => each !== undefined).join(" ")}, and is decided as ${verdict}${decided}${noSuch(by, deciders)}`;
  return [{ kind: "unexpected", sample: from, message }];
}

function noSuch(by: string | undefined, deciders: readonly string[]): string {
  if (by === undefined || deciders.includes(by)) return "";
  return `. No guard and no rule is named ${quoted(by)}.${didYouMean(by, deciders)}`;
}

/**
 * @returns the finding that a sample calls a tool which is not declared and reads like one that is,
 * unless it is about just that: it names who must deny it.
 */
export function misspelt(
  { from, tool, expect, by, isExpected }: TriedCall,
  tools: readonly ToolDefinition[],
): readonly Finding[] {
  const isDenialMeant = by !== undefined && expect?.every((verdict) => verdict === "deny");
  if (isDenialMeant === true && isExpected) return [];
  const names = tools.map(({ name }) => name);
  const hint = names.includes(tool) ? "" : didYouMean(tool, names);
  if (hint === "") return [];
  const message = `calls the tool ${quoted(tool)}, which does not exist.${hint}`;
  return [{ kind: "unknown_tool", sample: from, message }];
}

/** The rules that decided, or else the guard. */
function decidersOf({ guard, rules }: TriedCall["rulings"][number]): readonly string[] {
  return rules.length === 0 ? [guard] : rules.map(({ id }) => id);
}

function unknownTools(guard: LoadedGuard, names: readonly string[]): readonly Finding[] {
  const meant = new Set([...scopeNamesOf(guard), ...namesOf(guard.guardrail)]);
  return [...meant]
    .filter((name) => !names.includes(name))
    .map((name) =>
      at(
        guard,
        "unknown_tool",
        `is for a tool ${quoted(name)}, which does not exist.${didYouMean(name, names)}`,
      ),
    );
}

function deniesEverything(
  each: InspectedGuard,
  names: readonly string[],
  { askers }: Inspection,
): readonly Finding[] {
  if (each.guard.mode === "shadow" || names.length === 0) return [];
  const denies = askers.every((asker) =>
    names.every((name) => each.denialOf(name, asker) !== undefined),
  );
  return denies
    ? [at(each.guard, "denies_everything", "denies every call to every tool that there is")]
    : [];
}

function deadGuard(
  { guards, askers }: Inspection,
  index: number,
  names: readonly string[],
): readonly Finding[] {
  const { guard, judgesCalls } = guards[index] as InspectedGuard;
  const before = guards.slice(0, index).filter((each) => each.guard.mode === "enforce");
  const calls: [string, Asker][] = askers.flatMap((asker) =>
    names
      .filter((name) => covers(guard, name, asker))
      .map((name): [string, Asker] => [name, asker]),
  );
  if (!judgesCalls || calls.length === 0) return [];
  const deniers = calls.map(([name, asker]) =>
    before.find((each) => each.denialOf(name, asker) !== undefined),
  );
  if (deniers.includes(undefined)) return [];
  const by = [...new Set(deniers.map((each) => quoted(each?.guard.name ?? "")))].join(" and ");
  return [
    at(guard, "dead_guard", `is never asked: ${by} before it denies every call that it is for`),
  ];
}

function at(guard: LoadedGuard, kind: FindingKind, message: string): Finding {
  const { path, line, column, name } = guard;
  return { kind, path, line, column, message: `${quoted(name)} ${message}` };
}
