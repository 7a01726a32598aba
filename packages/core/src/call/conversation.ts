import { isPlain } from "../json/own.js";
import type { HostContext } from "./request.js";

/** The conversation that a call belongs to, as far as its host knows it. */
export interface Conversation {
  /** The texts of the user's messages. Nothing that a tool or a model wrote. */
  readonly userTexts: readonly string[];
  /** True if the result of a tool stands in it. */
  readonly hasResults: boolean;
  /**
   * The ids of the calls whose results stand in it; empty for one without an id.
   *
   * By them a guard knows of results that it did not judge, such as those of tools that the model's provider runs.
   */
  readonly resultIds?: readonly string[] | undefined;
}

/** Lets a class give its private field to an object that is there already. */
class Given {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the field is then defined on this object.
    return object;
  }
}

/**
 * A conversation beside the facts and not among them: records, approvals and traces copy the facts, and must hold no
 * conversation.
 *
 * No copy has a private field, and nothing can list it. From a WeakMap, a conversation that is over would only go with
 * a collection of the whole heap.
 */
class Beside extends Given {
  readonly #read: () => Conversation;

  constructor(facts: object, read: () => Conversation) {
    super(facts);
    this.#read = read;
  }

  static of(facts: object): (() => Conversation) | undefined {
    return #read in facts ? facts.#read : undefined;
  }
}

/**
 * Puts a conversation beside the facts about a call, for guards that ask for it with `conversationOf`.
 *
 * It is read only when a guard asks. A context that has one keeps it: what a host says in `describe` comes before
 * what an adapter reads. A context that core will refuse comes back as it is.
 *
 * @returns a copy of the facts.
 */
export function withConversation(
  context: HostContext | undefined,
  read: () => Conversation,
): HostContext | undefined {
  if (context !== undefined && !isReadable(context)) return context;
  if (context !== undefined && Beside.of(context) !== undefined) return context;
  const copy = { ...context };
  new Beside(copy, once(read));
  return copy;
}

/** Returns the conversation beside the facts of a call; undefined if the host gave none. @throws what reading it throws. */
export function conversationOf(context: object): Conversation | undefined {
  return Beside.of(context)?.();
}

/** Lets a copy of facts have the conversation that stood beside the original. */
export function keepConversation<Context extends object>(from: object, to: Context): Context {
  const read = Beside.of(from);
  if (read !== undefined) new Beside(to, read);
  return to;
}

function once(read: () => Conversation): () => Conversation {
  let known: Conversation | undefined;
  return () => {
    known ??= checked(read());
    return known;
  };
}

/** @throws TypeError for anything but a conversation: a guard would take it for one without results. */
function checked(conversation: Conversation): Conversation {
  const { userTexts, hasResults, resultIds = [] } = conversation;
  if (areTexts(userTexts) && typeof hasResults === "boolean" && areTexts(resultIds)) {
    return conversation;
  }
  throw new TypeError(
    "A conversation must be { userTexts, hasResults }: texts, and true or false.",
  );
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** True if a copy has everything that the original has: never of `null`. An accessor must be read by core, which refuses one that throws. */
function isReadable(context: object): boolean {
  try {
    if (!isPlain(context)) return false;
    for (const key of Object.getOwnPropertyNames(context)) {
      const member = Object.getOwnPropertyDescriptor(context, key) as PropertyDescriptor;
      if (!("value" in member) || member.enumerable !== true) return false;
    }
    return true;
  } catch {
    return false;
  }
}
