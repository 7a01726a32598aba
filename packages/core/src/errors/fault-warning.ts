import { ToolstileError } from "./error.js";
import { quoted } from "./names.js";

/** The errors that core made itself: their text holds nothing of a call. */
const ownWords = new WeakSet<object>();

/** Marks an error of core's own, whose text may stand in a warning. */
export function inOwnWords<E extends Error>(error: E): E {
  ownWords.add(error);
  return error;
}

/** The part that fails in each phase of a fault, where it is not a function with the name of the phase. */
const failing: ReadonlyMap<string, string> = new Map([
  ["call", "in evaluate()"],
  ["result", "in evaluateResult()"],
  ["when", "in the condition of its when()"],
  ["register", "when it was told of a tool"],
  ["context", "to read the host's facts of a call"],
  ["listTools", "to list its tools"],
]);

/** The most faults that are warned of. Their sources have names from configuration, so that there are few. */
const most = 1_000;
const warned = new Set<string>();

/**
 * Warns the process of a fault that has no listener, once for each source and kind of fault.
 *
 * The text of a thrown error is left out, for it may hold arguments or secrets.
 */
export function warnOfFault(source: string, phase: string, error: unknown): void {
  const what =
    source === "listener"
      ? `A listener for ${quoted(phase)} failed`
      : `${quoted(source)} failed ${failing.get(phase) ?? `in ${phase}()`}`;
  const text = `${what}: ${told(error)}`;
  if (warned.has(text) || warned.size >= most) return;
  warned.add(text);
  warn(
    `${text} Listen by \`onFault\` to see each fault and its error; this one is not warned of again.`,
  );
}

function told(error: unknown): string {
  try {
    if (typeof error !== "object" || error === null) return `it threw a ${typeof error}.`;
    if (ownWords.has(error) || isForOperators(error)) return sentence((error as Error).message);
    const { name } = error.constructor;
    // Any other name of a class could hold anything.
    return `it threw ${/^[A-Z][A-Za-z]{0,40}$/.test(name) ? articled(name) : "an Error"}.`;
  } catch {
    return "it threw what cannot be read.";
  }
}

/** True for an error for programmers: none of its kind holds an argument value. The text of a denial may be a guard's. */
function isForOperators(error: object): boolean {
  return ToolstileError.isInstance(error) && error.code !== "ERR_DENIED";
}

function sentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`;
}

function articled(name: string): string {
  return `${/^[AEIOU]/.test(name) ? "an" : "a"} ${name}`;
}

/** The part of Node's process that is used. Other runtimes have a console. */
interface Host {
  readonly process?: {
    readonly emitWarning?: (text: string, options: { type: string; code: string }) => void;
  };
  readonly console?: { readonly warn: (text: string) => void };
}

function warn(text: string): void {
  const { process, console } = globalThis as Host;
  try {
    if (typeof process?.emitWarning === "function") {
      process.emitWarning(text, { type: "ToolstileWarning", code: "TOOLSTILE_FAULT" });
    } else console?.warn(`ToolstileWarning: ${text}`);
  } catch {
    // Whoever replaced it is the last to be told.
  }
}
