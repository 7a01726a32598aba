import { quoted } from "../errors/names.js";
import { isList, typeOf } from "../errors/option-error.js";
import { isPlain } from "../json/own.js";
import type { ToolDeclaration } from "../protocol/declaration.js";
import { type CallerSignal, isSignal } from "../time/abort.js";
import { isFact, mustBe } from "./host-facts.js";
import { Unreadable } from "./unreadable.js";

/** The options of a call, each read once. Every field is required: a missing one could be inherited from a polluted prototype. */
export interface CallOptions {
  readonly agentName: string | undefined;
  /** It is read by `hostFacts`. */
  readonly context: unknown;
  readonly signal: CallerSignal | undefined;
  readonly turnId: string | undefined;
  readonly repeatedId: boolean;
  readonly tools: readonly ToolDeclaration[] | undefined;
  /** The fault of the options. The call is then denied. */
  readonly wrong: string | Unreadable | undefined;
}

type Reading = { -readonly [Name in keyof CallOptions]: CallOptions[Name] };

const unstated = (): Reading => ({
  agentName: undefined,
  context: undefined,
  signal: undefined,
  turnId: undefined,
  repeatedId: false,
  tools: undefined,
  wrong: undefined,
});
const none: CallOptions = Object.freeze(unstated());

/** Reads the options of a call. It never throws: what a getter or a proxy throws makes them unreadable. */
export function readCallOptions(given: unknown): CallOptions {
  if (given === undefined || given === null) return none;
  const read = unstated();
  try {
    if (typeof given !== "object" || isList(given)) {
      read.wrong = `the options of a call must be an object, received ${typeOf(given)}`;
    } else if (!isPlain(given)) {
      read.wrong = "the options of a call must be a plain object: what is inherited is not read";
    } else {
      for (const key in given) {
        if (Object.hasOwn(given, key)) take(read, key, (given as Record<string, unknown>)[key]);
      }
    }
  } catch (error) {
    read.wrong = new Unreadable(error);
  }
  return read;
}

function refuse(read: Reading, problem: string): void {
  read.wrong ??= problem;
}

function take(read: Reading, key: string, value: unknown): void {
  switch (key) {
    case "agentName":
      if (value === undefined || typeof value === "string") read.agentName = value;
      else refuse(read, mustBe(key, "a string", value));
      return;
    case "context":
      if (value === undefined || (typeof value === "object" && value !== null))
        read.context = value;
      else refuse(read, mustBe(key, "an object", value));
      return;
    case "signal":
      if (value === undefined || isSignal(value)) read.signal = value;
      else refuse(read, mustBe(key, "an AbortSignal", value));
      return;
    case "turnId":
      if (value === undefined || (typeof value === "string" && value !== "")) read.turnId = value;
      else refuse(read, mustBe(key, "a string that is not empty", value));
      return;
    case "repeatedId":
      if (value === undefined || typeof value === "boolean") read.repeatedId = value === true;
      else refuse(read, mustBe(key, "a boolean", value));
      return;
    case "tools":
      if (value === undefined || isList(value)) read.tools = value as CallOptions["tools"];
      else refuse(read, mustBe(key, "an array", value));
      return;
    default:
      refuse(
        read,
        `a call has no option ${quoted(key)}${isFact(key) ? ": it goes under context" : ""}`,
      );
  }
}
