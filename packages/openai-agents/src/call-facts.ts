import { type RunOptions, ToolstileError } from "@toolstile/core";

/** What the host knows of a call beside what the framework says of it. */
export type HostFacts = Pick<RunOptions, "agentName" | "context" | "turnId">;

/** Where something is to be known of the host and cannot be, core denies the call: this cannot be read. */
const unreadable: HostFacts = Object.freeze({
  context: Object.freeze({
    get sessionId(): never {
      throw new TypeError("describe() gave no facts");
    },
  }),
});

/**
 * The facts that a host's `describe` gives, own properties only.
 *
 * What is no plain object, or is a promise anywhere, would be missing without a
 * word where a guard looks for it.
 */
export function factsFrom(describe: (() => HostFacts) | undefined): HostFacts {
  if (describe === undefined) return {};
  try {
    const said: unknown = describe();
    const facts = membersOf(said);
    if (facts === undefined) return unreadable;
    // All of them before any is refused: each promise has to be seen to.
    const given = Object.values(facts).map(isGiven);
    const { context } = facts;
    if (context === undefined || context === null) return given.every(Boolean) ? facts : unreadable;
    const known = membersOf(context);
    if (known === undefined) return unreadable;
    given.push(...Object.values(known).map(isGiven));
    // What is in the attributes is between the host and its guards: these may wait for it.
    const { attributes } = known;
    if (attributes && membersOf(attributes) === undefined) return unreadable;
    if (!given.every(Boolean)) return unreadable;
    return { ...facts, context: known };
  } catch {
    return unreadable;
  }
}

/** A plain object's own members, read once; nothing for anything else, or where one is hidden. */
function membersOf(value: unknown): Record<string, unknown> | undefined {
  if (!isGiven(value) || !isPlain(value)) return undefined;
  const isShown = (key: PropertyKey) => Object.prototype.propertyIsEnumerable.call(value, key);
  return Reflect.ownKeys(value).every(isShown) ? { ...value } : undefined;
}

/** Whether a value is there to be read. Nobody will wait for one that is not: should it reject, that is no news. */
function isGiven(value: unknown): boolean {
  if (!isRecord(value) && typeof value !== "function") return true;
  const { then } = value as { then?: unknown };
  if (typeof then !== "function") return true;
  Promise.resolve(value).catch(() => {});
  return false;
}

/** Of any realm: one whose prototype is the root of its own, or none. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value) || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null) return true;
  return (
    Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, "isPrototypeOf")
  );
}

const runs = new WeakMap<object, string>();

/**
 * A name for the run of the framework that a call is of.
 *
 * Some models count their call ids from one in every answer: those of two
 * conversations at once must not be taken for one call that comes twice.
 */
export function runName(runContext: unknown): string | undefined {
  if (!isRecord(runContext)) return undefined;
  const known = runs.get(runContext) ?? crypto.randomUUID();
  runs.set(runContext, known);
  return known;
}

/** The framework tells a call that it cancelled by the very reason of its signal. */
export function asCancelled(error: unknown, signal: AbortSignal | undefined): unknown {
  const aborted = ToolstileError.isInstance(error) && error.code === "ERR_ABORTED";
  return aborted && signal?.aborted === true ? signal.reason : error;
}

/** @throws ToolstileError for an option that this seam gives itself. */
export function refuseOptions(where: string, options: object, names: readonly string[]): void {
  for (const name of names) {
    if (!Object.hasOwn(options, name)) continue;
    throw new ToolstileError("ERR_UNKNOWN_OPTION", `${where} takes no option '${name}'.`);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
