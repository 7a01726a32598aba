import type {
  Approver,
  Guardrail,
  JsonObject,
  ToolDefinition,
  ToolObserver,
  ToolRunnerOptions,
} from "@toolstile/core";
import type { ReadableApprover } from "@toolstile/core/host";
import { member } from "@toolstile/core/provider";
import { type Path, pathText } from "../yaml/path.js";
import { closeAll, closeQuietly } from "./closing.js";
import type { Faults } from "./faults.js";
import type {
  GuardFile,
  InspectedGuard,
  InspectGuardFileOptions,
  LoadedGuard,
  LoadGuardFileOptions,
  OptionPlace,
} from "./guard-file.js";
import { type MadeCompanions, type MadeGuards, makeCompanions, makeGuards } from "./made.js";
import { inspectOptions, loadOptions } from "./options.js";
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
  const companions = await companionsOf(made, plan);
  return new LoadedFile(plan, made, companions, made.guardrails);
}

/** The content of a guard.yaml and its guards, without observers and approver. */
export interface InspectedGuardFile
  extends Omit<GuardFile, "observers" | "approver" | "runnerOptions" | "guards"> {
  readonly guards: readonly InspectedGuard[];
  /** The `use` of the approver that the file names, if it does. */
  readonly approverUse: string | undefined;
}

/**
 * Read a guard.yaml as `loadGuardFile` does, but open no observer and no
 * approver: for those who look at it and run nothing.
 *
 * @throws GuardFileError
 */
export async function inspectGuardFile(
  path: string,
  options: InspectGuardFileOptions = {},
): Promise<InspectedGuardFile> {
  const plan = await planGuardFile(path, inspectOptions("inspectGuardFile()", path, options));
  const made = await makeGuards(plan);
  return new InspectedFile(plan, made);
}

/** The observers and the approver, or nothing at all: guards without them are closed again. */
export async function companionsOf({ fresh }: MadeGuards, plan: Plan): Promise<MadeCompanions> {
  try {
    return await makeCompanions(plan);
  } catch (error) {
    await closeQuietly(fresh);
    throw error;
  }
}

/** A loaded file, as its users see it. */
export class LoadedFile implements GuardFile {
  readonly guardrails: readonly Guardrail[];
  readonly observers: readonly ToolObserver[];
  readonly approver: ReadableApprover | undefined;
  readonly #owned: readonly (ToolObserver | Approver)[];
  #plan: Plan;
  #made: MadeGuards;
  #closing: Promise<void> | undefined;

  /** @param guardrails What stands for the guards that were made. */
  constructor(
    plan: Plan,
    made: MadeGuards,
    { observers, approver }: MadeCompanions,
    guardrails: readonly Guardrail[],
  ) {
    this.#plan = plan;
    this.#made = made;
    this.#owned = approver === undefined ? observers : [...observers, approver];
    this.guardrails = Object.freeze([...guardrails]);
    this.observers = Object.freeze(
      observers.map((observer) => withoutClose(observer, membersOfObserver)),
    );
    this.approver = approver && withoutClose(approver, membersOfApprover);
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
    const { guardrails, observers, approver, policyVersion } = this;
    return { guardrails, observers, ...(approver && { approver }), policyVersion };
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

const membersOfObserver = ["name", "required", "timeoutMs", "intent", "settle"];
/** Those of a `ReadableApprover` of `@toolstile/core/host`. */
const membersOfApprover = ["name", "ask", "recall", "consume", "read", "list", "find", "withdraw"];

/** Several runners may have it: none of them closes it for the others. */
function withoutClose<Product extends object>(product: Product, names: readonly string[]): Product {
  const members = names.map((key) => {
    const value = member(product, key);
    return [key, typeof value === "function" ? value.bind(product) : value];
  });
  return Object.freeze(Object.fromEntries(members));
}

/** A loaded file with the options of its guards. */
class InspectedFile extends LoadedFile implements InspectedGuardFile {
  readonly approverUse: string | undefined;
  readonly #guards: readonly InspectedGuard[];

  constructor(plan: Plan, made: MadeGuards) {
    super(plan, made, { observers: [], approver: undefined }, made.guardrails);
    this.approverUse = plan.approver?.use;
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
