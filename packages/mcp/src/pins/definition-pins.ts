import { ToolstileError } from "@toolstile/core";
import { digest } from "@toolstile/core/digest";
import {
  canonicalJson,
  didYouMean,
  isDeepFrozen,
  type OptionTable,
  oneOf,
  quoted,
  readOptions,
  such,
} from "@toolstile/core/provider";
import { type DefinitionChange, definitionChanges } from "./difference.js";
import { memoryPins, type Pin, type PinnedDefinition, type PinStore } from "./pin-store.js";

/** The treatment of a tool that was never seen before: it is pinned as it is, or withheld until it is approved. */
export type PinTrust = "first-use" | "approved-only";

export interface DefinitionPinsOptions {
  /** Default: in memory, until the process ends. */
  readonly store?: PinStore | undefined;
  /** Default "first-use". */
  readonly trust?: PinTrust | undefined;
}

const pinsTable = {
  store: such<PinStore>(isStore, "an object with read() and update()"),
  trust: oneOf("first-use", "approved-only").default("first-use"),
} satisfies OptionTable<DefinitionPinsOptions>;

function isStore(value: unknown): boolean {
  const { read, update } = Object(value) as Partial<PinStore>;
  return typeof read === "function" && typeof update === "function";
}

export type PinState = "pinned" | "changed" | "new";

/** One tool of one server, and what there is to approve. */
export interface PinStatus {
  readonly server: string;
  readonly tool: string;
  readonly state: PinState;
  /** Digest of the approved definition. */
  readonly approved?: string | undefined;
  /** Digest of the definition that waits for approval. */
  readonly seen?: string | undefined;
}

/** A tool as a server lists it. */
export interface ListedDefinition {
  readonly name: string;
  readonly definition: Readonly<Record<string, unknown>>;
}

/** The most tools of one server that are kept. A server must not fill the store with new names. */
const mostOfServer = 10_000;

const reasons = {
  changed: "its definition has changed since it was approved",
  new: "its definition has not been approved yet",
  full: "its server has more tools than can be pinned",
} as const;

/**
 * Pins tools' whole definitions: name, title, description, schemas, annotations, icons and everything else.
 *
 * A tool whose definition changes, be it by one character anywhere, is withheld
 * until the new definition is approved. The order of an object's members is no
 * change.
 */
export class DefinitionPins {
  readonly #store: PinStore;
  readonly #trust: PinTrust;

  /** @throws ToolstileError for an option that is not right. */
  constructor(options: DefinitionPinsOptions = {}) {
    const { store, trust } = readOptions("DefinitionPins", options, pinsTable);
    this.#store = store ?? memoryPins();
    this.#trust = trust;
  }

  /**
   * The withheld tools of a server's list, with the reasons. New tools are pinned, if first use is trusted.
   *
   * @throws what the store throws: without its pins, no tool of the server is to be used.
   */
  async withheld(
    server: string,
    tools: readonly ListedDefinition[],
  ): Promise<ReadonlyMap<string, string>> {
    const at = new Date().toISOString();
    const listed = new Map(
      tools.map(({ name, definition }) => [name, { digest: digestOf(definition), definition, at }]),
    );
    let pins = await this.#store.read();
    const settle = (before: readonly Pin[]): readonly Pin[] =>
      this.#settled(before, server, listed);
    if (settle(pins) !== pins) pins = await this.#store.update(settle);
    const known = new Map(ofServer(pins, server).map((pin) => [pin.tool, pin]));
    const withheld = new Map<string, string>();
    for (const [name, { digest }] of listed) {
      const { approved } = known.get(name) ?? {};
      if (approved?.digest === digest) continue;
      const isNew = known.has(name) ? reasons.new : reasons.full;
      withheld.set(name, approved === undefined ? isNew : reasons.changed);
    }
    return withheld;
  }

