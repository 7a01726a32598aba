import { dirname, resolve } from "node:path";
import { canonicalJson, didYouMean, quoted } from "@toolstile/core";
import { digest } from "@toolstile/core/digest";
import type { Create } from "../create-from-plugin.js";
import { preparePlugin } from "../load-plugin.js";
import { type DeclaredTools, declaredTools } from "./declared-tools.js";
import { withEnvironment } from "./environment.js";
import { Faults, type Path, type Position, pathText } from "./faults.js";
import { readText } from "./file-text.js";
import type { LoadGuardFileOptions } from "./guard-file.js";
import { type GuardEntry, type ObserverEntry, type Placed, wellFormed } from "./schema.js";
import { readYaml } from "./yaml-document.js";

/** Something that the file names, found and its options checked, and not made yet. */
export interface Planned {
  readonly path: Path;
  readonly position: Position | undefined;
  readonly use: string;
  /** Equal where the same plugin is meant with the same options. */
  readonly key: string;
  readonly create: Create;
}

export interface PlannedGuard extends Planned {
  readonly agent: string | undefined;
  readonly entry: GuardEntry;
}

/** A guard.yaml that was read and found right, as far as that can be told before anything is made. */
export interface Plan {
  readonly faults: Faults;
  readonly guards: readonly PlannedGuard[];
  readonly observers: readonly Planned[];
  readonly agents: readonly string[];
  readonly mode: "enforce" | "shadow";
  /** The digest of all that is data. */
  readonly content: string;
  readonly policyVersion: string;
  readonly declared: DeclaredTools | undefined;
}

/**
 * @param read Where the files go that were read, also those of a file that is wrong.
 * @throws GuardFileError with everything that is wrong.
 */
export async function planGuardFile(
  path: string,
  given: LoadGuardFileOptions,
  read: Set<string> = new Set(),
): Promise<Plan> {
  const faults = new Faults(path);
  read.add(resolve(path));
  const data = await readData(path, faults);
  const file = wellFormed(data, faults);
  if (typeof file.tools === "string") read.add(resolve(dirname(path), file.tools));
  const declared = await declaredTools(file.tools, path, faults);
  const planning = new Planning(path, given, faults);
  const guards = await planning.guards(file.guards, ["guards"], undefined);
  for (const [agent, entries] of file.agents) {
    guards.push(...(await planning.guards(entries, ["agents", agent, "guards"], agent)));
  }
  const observers = await planning.all(file.observers, ["observers"]);
  if (declared !== undefined) checkScopes(guards, declared, faults);
  faults.throwIfAny();
  const content = `sha256:${digest([data, planning.filled, declared?.source ?? null])}`;
  return {
    faults,
    guards,
    observers: observers.map(([planned]) => planned),
    agents: file.agents.map(([name]) => name),
    mode: file.mode,
    content,
    policyVersion: file.policyVersion ?? content,
    declared,
  };
}

/** @throws GuardFileError where there is nothing to read on with. */
async function readData(path: string, faults: Faults): Promise<unknown> {
  const read = await readText(path);
  if ("fault" in read) faults.add([], read.fault);
  const data = "fault" in read ? undefined : readYaml(read.text, faults);
  if (data === null) {
    faults.add([], "it is empty. The least that it says: version: 1, and guards: with a list");
  }
  faults.throwIfAny();
  return data;
}

class Planning {
  /** The options of each entry as they are with the values of environment variables. */
  readonly filled: unknown[] = [];
  readonly #base: string;
  readonly #options: LoadGuardFileOptions;
  readonly #faults: Faults;

  constructor(path: string, options: LoadGuardFileOptions, faults: Faults) {
    this.#base = dirname(resolve(path));
    this.#options = options;
    this.#faults = faults;
  }

  async guards(
    entries: readonly Placed<GuardEntry>[],
    at: Path,
    agent: string | undefined,
  ): Promise<PlannedGuard[]> {
    const planned = await this.all(entries, at);
    return planned.map(([each, entry]) => ({ ...each, agent, entry }));
  }

  async all<Entry extends ObserverEntry>(
    entries: readonly Placed<Entry>[],
    at: Path,
  ): Promise<(readonly [Planned, Entry])[]> {
    const all: (readonly [Planned, Entry])[] = [];
    for (const [index, entry] of entries) {
      const planned = await this.plan(entry, [...at, index]);
      if (planned !== undefined) all.push([planned, entry]);
    }
    return all;
  }

  async plan(entry: ObserverEntry, path: Path): Promise<Planned | undefined> {
    const faults = this.#faults;
    const found = faults.list.length;
    const { use } = entry;
    const environment = this.#options.env ?? process.env;
    const given = withEnvironment(entry.with, environment, [...path, "with"], faults);
    this.filled.push(given ?? null);
    if (faults.list.length > found) return undefined;
    try {
      const create = await preparePlugin(
        { use, with: given as never },
        { base: this.#base, where: pathText(path), import: this.#options.import },
      );
      const key = canonicalJson([use, given ?? {}]);
      return { path, position: faults.locate(path), use, key, create };
    } catch (error) {
      faults.addError(path, error);
      return undefined;
    }
  }
}

/** A scope that names a tool which nobody declares is a guard that is off. */
function checkScopes(
  guards: readonly PlannedGuard[],
  { tools }: DeclaredTools,
  faults: Faults,
): void {
  const names = new Set(tools.map(({ name }) => name));
  for (const { path, entry } of guards) {
    for (const [index, tool] of (entry.tools ?? []).entries()) {
      if (names.has(tool)) continue;
      const hint = didYouMean(tool, names);
      faults.add([...path, "tools", index], `no tool ${quoted(tool)} is declared.${hint}`);
    }
  }
}
