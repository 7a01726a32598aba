import type {
  Guardrail,
  JsonObject,
  ToolDefinition,
  ToolObserver,
  ToolRunnerOptions,
} from "@toolstile/core";
import { member } from "@toolstile/core/host";
import { type Path, pathText } from "../yaml/path.js";
import { closeAll, closeQuietly } from "./closing.js";
import type { Faults } from "./faults.js";
import type {
  GuardFile,
  InspectedGuard,
  LoadedGuard,
  LoadGuardFileOptions,
  OptionPlace,
} from "./guard-file.js";
import { type Made, type MadeGuards, makeGuards, makeObservers } from "./made.js";
import { loadOptions } from "./options.js";
import { type Plan, planGuardFile } from "./plan.js";
import type { PlannedGuard } from "./planning.js";

/**
 * Read a guard.yaml and load all that it names.
 *
 * Loading runs the code of the plugins: a guard.yaml is trusted as code is.
 *
 * @throws GuardFileError `ERR_CONFIG` with everything that is wrong, each with
 *   its file, line, column and path. Nothing of such a file is in force.
 */
export async function loadGuardFile(
  path: string,
  options: LoadGuardFileOptions = {},
): Promise<GuardFile> {
  const plan = await planGuardFile(path, loadOptions("loadGuardFile()", path, options));
  const made = await makeGuards(plan);
  const observers = await observersBeside(made, plan);
  return new LoadedFile(plan, made, observers, made.guardrails);
}

/** The content of a guard.yaml and its guards, without observers. */
export interface InspectedGuardFile
  extends Omit<GuardFile, "observers" | "runnerOptions" | "guards"> {
  readonly guards: readonly InspectedGuard[];
}

/**
 * Read a guard.yaml as `loadGuardFile` does, but open no observer: for those
 * who look at it and run nothing.
 *
 * @throws GuardFileError
 */
export async function inspectGuardFile(
  path: string,
  options: LoadGuardFileOptions = {},
): Promise<InspectedGuardFile> {
  const plan = await planGuardFile(path, loadOptions("inspectGuardFile()", path, options));
  const made = await makeGuards(plan);
  return new InspectedFile(plan, made);
}

/** The observers, or nothing at all: guards without them are closed again. */
export async function observersBeside(
  { fresh }: MadeGuards,
  plan: Plan,
): Promise<readonly Made<ToolObserver>[]> {
  try {
    return await makeObservers(plan);
  } catch (error) {
    await closeQuietly(fresh);
    throw error;
  }
}

/** A loaded file, as its users see it. */
export class LoadedFile implements GuardFile {
  readonly guardrails: readonly Guardrail[];
  readonly observers: readonly ToolObserver[];
  readonly #owned: readonly ToolObserver[];
  #plan: Plan;
  #made: MadeGuards;
  #closing: Promise<void> | undefined;

  /** @param guardrails What stands for the guards that were made. */
  constructor(
    plan: Plan,
    made: MadeGuards,
    observers: readonly Made<ToolObserver>[],
    guardrails: readonly Guardrail[],
  ) {
    this.#plan = plan;
    this.#made = made;
    this.#owned = observers.map(({ product }) => product);
    this.guardrails = Object.freeze([...guardrails]);
    this.observers = Object.freeze(this.#owned.map(withoutClose));
  }

  get guards(): readonly LoadedGuard[] {
    return this.#made.guards;
  }

  get agents(): readonly string[] {
    return this.#plan.agents;
  }

  get mode(): "enforce" | "shadow" {
    return this.#plan.mode;
  }

  get policyVersion(): string {
    return this.#plan.policyVersion;
  }

  get tools(): readonly ToolDefinition[] | undefined {
    return this.#plan.declared?.tools;
  }

  runnerOptions(): Omit<ToolRunnerOptions, "tools"> {
    const { guardrails, observers, policyVersion } = this;
    return { guardrails, observers, policyVersion };
  }

  close(): Promise<void> {
    this.#closing ??= this.shutDown();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  protected shutDown(): Promise<void> {
    return closeAll([...this.#made.made.map(({ product }) => product), ...this.#owned]);
  }

  protected get inForce(): { readonly plan: Plan; readonly made: MadeGuards } {
    return { plan: this.#plan, made: this.#made };
  }

  protected set inForce({ plan, made }: { readonly plan: Plan; readonly made: MadeGuards }) {
    this.#plan = plan;
    this.#made = made;
  }
}

/** Several runners may tell it: none of them closes it for the others. */
function withoutClose(observer: ToolObserver): ToolObserver {
  const members = ["name", "required", "timeoutMs", "intent", "settle"].map((key) => {
    const value = member(observer, key);
    return [key, typeof value === "function" ? value.bind(observer) : value];
  });
  return Object.freeze(Object.fromEntries(members));
}

/** A loaded file with the options of its guards. */
class InspectedFile extends LoadedFile implements InspectedGuardFile {
  readonly #guards: readonly InspectedGuard[];

  constructor(plan: Plan, made: MadeGuards) {
    super(plan, made, [], made.guardrails);
    // Of a file that is right, one guard was made of each entry.
    this.#guards = made.guards.map((guard, index) =>
      inspected(guard, plan.guards[index] as PlannedGuard, plan.faults),
    );
  }

  override get guards(): readonly InspectedGuard[] {
    return this.#guards;
  }
}

function inspected(guard: LoadedGuard, { path, filled }: PlannedGuard, { locate }: Faults) {
  const options = (JSON.parse(filled) ?? {}) as JsonObject;
  const placeOf = (within: Path): OptionPlace => {
    const whole = [...path, "with", ...within];
    return { path: pathText(whole), ...locate(whole) };
  };
  return Object.freeze({ ...guard, options, placeOf });
}
