import { isApprover } from "./approval.js";
import type { Catalogue } from "./catalogue.js";
import type { Clock } from "./clock.js";
import { ToolstileError } from "./errors.js";
import type { Fault } from "./events.js";
import { defaultLimits, type JsonLimits } from "./json.js";
import { checkOptions, didYouMean, quoted } from "./naming.js";
import type { Approver, ReceiptSigner, ToolObserver } from "./protocol.js";
import type { Guardrail } from "./provider.js";
import { isSigner } from "./receipt.js";
import type { Tool } from "./tool.js";

export interface ToolRunnerOptions {
  readonly tools?: readonly Tool[] | undefined;
  /** Asked in order. A call that none of them judged is denied. */
  readonly guardrails: readonly Guardrail[];
  readonly observers?: readonly ToolObserver[] | undefined;
  /** Lifts denials that can be lifted. Without one, they are denials like others. */
  readonly approver?: Approver | undefined;
  /** Signs each result once it is final, so that whoever holds the key can tell it from a forged one. */
  readonly receiptSigner?: ReceiptSigner | undefined;
  /** Put on every record, so that it says which rules were in force. */
  readonly policyVersion?: string | undefined;
  /** Names that stand for tools: requested name to tool name. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** "Nobody holds arguments to JSON Schemas here, and that is meant." */
  readonly unchecked?: boolean | undefined;
  /** Milliseconds that one answer of a guard or observer may take. Default 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Sizes that arguments may have. Default 1 MiB, 64 levels, 100,000 values. */
  readonly limits?: Partial<JsonLimits> | undefined;
  /** Calls that may be open at once; one more is denied. Default 100,000. */
  readonly maxOpenCalls?: number | undefined;
  /** Told of what a guard, an observer or a listener did wrong, for operators: it may hold arguments or secrets. */
  readonly onFault?: ((fault: Fault) => void) | undefined;
  readonly clock?: Clock | undefined;
}

export const runnerOptions: readonly string[] = [
  "tools",
  "guardrails",
  "observers",
  "approver",
  "receiptSigner",
  "policyVersion",
  "aliases",
  "unchecked",
  "timeoutMs",
  "limits",
  "maxOpenCalls",
  "onFault",
  "clock",
];

/** The names of a runner's options but for `tools` and `aliases`: of an adapter's options, those that it passes on as they are. */
export const guardingOptions: readonly string[] = Object.freeze(
  runnerOptions.filter((name) => name !== "tools" && name !== "aliases"),
);

type Check = readonly [is: (value: unknown) => boolean, what: string];

/** What the options of a runner must be that are checked nowhere else. */
const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["tools", [Array.isArray, "a list of tools"]],
  ["observers", [Array.isArray, "a list of observers"]],
  ["approver", [isApprover, "an object with a name, ask(), recall() and consume()"]],
  ["receiptSigner", [isSigner, "an object with a name and a sign() function"]],
  ["policyVersion", [(value) => typeof value === "string", "text"]],
  ["aliases", [isObject, "an object, from requested name to tool name"]],
  ["unchecked", [(value) => typeof value === "boolean", "true or false"]],
  ["maxOpenCalls", [isCount, "a positive whole number"]],
  ["onFault", [(value) => typeof value === "function", "a function"]],
  ["clock", [isClock, "an object with now(), setTimeout() and clearTimeout()"]],
]);

/** @throws ToolstileError `ERR_INVALID_OPTION` that names the option and what it must be. */
export function checkOptionValues(options: object): void {
  for (const [name, [is, what]] of checks) {
    const value = (options as Record<string, unknown>)[name];
    if (value === undefined || is(value)) continue;
    throw new ToolstileError("ERR_INVALID_OPTION", `The option '${name}' is ${what}.`);
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) > 0);
}

function isClock(value: unknown): boolean {
  const clock = Object(value) as Record<string, unknown>;
  return ["now", "setTimeout", "clearTimeout"].every((name) => typeof clock[name] === "function");
}

/** @throws ToolstileError for a limit that there is not, or that is no positive whole number. */
export function checkedLimits(limits: Partial<JsonLimits>): JsonLimits {
  checkOptions("limits", limits, Object.keys(defaultLimits));
  for (const [name, value] of Object.entries(limits)) {
    if (Number.isSafeInteger(value) && value > 0) continue;
    throw new ToolstileError("ERR_INVALID_OPTION", `limits.${name} is a positive whole number.`);
  }
  return Object.freeze({ ...defaultLimits, ...limits });
}

/** An alias that a tool has for its name, too: which of the two a call means is anyone's guess. */
export function aliasTaken(alias: string): ToolstileError {
  return new ToolstileError(
    "ERR_DUPLICATE_TOOL",
    `The alias ${quoted(alias)} is also the name of a tool. Choose one that no tool has.`,
  );
}

/** @throws ToolstileError for an alias that a tool is named, or that stands for none. */
export function checkedAliases(
  aliases: Readonly<Record<string, string>>,
  catalogue: Catalogue,
): ReadonlyMap<string, string> {
  const checked = new Map(Object.entries(aliases));
  for (const [alias, name] of checked) {
    if (catalogue.get(alias) !== undefined) throw aliasTaken(alias);
    if (catalogue.get(name) === undefined) {
      const names = catalogue.definitions.map((tool) => tool.name);
      throw new ToolstileError(
        "ERR_UNKNOWN_TOOL",
        `The alias ${quoted(alias)} stands for the tool ${quoted(name)}, which is not there.${didYouMean(name, names)}`,
      );
    }
  }
  return checked;
}
