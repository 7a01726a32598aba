import { required, such } from "../errors/option-reader.js";
import { boolean, func, object, text, timeout, whole } from "../errors/option-readers.js";
import { group, type OptionTable } from "../errors/options.js";
import type { Guardrail } from "../guard/define.js";
import { defaultLimits, type JsonLimits } from "../json/snapshot.js";
import type { Approver } from "../protocol/approval.js";
import type { ToolObserver } from "../protocol/outcome.js";
import type { ReceiptSigner } from "../protocol/receipt.js";
import { isApprover } from "../run/approve.js";
import { isSigner } from "../run/receipt.js";
import { isSignal } from "../time/abort.js";
import type { Clock } from "../time/clock.js";
import type { Tool } from "../tool/tool.js";
import type { Fault } from "./faults.js";

export interface ToolRunnerOptions {
  readonly tools?: readonly Tool[] | undefined;
  /** The guards, asked in order. A call that none of them judged is denied. */
  readonly guardrails: readonly Guardrail[];
  readonly observers?: readonly ToolObserver[] | undefined;
  /** The approver that lifts denials. Without one, liftable denials are like others. */
  readonly approver?: Approver | undefined;
  /** The signer of final results. A reader with the key can tell a signed result from a forged one. */
  readonly receiptSigner?: ReceiptSigner | undefined;
  /** The version of the rules. It is on every record. */
  readonly policyVersion?: string | undefined;
  /** Names that stand for tools: requested name to tool name. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** With `true`, the host states that no guard checks arguments against JSON Schemas. */
  readonly unchecked?: boolean | undefined;
  /** Milliseconds that one answer of a guard or observer may take. Default 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Limits on the size of arguments. Default 1 MiB, 64 levels, 100,000 values. */
  readonly limits?: Partial<JsonLimits> | undefined;
  /** The number of calls that may be open at once; one more is denied. Default 100,000. */
  readonly maxOpenCalls?: number | undefined;
  /** Is told of each fault of a guard, an observer or a listener. For operators: an error may hold arguments or secrets. */
  readonly onFault?: ((fault: Fault) => void) | undefined;
  readonly clock?: Clock | undefined;
}

const limits = {
  maxBytes: whole(1).default(defaultLimits.maxBytes),
  maxDepth: whole(1).default(defaultLimits.maxDepth),
  maxNodes: whole(1).default(defaultLimits.maxNodes),
} satisfies OptionTable<Partial<JsonLimits>>;

/** Reads the options of a runner but for `tools` and `aliases`: of an adapter's options, those that it passes on as they are. */
export const guardingTable = {
  guardrails: required(such<readonly Guardrail[]>(Array.isArray, "an array of guardrails")),
  observers: such<readonly ToolObserver[]>(Array.isArray, "an array of observers"),
  approver: such<Approver>(isApprover, "an object with a name, ask(), recall() and consume()"),
  receiptSigner: such<ReceiptSigner>(isSigner, "an object with a name and a sign() function"),
  policyVersion: text(),
  unchecked: boolean(),
  timeoutMs: timeout(),
  limits: group(limits),
  maxOpenCalls: whole(1).or(Number.POSITIVE_INFINITY),
  onFault: func<(fault: Fault) => void>(),
  clock: such<Clock>(isClock, "an object with now(), setTimeout() and clearTimeout()"),
} satisfies OptionTable<Omit<ToolRunnerOptions, "tools" | "aliases">>;

export const runnerTable = {
  tools: such<readonly Tool[]>(Array.isArray, "an array of tools"),
  ...guardingTable,
  aliases: object<Readonly<Record<string, string>>>("an object, from requested name to tool name"),
} satisfies OptionTable<ToolRunnerOptions>;

/** Reads the options of `resume()`. */
export const resumeOptions = {
  signal: such<AbortSignal>(isSignal, "an AbortSignal"),
};

function isClock(value: unknown): boolean {
  const clock = Object(value) as Record<string, unknown>;
  return ["now", "setTimeout", "clearTimeout"].every((name) => typeof clock[name] === "function");
}
