import type { LoadedGuard } from "@toolstile/config";
import type { ToolDefinition } from "@toolstile/core";
import { didYouMean, quoted } from "@toolstile/core/host";
import { reasonOf } from "../terminal/file-error.js";
import {
  type Asker,
  covers,
  type InspectedGuard,
  type Inspection,
  namesOf,
  scopeNamesOf,
} from "./inspection.js";

export type FindingKind = "unknown_tool" | "refused_tool" | "denies_everything" | "dead_guard";

/** Something that is probably not meant. */
export interface Finding {
  readonly kind: FindingKind;
  /** The place of the guard in the file. Absent for a finding about a tool. */
  readonly path?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly message: string;
}

/** @param declared Whether these are the tools that there are, and not only those that guards name. */
export function findingsOf(
  inspection: Inspection,
  tools: readonly ToolDefinition[],
  declared: boolean,
): readonly Finding[] {
  const { guards, refusals } = inspection;
  const names = tools.map(({ name }) => name);
  return [
    ...(declared ? guards.flatMap(({ guard }) => unknownTools(guard, names)) : []),
    ...refusals.map(({ tool, refusedBy, cause }): Finding => {
      const by = refusedBy === "core" ? "" : `, by ${quoted(refusedBy)}`;
      const message = `the tool ${quoted(tool)} would be refused${by}: ${reasonOf(cause)}`;
      return { kind: "refused_tool", message };
    }),
    ...(declared ? guards.flatMap((each) => deniesEverything(each, names, inspection)) : []),
    ...guards.flatMap((_, index) => deadGuard(inspection, index, names)),
  ];
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
