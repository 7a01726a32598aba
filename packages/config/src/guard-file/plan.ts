import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import type { Approver } from "@toolstile/core";
import { canonicalJson, didYouMean, quoted } from "@toolstile/core/provider";
import { type Items, readYamlInParts } from "../yaml/read-parts.js";
import { Slices } from "../yaml/slices.js";
import { readText } from "../yaml/text-file.js";
import { type DeclaredTools, declaredTools } from "./declared-tools.js";
import { Faults } from "./faults.js";
import type { InspectGuardFileOptions } from "./guard-file.js";
import { type Planned, type PlannedGuard, Planning, type PreparedEntries } from "./planning.js";
import { wellFormed } from "./schema.js";
import { scopeOf } from "./scope.js";

/** A guard.yaml that was read and found right, as far as that can be told before anything is made. */
export interface Plan {
  readonly faults: Faults;
  readonly guards: readonly PlannedGuard[];
  readonly observers: readonly Planned[];
  readonly approver: Planned<Approver> | undefined;
  readonly agents: readonly string[];
  readonly mode: "enforce" | "shadow";
  /** The digest of all that is data. */
  readonly content: string;
  readonly policyVersion: string;
  readonly declared: DeclaredTools | undefined;
  readonly memory: PlanMemory;
}

/** The results that one reading of a file leaves to the next, which looks only at what has changed. */
export interface PlanMemory extends PreparedEntries {
  readonly items: Items;
}

const nothing: PlanMemory = { items: new Map(), guards: new Map(), observers: new Map() };

/**
 * @param read Where the files go that were read, also those of a file that is wrong.
 * @param before What an earlier reading of the same file left.
 * @throws GuardFileError with everything that is wrong.
 */
export async function planGuardFile(
  path: string,
  given: InspectGuardFileOptions,
  read: Set<string> = new Set(),
  before: PlanMemory = nothing,
): Promise<Plan> {
  const faults = new Faults(path);
  const slices = new Slices();
  read.add(resolve(path));
  const { data, items } = await readData(path, faults, slices, before.items);
  const file = await wellFormed(data, faults, slices, before);
  if (typeof file.tools === "string") read.add(resolve(dirname(path), file.tools));
  const declared = await declaredTools(file.tools, path, faults);
  const planning = new Planning(path, given, faults, slices, before);
  const guards = await planning.planGuards(file.guards, ["guards"], undefined);
  for (const [agent, entries] of file.agents) {
    for (const each of await planning.planGuards(entries, ["agents", agent, "guards"], agent))
      guards.push(each);
  }
  const observers = await planning.planObservers(file.observers);
  const approver = file.approver && (await planning.planApprover(file.approver));
  if (declared !== undefined) await checkScopes(guards, declared, faults, slices);
  faults.throwIfAny();
  const content = await contentOf(data, planning, declared, slices);
  return {
    faults,
    guards,
    observers,
    approver,
    agents: file.agents.map(([name]) => name),
    mode: file.mode,
    content,
    policyVersion: file.policyVersion ?? content,
    declared,
    memory: { items, guards: planning.guards, observers: planning.observers },
  };
}

/** @throws GuardFileError where there is nothing to read on with. */
async function readData(path: string, faults: Faults, slices: Slices, known: Items) {
  const read = await readText(path);
  if ("fault" in read) faults.add([], read.fault);
  const reading = "fault" in read ? undefined : await readYamlInParts(read.text, slices, known);
  const data = reading && faults.read(reading);
  if (data === null) {
    faults.add([], "it is empty. The least that it says: version: 1, and guards: with a list");
  }
  faults.throwIfAny();
  return { data, items: reading?.items ?? nothing.items };
}

/** The digest of a file that is right: of its data, of options with the values of environment variables, and of declared tools. */
async function contentOf(
  data: unknown,
  planning: Planning,
  declared: DeclaredTools | undefined,
  slices: Slices,
): Promise<string> {
  const hash = createHash("sha256");
  const add = async (texts: readonly string[]): Promise<void> => {
    for (let at = 0; at < texts.length; at += 512) {
      if (slices.isOver) await slices.pause();
      hash.update((at === 0 ? "[" : ",") + texts.slice(at, at + 512).join(","));
    }
    hash.update(texts.length === 0 ? "[]" : "]");
  };
  const object = async (
    members: unknown,
    add: (key: string, value: unknown) => unknown,
  ): Promise<void> => {
    let before = "{";
    for (const [key, value] of Object.entries(members as object).sort(byName)) {
      hash.update(`${before}${canonicalJson(key)}:`);
      await add(key, value);
      before = ",";
    }
    hash.update(before === "{" ? "{}" : "}");
  };
  const entries = (listed: unknown, prepared: Planning["guards"]): Promise<void> =>
    add((listed as readonly unknown[]).map((entry) => prepared.get(entry)?.text ?? ""));
  const section = (key: string, value: unknown): unknown => {
    if (key === "guards") return entries(value, planning.guards);
    if (key === "observers") return entries(value, planning.observers);
    if (key === "agents") return object(value, (_, agent) => object(agent, section));
    return hash.update(canonicalJson(value));
  };
  // The canonical text of the three in a list, made of the texts that are there already.
  hash.update("[");
  await object(data, section);
  hash.update(",");
  await add(planning.filled);
  hash.update(`,${canonicalJson(declared?.source ?? null)}]`);
  return `sha256:${hash.digest("hex")}`;
}

function byName([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}

/** Reports names in a scope that no tool has: the guard would never be asked about them. */
async function checkScopes(
  guards: readonly PlannedGuard[],
  { tools }: DeclaredTools,
  faults: Faults,
  slices: Slices,
): Promise<void> {
  const names = new Set(tools.map(({ name }) => name));
  for (const { path, entry } of guards) {
    if (slices.isOver) await slices.pause();
    for (const [index, tool] of (entry.tools ?? []).entries()) {
      if (
        typeof tool === "string" ? names.has(tool) : [...names].some(scopeOf({ tools: [tool] }))
      ) {
        continue;
      }
      const fault =
        typeof tool === "string"
          ? `no tool ${quoted(tool)} is declared.${didYouMean(tool, names)}`
          : "no tool is declared that the pattern matches";
      faults.add([...path, "tools", index], fault);
    }
  }
}
