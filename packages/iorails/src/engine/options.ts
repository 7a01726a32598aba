import {
  type Clock,
  checkOptions,
  type Fault,
  type GuardrailProvider,
  type ToolObserver,
  ToolstileError,
} from "@toolstile/core";
import type { Receipts } from "@toolstile/result-linkage";
import type { RailsConfig } from "../config/rails-config.js";
import { own } from "../own-property.js";
import type { Mountable } from "../tool-rails/mounted.js";
import type { RailsEngine } from "./answer.js";

/** Gives another engine for a configuration that is right but not for this one. */
export type Fallback = (config: RailsConfig, reason: string) => RailsEngine;

export interface GuardrailsOptions {
  /** Throw where the configuration is for another engine, also if there is a `fallback`. Default false. */
  readonly requireIorails?: boolean | undefined;
  /** Who takes a configuration that is right but not for this engine. None: such a configuration is an error. */
  readonly fallback?: Fallback | undefined;
  /** Guards passed in code, after those that the configuration mounts by name. */
  readonly providers?:
    | {
        /** Asked of each call that the model makes, when it has passed the flow. */
        readonly toolOutput?: readonly GuardrailProvider[] | undefined;
        /** Asked of each result that a request brings. */
        readonly toolInput?: readonly Mountable[] | undefined;
      }
    | undefined;
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

const names = [
  "requireIorails",
  "fallback",
  "providers",
  "receipts",
  "observers",
  "policyVersion",
  "fetch",
  "env",
  "clock",
  "maxRequests",
  "maxQueued",
  "maxStreams",
  "closeWithinMs",
  "onFault",
] as const;

/** The options, each its own: what is planted on the root prototype is nobody's. @throws ToolstileError. */
export function readOptions(options: GuardrailsOptions): GuardrailsOptions {
  checkOptions("Guardrails", options, names);
  const read: GuardrailsOptions = Object.assign(Object.create(null), options);
  if (read.providers !== undefined) {
    checkOptions("providers", read.providers, ["toolOutput", "toolInput"]);
    checkGuards("toolOutput", own(read.providers, "toolOutput"));
    checkGuards("toolInput", own(read.providers, "toolInput"));
  }
  for (const name of ["fetch", "fallback", "onFault"] as const) {
    if (read[name] !== undefined && typeof read[name] !== "function") {
      throw invalid(`The option '${name}' is a function.`);
    }
  }
  if (read.requireIorails !== undefined && typeof read.requireIorails !== "boolean") {
    throw invalid("The option 'requireIorails' is true or false.");
  }
  for (const name of ["maxRequests", "maxQueued", "maxStreams"] as const) {
    const value = read[name];
    if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) continue;
    throw invalid(`The option '${name}' is a whole number from 1 on.`);
  }
  const { closeWithinMs = 1 } = read;
  if (!Number.isSafeInteger(closeWithinMs) || closeWithinMs < 1 || closeWithinMs > longestTimer) {
    throw invalid(`The option 'closeWithinMs' is a whole number from 1 to ${longestTimer}.`);
  }
  if (read.receipts !== undefined && !isReceipts(read.receipts)) {
    throw invalid(
      "The option 'receipts' is what receipts({ keys }) of @toolstile/result-linkage gives.",
    );
  }
  return read;
}

/** Milliseconds. Of a longer one Node makes one of a millisecond. */
const longestTimer = 2 ** 31 - 1;

function isReceipts(value: unknown): value is Receipts {
  const { signCall, verifyCall, verifyResult } = Object(value) as Partial<Receipts>;
  return [signCall, verifyCall, verifyResult].every((each) => typeof each === "function");
}

/** The guards that are passed in code for one section. @throws ToolstileError `ERR_INVALID_OPTION`. */
function checkGuards(section: string, guards: unknown): void {
  if (guards === undefined) return;
  const isGuard = (guard: unknown): boolean => typeof guard === "object" && guard !== null;
  if (Array.isArray(guards) && guards.every(isGuard)) return;
  throw invalid(`providers.${section} is a list of guards. Was a factory passed uncalled?`);
}

function invalid(message: string): ToolstileError {
  return new ToolstileError("ERR_INVALID_OPTION", message);
}
