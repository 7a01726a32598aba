import { inOwnWords } from "../errors/fault-warning.js";
import { quoted } from "../errors/names.js";
import { isList, typeOf } from "../errors/option-error.js";
import { isPlain, isRoot, own } from "../json/own.js";
import type { CallContext } from "../protocol/guardrail.js";
import { ignoreRejection, isThenable } from "../time/wait.js";
import { keepConversation } from "./conversation.js";
import type { HostContext } from "./request.js";
import { Unreadable } from "./unreadable.js";

const texts = ["sessionId", "principal", "tenant", "traceparent"] as const;
export const factNames = [...texts, "attributes"] as const;

/** True for the name of a fact that goes in a call's context. */
export function isFact(name: string): boolean {
  return (factNames as readonly string[]).includes(name);
}

/** A context without facts. Properties that are planted on the root prototype do not show in it. */
export const noFacts: CallContext = Object.freeze({
  sessionId: undefined,
  principal: undefined,
  tenant: undefined,
  traceparent: undefined,
  attributes: undefined,
});

/**
 * Copies the host's facts, reading each once.
 *
 * @returns what is wrong with them, if a fact is misplaced or of a wrong type: a session
 * id in the wrong place would let all sessions share one limit.
 */
export function hostFacts(context: unknown): CallContext | string | Unreadable {
  if (context === undefined) return noFacts;
  try {
    return readFacts(context as HostContext);
  } catch (error) {
    return new Unreadable(error);
  }
}

/** @throws TypeError for a fact that the copy would silently lack. */
function readFacts(context: HostContext): CallContext | string {
  for (const key in context) {
    if (!isFact(key) && Object.hasOwn(context, key)) {
      return `the call's context has ${quoted(key)}, which nobody reads: facts of the host's own go under attributes`;
    }
  }
  const facts = {
    sessionId: own(context, "sessionId"),
    principal: own(context, "principal"),
    tenant: own(context, "tenant"),
    traceparent: own(context, "traceparent"),
    attributes: own(context, "attributes") as CallContext["attributes"],
  };
  refusePromises(context, facts);
  refuseUnread(context, factNames);
  for (const name of texts) {
    const fact: unknown = facts[name];
    if (fact !== undefined && typeof fact !== "string") {
      return mustBe(`context.${name}`, "a string", fact);
    }
  }
  const { attributes } = facts;
  keepConversation(context, facts);
  if (attributes === undefined) return Object.freeze(facts);
  if (typeof attributes !== "object" || attributes === null || isList(attributes)) {
    return mustBe("context.attributes", "an object", attributes);
  }
  refuseUnread(attributes, Object.keys(attributes));
  facts.attributes = Object.freeze({ ...attributes });
  return Object.freeze(facts);
}

/** Refuses promises. Every one is seen before the facts are refused, so that its rejection is silenced. */
function refusePromises(context: HostContext, facts: HostContext): void {
  let isLate = isPromise(context);
  for (const name of factNames) isLate = isPromise(facts[name]) || isLate;
  if (isLate) throw unread("A promise states no facts");
}

/** True for a promise, whose rejection is then silenced. */
function isPromise(fact: unknown): boolean {
  if (!isThenable(fact)) return false;
  ignoreRejection(fact);
  return true;
}

/** Refuses facts that an accessor of a class gives or a prototype holds: only own properties are read. */
function refuseUnread(facts: object, names: readonly string[]): void {
  if (isPlain(facts)) return;
  // The entries of a map or a list would not be read.
  if (isList(facts) || !names.some((name) => Object.hasOwn(facts, name))) {
    throw unread("A context, and its attributes, must be an object with facts of its own");
  }
  for (let from = Object.getPrototypeOf(facts); !isRoot(from); from = Object.getPrototypeOf(from)) {
    for (const name of Object.getOwnPropertyNames(from)) {
      const isInherited = names.includes(name) && !Object.hasOwn(facts, name);
      const { get } = Object.getOwnPropertyDescriptor(from, name) as PropertyDescriptor;
      if (isInherited || get !== undefined) throw unread("A fact is inherited, and is not read");
    }
  }
}

function unread(problem: string): TypeError {
  return inOwnWords(new TypeError(`${problem}.`));
}

/** Says what an option of a call must be, and the type of what was received. */
export function mustBe(option: string, expected: string, received: unknown): string {
  return `\`${option}\` must be ${expected}, received ${typeOf(received)}`;
}
