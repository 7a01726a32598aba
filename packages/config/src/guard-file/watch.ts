import { resolve } from "node:path";
import { type Guardrail, type LiveChain, liveChain, ToolstileError } from "@toolstile/core";
import { className } from "../plugins/plugin-module.js";
import { closeAll, closeQuietly } from "./closing.js";
import { GuardFileError } from "./faults.js";
import { FileChanges, standing } from "./file-change.js";
import type { GuardFile, GuardFileEvent, WatchGuardFileOptions } from "./guard-file.js";
import { companionsOf, LoadedFile } from "./load.js";
import { checkTogether, type MadeCompanions, type MadeGuards, makeGuards } from "./made.js";
import { type WatchOptions, watchOptions } from "./options.js";
import { type Plan, planGuardFile } from "./plan.js";

export interface WatchedGuardFile extends GuardFile {
  /** Reads the file now. The result is also reported to `onReload`, except `unchanged`. */
  readonly reload: () => Promise<GuardFileEvent | { readonly status: "unchanged" }>;
}

/**
 * Load a guard.yaml, and again whenever it changes.
 *
 * Runners keep the `guardrails` that they were given. A change is in force for
 * all of them at once, between two calls, or is refused whole: calls under way
 * end under the rules, and with the policy version, that they began with. A
 * guard whose `use` and `with` are as before stays the same, with all that it
 * has counted. Observers, the approver and code change only with a restart.
 *
 * @throws GuardFileError as `loadGuardFile` does.
 */
export async function watchGuardFile(
  path: string,
  options: WatchGuardFileOptions,
): Promise<WatchedGuardFile> {
  const where = "watchGuardFile()";
  const given = watchOptions(where, path, options);
  const files = new Set<string>();
  const known = await standing([resolve(path)]);
  const plan = await planGuardFile(path, given, files);
  const made = await makeGuards(plan);
  const companions = await companionsOf(made, plan);
  return new WatchedFile({ path, options: given, files, known }, plan, made, companions);
}

interface Watching {
  readonly path: string;
  readonly options: WatchOptions;
  readonly files: ReadonlySet<string>;
  /** The state of the file before it was read. */
  readonly known: string;
}

interface Dropped {
  readonly retired: Promise<void>;
  readonly dropped: readonly Guardrail[];
}

class WatchedFile extends LoadedFile implements WatchedGuardFile {
  readonly #path: string;
  readonly #options: WatchOptions;
  readonly #live: LiveChain;
  readonly #changes: FileChanges;
  /** Those that are looked at. */
  #files: ReadonlySet<string>;
  #filesInForce: ReadonlySet<string>;
  /** One after the other: the reload that began first must not end last. */
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(
    { path, options, files, known }: Watching,
    plan: Plan,
    made: MadeGuards,
    companions: MadeCompanions,
  ) {
    const { policyVersion } = plan;
    const live = liveChain(made.guardrails, { name: "guard.yaml", policyVersion });
    super(plan, made, companions, [live.guardrail]);
    this.#path = path;
    this.#options = options;
    this.#files = files;
    this.#filesInForce = files;
    this.#live = live;
    const { clock, intervalMs } = options;
    this.#changes = new FileChanges(
      () => [...this.#files],
      async () => void (await this.reload()),
      { intervalMs, clock, known },
    );
  }

  protected override async shutDown(): Promise<void> {
    this.#closed = true;
    this.#changes.stop();
    await this.#turn;
    await super.shutDown();
  }

  reload(): Promise<GuardFileEvent | { readonly status: "unchanged" }> {
    const turn = this.#turn.then(() => this.#load());
    this.#turn = turn;
    return turn;
  }

  async #load(): Promise<GuardFileEvent | { readonly status: "unchanged" }> {
    if (this.#closed) return { status: "unchanged" };
    try {
      const files = new Set<string>();
      const { memory } = this.inForce.plan;
      const plan = await planGuardFile(this.#path, this.#options, files, memory).finally(() => {
        // Not those of all wrong files that ever were.
        this.#files = new Set([...this.#filesInForce, ...files]);
      });
      const before = this.inForce.plan;
      if (plan.content === before.content) {
        // The same guards, at places that may be others.
        this.inForce = { plan, made: await makeGuards(plan, this.inForce.made.made) };
        return { status: "unchanged" };
      }
      refuseWhatCannotChange(plan, before);
      const { retired, dropped } = await this.#exchange(plan);
      this.#files = files;
      this.#filesInForce = files;
      const event = this.#tell({ status: "reloaded", policyVersion: plan.policyVersion });
      void retired.then(() => this.#closeDropped(dropped));
      return event;
    } catch (error) {
      return this.#tell({ status: "refused", error: explained(error, this.#path) });
    }
  }

  /** @returns the guards that are used no longer once calls under way are over. */
  async #exchange(plan: Plan): Promise<Dropped> {
    const before = this.inForce.made.made;
    const made = await makeGuards(plan, before);
    const { policyVersion } = plan;
    try {
      const { retired } = this.#live.replace(made.guardrails, { policyVersion });
      this.inForce = { plan, made };
      const kept = new Set(made.made.map(({ product }) => product));
      const dropped = before.map(({ product }) => product).filter((each) => !kept.has(each));
      return { retired, dropped };
    } catch (error) {
      await closeQuietly(made.fresh);
      checkTogether(made.guardrails, plan);
      plan.faults.throwIfAny();
      if (!ToolstileError.isInstance(error)) throw error;
      const message = `a runner that has these guards cannot take the new ones: ${error.message}`;
      throw new GuardFileError([{ file: this.#path, path: "", message }], { cause: error });
    }
  }

  async #closeDropped(dropped: readonly Guardrail[]): Promise<void> {
    try {
      await closeAll(dropped);
    } catch (error) {
      this.#tell({ status: "unclosed", error });
    }
  }

  #tell(event: GuardFileEvent): GuardFileEvent {
    try {
      Promise.resolve(this.#options.onReload(event)).catch(() => {});
    } catch {
      // What a listener does wrong changes nothing, now or later.
    }
    return event;
  }
}

/** A plugin may throw anything, and its words may quote an option. */
function explained(error: unknown, file: string): ToolstileError {
  if (ToolstileError.isInstance(error)) return error;
  const message = `cannot be loaded: ${className(error)}`;
  return new GuardFileError([{ file, path: "", message }], { cause: error });
}

/** @throws GuardFileError */
function refuseWhatCannotChange(plan: Plan, before: Plan): void {
  const { faults } = plan;
  const keys = (of: Plan): string => of.observers.map(({ key }) => key).join("\n");
  if (keys(plan) !== keys(before)) {
    faults.add(["observers"], "cannot change while runners are at work: restart for it");
  }
  if (plan.approver?.key !== before.approver?.key) {
    faults.add(["approver"], "cannot change while runners are at work: restart for it");
  }
  if (plan.policyVersion === before.policyVersion) {
    faults.add(
      ["policyVersion"],
      "is that of the rules in force, which are others: records could not be told apart",
    );
  }
  faults.throwIfAny();
}
