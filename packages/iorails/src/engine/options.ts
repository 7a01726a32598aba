import type { Clock, Fault, GuardrailProvider, ToolObserver } from "@toolstile/core";
import { guardingTable } from "@toolstile/core/host";
import {
  boolean,
  func,
  group,
  isObject,
  type OptionReader,
  type OptionTable,
  object,
  readOptions,
  such,
  whole,
} from "@toolstile/core/provider";
import type { Receipts } from "@toolstile/result-linkage";
import type { SensitiveDataPort } from "../model-rails/sensitive-data.js";
import type { Mountable } from "../tool-rails/mounted.js";
import type { RailsEngine } from "./answer.js";
import type { RailsConfig } from "./rails-config.js";

/** Gives another engine for a configuration that is right but not for this one. */
export type Fallback = (config: RailsConfig, reason: string) => RailsEngine;

export interface GuardrailsOptions {
  /** Throw where the configuration is for another engine, also if there is a `fallback`. Default false. */
  readonly requireIorails?: boolean | undefined;
  /** Gives the engine for a configuration that is right but not for this one. Absent: such a configuration is an error. */
  readonly fallback?: Fallback | undefined;
  /** Guards passed in code, after those that the configuration mounts by name. */
  readonly providers?:
    | {
        /** Asked of each call that the model makes, when it has passed the flow. */
        readonly toolCall?: readonly GuardrailProvider[] | undefined;
        /** Asked of each result that a request brings. */
        readonly toolResult?: readonly Mountable[] | undefined;
      }
    | undefined;
  /** Finds sensitive data, for the flows `detect sensitive data …` and `mask sensitive data …`. Default: that of `@toolstile/redact`, if it is installed. */
  readonly sensitiveData?: SensitiveDataPort | undefined;
  /** Signs the calls that are handed out, and verifies calls and results that come back. */
  readonly receipts?: Receipts | undefined;
  /** Told of every call that the model makes: an audit log. */
  readonly observers?: readonly ToolObserver[] | undefined;
  readonly policyVersion?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** In place of `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly clock?: Clock | undefined;
  /** Whole answers under way at once. Default 256. */
  readonly maxRequests?: number | undefined;
  /** Requests for whole answers that may wait for a place. Default 256. */
  readonly maxQueued?: number | undefined;
  /** Streams under way at once. Default 256. */
  readonly maxStreams?: number | undefined;
  /** Milliseconds that `close()` waits for streams that are under way; after them they are aborted. Default 30,000. */
  readonly closeWithinMs?: number | undefined;
  /** Told of what went wrong, for operators: it may hold arguments or secrets. */
  readonly onFault?: ((fault: Fault) => void) | undefined;
}

/** Milliseconds. Of a longer one Node makes one of a millisecond. */
const longestTimer = 2 ** 31 - 1;

function isReceipts(value: unknown): boolean {
  const { signCall, verifyCall, verifyResult } = Object(value) as Partial<Receipts>;
  return [signCall, verifyCall, verifyResult].every((each) => typeof each === "function");
}

export function guards<Guard>(): OptionReader<readonly Guard[] | undefined> {
  const what = "an array of guards (of products of factories, not of factories)";
  return such((value) => Array.isArray(value) && value.every(isObject), what);
}

const { observers, policyVersion, clock, onFault } = guardingTable;

export const guardrailsOptions = {
  requireIorails: boolean(),
  fallback: func<Fallback>(),
  providers: group({ toolCall: guards<GuardrailProvider>(), toolResult: guards<Mountable>() }),
  receipts: such<Receipts>(
    isReceipts,
    "the product of receipts({ keys }) of @toolstile/result-linkage",
  ),
  sensitiveData: such<SensitiveDataPort>(
    (value) => typeof Object(value).scanner === "function",
    "an object with scanner(), which finds sensitive data",
  ),
  observers,
  policyVersion,
  fetch: func<typeof globalThis.fetch>(),
  env: object<Readonly<Record<string, string | undefined>>>(),
  clock,
  maxRequests: whole(1),
  maxQueued: whole(1),
  maxStreams: whole(1),
  closeWithinMs: whole(1, longestTimer),
  onFault,
} satisfies OptionTable<GuardrailsOptions>;

/** Reads the options as own properties: a value on the root prototype is not an option. @throws ToolstileError. */
export function readGuardrailsOptions(options: unknown): GuardrailsOptions {
  return readOptions("Guardrails", options, guardrailsOptions);
}
