import { dirname, resolve } from "node:path";
import type { Approver, Guardrail, ToolObserver } from "@toolstile/core";
import { canonicalJson } from "@toolstile/core/provider";
import {
  approver,
  type Create,
  guardOrObserver,
  prepareNamed,
} from "../plugins/create-from-plugin.js";
import { findPlugin } from "../plugins/load-plugin.js";
import { type Path, type Position, pathText } from "../yaml/path.js";
import type { Slices } from "../yaml/slices.js";
import { withEnvironment } from "./environment.js";
import type { Faults } from "./faults.js";
import type { InspectGuardFileOptions } from "./guard-file.js";
import type { GuardEntry, NamedEntry, Placed } from "./schema.js";

/** Something that the file names, found and its options checked, and not made yet. */
export interface Planned<Product = Guardrail | ToolObserver> {
  readonly path: Path;
  readonly position: Position | undefined;
  readonly use: string;
  /** Equal where the same plugin is meant with the same options. */
  readonly key: string;
  readonly create: Create<Product>;
  /** The options with the values of environment variables, as canonical text. */
  readonly filled: string;
}

export interface PlannedGuard extends Planned {
  readonly agent: string | undefined;
  readonly entry: GuardEntry;
}

/** An entry of which everything is known that its place does not change. */
export interface PreparedEntry {
  readonly plugin: unknown;
  readonly key: string;
  readonly create: Create<Guardrail | ToolObserver>;
  /** The canonical text of its data, and of its options with the values of environment variables. */
  readonly text: string;
  readonly filled: string;
  /** True if they may be others at the next reading. */
  readonly namesVariables: boolean;
}

/** Entries by their data. An entry that stands in two places is one. */
export interface PreparedEntries {
  readonly guards: ReadonlyMap<unknown, PreparedEntry>;
  readonly observers: ReadonlyMap<unknown, PreparedEntry>;
}

/** Finds the plugins of a file and checks their options. What was prepared before, and names the same plugin, is not looked at again. */
export class Planning {
  readonly guards = new Map<unknown, PreparedEntry>();
  readonly observers = new Map<unknown, PreparedEntry>();
  /** The options of each entry with the values of environment variables, as canonical text. */
  readonly filled: string[] = [];
  readonly #base: string;
  readonly #options: InspectGuardFileOptions;
  readonly #faults: Faults;
  readonly #slices: Slices;
  readonly #before: PreparedEntries;
  /** Those that were found, by how the file names them. */
  readonly #plugins = new Map<string, unknown>();

  constructor(
    path: string,
    options: InspectGuardFileOptions,
    faults: Faults,
    slices: Slices,
    before: PreparedEntries,
  ) {
    this.#base = dirname(resolve(path));
    this.#options = options;
    this.#faults = faults;
    this.#slices = slices;
    this.#before = before;
  }

  async planGuards(
    entries: readonly Placed<GuardEntry>[],
    at: Path,
    agent: string | undefined,
  ): Promise<PlannedGuard[]> {
    const all: PlannedGuard[] = [];
    for (const [index, entry] of entries) {
      const path = [...at, index];
      const preparing = this.#prepared(entry, path, "guards");
      const prepared = preparing instanceof Promise ? await preparing : preparing;
      if (prepared === undefined) continue;
      const { key, create, filled } = prepared;
      const position = this.#faults.locate(path);
      all.push({ path, position, use: entry.use, key, create, filled, agent, entry });
    }
    return all;
  }

  async planObservers(entries: readonly Placed<NamedEntry>[]): Promise<Planned[]> {
    const all: Planned[] = [];
    for (const [index, entry] of entries) {
      const path = ["observers", index];
      const prepared = await this.#prepared(entry, path, "observers");
      if (prepared === undefined) continue;
      const { key, create, filled } = prepared;
      const position = this.#faults.locate(path);
      all.push({ path, position, use: entry.use, key, create, filled });
    }
    return all;
  }

  /** There is one at most: it is looked at anew by each reading. */
  async planApprover(entry: NamedEntry): Promise<Planned<Approver> | undefined> {
    const path = ["approver"];
    const { use } = entry;
    const found = this.#faults.list.length;
    const given = this.#filled(entry, path);
    if (this.#faults.list.length > found) return undefined;
    try {
      const plugin = await this.#find(use, path);
      const create = prepareNamed(plugin, given, pathText(path), use, approver);
      const filled = canonicalJson(given ?? null);
      this.filled.push(filled);
      const position = this.#faults.locate(path);
      return { path, position, use, key: keyOf(use, given), create, filled };
    } catch (error) {
      this.#faults.addError(path, error);
      return undefined;
    }
  }

  /** Nothing, where the entry is wrong; a promise only where something has to be waited for. */
  #prepared(
    entry: NamedEntry,
    path: Path,
    kind: keyof PreparedEntries,
  ): PreparedEntry | undefined | Promise<PreparedEntry | undefined> {
    const known = this.#before[kind].get(entry);
    const isSame =
      known !== undefined &&
      !known.namesVariables &&
      this.#plugins.has(entry.use) &&
      this.#plugins.get(entry.use) === known.plugin;
    if (!isSame || this.#slices.isOver) return this.#prepare(entry, path, kind);
    return this.#keep(entry, known, kind);
  }

  #keep(entry: NamedEntry, prepared: PreparedEntry, kind: keyof PreparedEntries): PreparedEntry {
    this[kind].set(entry, prepared);
    this.filled.push(prepared.filled);
    return prepared;
  }

  async #prepare(
    entry: NamedEntry,
    path: Path,
    kind: keyof PreparedEntries,
  ): Promise<PreparedEntry | undefined> {
    if (this.#slices.isOver) await this.#slices.pause();
    const { use } = entry;
    const before = this.#before[kind].get(entry);
    const known = before?.namesVariables === false ? before : undefined;
    const found = this.#faults.list.length;
    const given = known === undefined ? this.#filled(entry, path) : entry.with;
    if (this.#faults.list.length > found) return undefined;
    try {
      const plugin = this.#plugins.has(use) ? this.#plugins.get(use) : await this.#find(use, path);
      const isSame = known !== undefined && known.plugin === plugin;
      return this.#keep(entry, isSame ? known : prepare(entry, given, plugin, path), kind);
    } catch (error) {
      this.#faults.addError(path, error);
      return undefined;
    }
  }

  #filled(entry: NamedEntry, path: Path): unknown {
    const environment = this.#options.env ?? process.env;
    return withEnvironment(entry.with, environment, [...path, "with"], this.#faults);
  }

  async #find(use: string, path: Path): Promise<unknown> {
    const { import: importModule, replacePlugin = (_, plugin) => plugin } = this.#options;
    const where = pathText(path);
    const found = await findPlugin(use, { base: this.#base, where, import: importModule });
    const plugin = replacePlugin(use, found);
    this.#plugins.set(use, plugin);
    return plugin;
  }
}

/** @param given The options of the entry with the values of environment variables. */
function prepare(entry: NamedEntry, given: unknown, plugin: unknown, path: Path): PreparedEntry {
  const { use } = entry;
  const create = prepareNamed(plugin, given, pathText(path), use, guardOrObserver);
  const key = keyOf(use, given);
  const text = canonicalJson(entry);
  const filled = canonicalJson(given ?? null);
  return { plugin, key, create, text, filled, namesVariables: text.includes("${env:") };
}

/** Equal where the same plugin is meant with the same options. */
function keyOf(use: string, given: unknown): string {
  return canonicalJson([use, given ?? {}]);
}
