import { resolve } from "node:path";
import {
  type Clock,
  type Guardrail,
  type LiveChain,
  liveChain,
  type ToolObserver,
  ToolstileError,
} from "@toolstile/core";
import { className } from "../plugin-module.js";
import { GuardFileError } from "./faults.js";
import { FileChanges, standing } from "./file-change.js";
import type { GuardFile, LoadGuardFileOptions } from "./guard-file.js";
import { LoadedFile, observersBeside } from "./load.js";
import { closeAll, closeQuietly, type Made, type MadeGuards, makeGuards } from "./made.js";
import { checkedOptions } from "./options.js";
import { type Plan, planGuardFile } from "./plan.js";

/** What became of a change of the file. */
export type GuardFileEvent =
  /** The new rules are in force, for every call that begins from now on. */
  | { readonly status: "reloaded"; readonly policyVersion: string }
  /** Nothing of the file as it is now is in force; the rules of before are. */
  | { readonly status: "refused"; readonly error: ToolstileError }
  /** A guard that is used no longer could not be closed. */
  | { readonly status: "unclosed"; readonly error: unknown };

export interface WatchGuardFileOptions extends LoadGuardFileOptions {
  /** Told of every change of the file, and of what became of it. */
  readonly onReload: (event: GuardFileEvent) => void;
  /** Milliseconds between two looks at the file, of which two in a row must see the same. `Infinity`: only `reload()` looks. Default 1,000. */
  readonly intervalMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

export interface WatchedGuardFile extends GuardFile {
  /** Look at the file now. What came of it is told to `onReload` also; `unchanged` is told to nobody else. */
  readonly reload: () => Promise<GuardFileEvent | { readonly status: "unchanged" }>;
}

/**
 * Load a guard.yaml, and again whenever it changes.
 *
 * Runners keep the `guardrails` that they were given. A change is in force for
 * all of them at once, between two calls, or is refused whole: calls under way
 * end under the rules, and with the policy version, that they began with. A
 * guard whose `use` and `with` are as before stays the same, with all that it
 * has counted. Observers change only with a restart, and so does code.
 *
 * @throws GuardFileError as `loadGuardFile` does.
 */
export async function watchGuardFile(
  path: string,
  options: WatchGuardFileOptions,
): Promise<WatchedGuardFile> {
  const where = "watchGuardFile()";
  const given = checkedOptions(where, path, options, ["onReload", "intervalMs", "clock"]);
  if (given.onReload === undefined) {
    throw new ToolstileError("ERR_INVALID_OPTION", `${where} needs onReload, to tell of changes.`);
  }
  const files = new Set<string>();
  const known = await standing([resolve(path)]);
  const plan = await planGuardFile(path, given, files);
  const made = await makeGuards(plan);
  const observers = await observersBeside(made, plan);
  return new WatchedFile({ path, options: given, files, known }, plan, made, observers);
}

interface Watching {
  readonly path: string;
  readonly options: WatchGuardFileOptions;
  readonly files: ReadonlySet<string>;
  /** How the file stood before it was read. */
  readonly known: string;
}

interface Dropped {
  readonly retired: Promise<void>;
  readonly dropped: readonly Guardrail[];
}

class WatchedFile extends LoadedFile implements WatchedGuardFile {
  readonly #path: string;
  readonly #options: WatchGuardFileOptions;
  readonly #live: LiveChain;
  readonly #changes: FileChanges;
  #files: ReadonlySet<string>;
  /** One after the other: the reload that began first must not end last. */
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(
    { path, options, files, known }: Watching,
    plan: Plan,
    made: MadeGuards,
    observers: readonly Made<ToolObserver>[],
  ) {
    const { policyVersion } = plan;
    const live = liveChain(made.guardrails, { name: "guard.yaml", policyVersion });
    super(plan, made, observers, [live.guardrail]);
    this.#path = path;
    this.#options = options;
    this.#files = files;
    this.#live = live;
    const { clock = systemClock, intervalMs = 1_000 } = options;
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
      const plan = await planGuardFile(this.#path, this.#options, files).finally(() => {
        this.#files = new Set([...this.#files, ...files]);
      });
      const before = this.inForce.plan;
      if (plan.content === before.content) return { status: "unchanged" };
      refuseWhatCannotChange(plan, before);
      const { retired, dropped } = await this.#exchange(plan);
      this.#files = files;
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

const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
  clearTimeout: (timer) => clearTimeout(timer),
};

/** @throws GuardFileError */
function refuseWhatCannotChange(plan: Plan, before: Plan): void {
  const { faults } = plan;
  const keys = (of: Plan): string => of.observers.map(({ key }) => key).join("\n");
  if (keys(plan) !== keys(before)) {
    faults.add(["observers"], "cannot change while runners are at work: restart for it");
  }
  if (plan.policyVersion === before.policyVersion) {
    faults.add(
      ["policyVersion"],
      "is that of the rules in force, which are others: records could not be told apart",
    );
  }
  faults.throwIfAny();
}