  /** The pins as they are after a list was seen: the same array, where nothing is to be written. */
  #settled(
    before: readonly Pin[],
    server: string,
    listed: ReadonlyMap<string, PinnedDefinition>,
  ): readonly Pin[] {
    const others = new Map(ofServer(before, server).map((pin) => [pin.tool, pin]));
    const changed = new Map<string, Pin>();
    let free = mostOfServer - others.size;
    for (const [tool, definition] of listed) {
      const pin = others.get(tool);
      if (pin === undefined && free-- <= 0) continue;
      const next = this.#next(pin ?? { server, tool }, definition, pin === undefined);
      if (next !== pin) changed.set(tool, next);
    }
    if (changed.size === 0) return before;
    const kept = before.filter((pin) => pin.server !== server || !changed.has(pin.tool));
    return [...kept, ...changed.values()];
  }

  #next(pin: Pin, definition: PinnedDefinition, isFirst: boolean): Pin {
    const { server, tool, approved, seen } = pin;
    if (approved?.digest === definition.digest) {
      // The server has gone back to what was approved: there is nothing left to approve.
      return seen === undefined ? pin : { server, tool, approved };
    }
    if (isFirst && this.#trust === "first-use") return { server, tool, approved: definition };
    return seen?.digest === definition.digest ? pin : { server, tool, approved, seen: definition };
  }

  /** All pins, by server and tool. */
  async list(): Promise<readonly PinStatus[]> {
    const pins = await this.#store.read();
    return pins.map(statusOf).sort((one, other) => compare(keyOf(one), keyOf(other)));
  }

  /** The differences between the definition that waits for approval and the approved one. For a new tool, the whole definition. */
  async changes(server: string, tool: string): Promise<readonly DefinitionChange[]> {
    const { approved, seen } = find(await this.#store.read(), server, tool);
    return seen === undefined ? [] : definitionChanges(approved?.definition, seen.definition);
  }

  /**
   * Approve the definition that waits for it.
   *
   * @param digest the digest that was reviewed, as `list()` gave it: another definition is not approved by it.
   * @throws ToolstileError `ERR_APPROVAL` if there is no such tool, or if another definition waits.
   */
  async approve(server: string, tool: string, digest: string): Promise<void> {
    await this.#store.update((pins) => {
      const pin = find(pins, server, tool);
      if (pin.seen?.digest !== digest) {
        if (pin.seen === undefined && pin.approved?.digest === digest) return pins;
        throw new ToolstileError(
          "ERR_APPROVAL",
          `What waits for approval of the tool ${quoted(tool)} is not the definition that was reviewed. List the pins and review it again.`,
        );
      }
      const approved = { ...pin.seen, at: new Date().toISOString() };
      return pins.map((each) => (each === pin ? { server, tool, approved } : each));
    });
  }
}

/** The digests of definitions that cannot change. A list is held to its pins for each session that is given it. */
const digests = new WeakMap<object, string>();

function digestOf(definition: Readonly<Record<string, unknown>>): string {
  const known = digests.get(definition);
  if (known !== undefined) return known;
  const made = digest(definition);
  if (isDeepFrozen(definition)) digests.set(definition, made);
  return made;
}

function ofServer(pins: readonly Pin[], server: string): readonly Pin[] {
  return pins.filter((pin) => pin.server === server);
}

function statusOf({ server, tool, approved, seen }: Pin): PinStatus {
  const state = approved === undefined ? "new" : seen === undefined ? "pinned" : "changed";
  return { server, tool, state, approved: approved?.digest, seen: seen?.digest };
}

/** @throws ToolstileError `ERR_APPROVAL` that offers the nearest name. */
function find(pins: readonly Pin[], server: string, tool: string): Pin {
  const all = ofServer(pins, server);
  const found = all.find((pin) => pin.tool === tool);
  if (found !== undefined) return found;
  const hint =
    all.length > 0
      ? didYouMean(
          tool,
          all.map((pin) => pin.tool),
        )
      : didYouMean(
          server,
          pins.map((pin) => pin.server),
        );
  throw new ToolstileError(
    "ERR_APPROVAL",
    `No tool ${quoted(tool)} of a server ${quoted(server)} has been seen.${hint}`,
  );
}

function keyOf({ server, tool }: PinStatus): string {
  return canonicalJson([server, tool]);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
