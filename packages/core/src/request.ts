import type { CallContext } from "./protocol.js";
import { disown, isThenable } from "./thenable.js";
import type { ToolDeclaration } from "./tool.js";

/** What a model asks for. */
export interface CallRequest {
  readonly name: string;
  /** JSON text or an object. Absent or blank: `{}`. */
  readonly arguments?: unknown;
  readonly callId?: string | undefined;
  /** What proves who issued the call; guards and the receipt signer see it. */
  readonly receipt?: string | undefined;
}

/** The host's facts as people have them: attributes of any type. */
export interface HostContext extends Omit<CallContext, "attributes"> {
  readonly attributes?: object | undefined;
}

/** What ends a call for whoever asked for it: an AbortSignal, or what does as much of one. */
export interface CallerSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void, options?: { readonly once: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** Whether it can be listened to, and let go of. */
export function isSignal(value: unknown): value is CallerSignal {
  const signal = value as Partial<CallerSignal> | null | undefined;
  return (
    typeof signal?.addEventListener === "function" &&
    typeof signal.removeEventListener === "function"
  );
}

/** What the host says of a call. */
export interface RunOptions {
  readonly agentName?: string | undefined;
  readonly context?: HostContext | undefined;
  readonly signal?: CallerSignal | undefined;
  /** Names the assistant message that the call is of, so that its id need be no other open call's of that message only: some models name the first call of every message alike. Without it, of its whole session. */
  readonly turnId?: string | undefined;
  /** The host sees the whole turn, and an earlier call of it has this one's id: it is denied, also if that one is over. */
  readonly repeatedId?: boolean | undefined;
  /** Tools that are declared for this call only. They can be decided on and released, not run; a tool that is there already stays as it is. */
  readonly tools?: readonly ToolDeclaration[] | undefined;
}

/** A property of the object's own: what is planted on its prototype is not the caller's word. */
export function own<T extends object, K extends keyof T>(object: T, key: K): T[K] | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

const factNames = ["sessionId", "principal", "tenant", "traceparent", "attributes"] as const;

/** Nothing is said of a call's host, and nothing planted on the root prototype is taken for it. */
export const noFacts = readFacts({});

/** The host's facts, or nothing where reading them threw. */
export function hostFacts(context: HostContext | undefined): CallContext | undefined {
  if (context === undefined || context === null) return noFacts;
  try {
    return readFacts(context);
  } catch {
    return undefined;
  }
}

/** The host's facts as they are now, read once. @throws for what would be missing from them without a word. */
function readFacts(context: HostContext): CallContext {
  const attributes = own(context, "attributes");
  let isLate = false;
  // All of them, before any is refused.
  for (const fact of [context, ...factNames.map((name) => own(context, name))]) {
    if (!isThenable(fact)) continue;
    disown(fact);
    isLate = true;
  }
  if (isLate) throw new TypeError("a promise states no facts");
  refuseUnread(context, factNames);
  if (typeof attributes === "object" && attributes !== null) {
    refuseUnread(attributes, Object.keys(attributes));
  }
  return Object.freeze({
    sessionId: own(context, "sessionId"),
    principal: own(context, "principal"),
    tenant: own(context, "tenant"),
    traceparent: own(context, "traceparent"),
    attributes: attributes === undefined ? undefined : Object.freeze({ ...attributes }),
  });
}

/** What a class gives by accessors, or a prototype holds, is nobody's own, and would not be read. */
function refuseUnread(facts: object, names: readonly string[]): void {
  if (isPlain(facts)) return;
  // A map or a list has facts that nobody would find.
  if (Array.isArray(facts) || !names.some((name) => Object.hasOwn(facts, name))) {
    throw new TypeError("no facts");
  }
  for (let from = Object.getPrototypeOf(facts); !isRoot(from); from = Object.getPrototypeOf(from)) {
    for (const name of Object.getOwnPropertyNames(from)) {
      const isFact = names.includes(name) && !Object.hasOwn(facts, name);
      const { get } = Object.getOwnPropertyDescriptor(from, name) as PropertyDescriptor;
      if (isFact || get !== undefined) throw new TypeError("a fact is inherited");
    }
  }
}

/** Of any realm: one that inherits nothing but what every object does. */
export function isPlain(value: object): boolean {
  return isRoot(Object.getPrototypeOf(value));
}

function isRoot(prototype: object | null): boolean {
  if (prototype === null || prototype === Object.prototype) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}
