import type { Fault } from "@toolstile/core";
import {
  boolean,
  func,
  nonEmptyText,
  type OptionTable,
  such,
  text,
} from "@toolstile/core/provider";
import type { CheckRequest } from "@toolstile/iorails";
import type { RailsChecker, RailsSource } from "./rails.js";

/** The run, as a hook is told of it. */
export interface HookRuntime {
  readonly context?: unknown;
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Rails around an agent's model; the names and defaults are NeMo Guardrails'. */
export interface GuardrailsMiddlewareOptions extends RailsSource {
  /** Throw a GuardrailViolation in place of a blocked answer. Default false. */
  readonly raiseOnViolation?: boolean | undefined;
  readonly blockedInputMessage?: string | undefined;
  readonly blockedOutputMessage?: string | undefined;
  /** Judge what goes to the model: the user's words and results of tools. Default true. */
  readonly enableInputRails?: boolean | undefined;
  /** Judge what comes from the model: its words and its calls. Default true. */
  readonly enableOutputRails?: boolean | undefined;
  /** The host's facts, for guards and records of the rails. */
  readonly describe?:
    | ((runtime: HookRuntime) => Pick<CheckRequest, "agentName" | "context">)
    | undefined;
  /** Told why rails could not be asked, for operators. */
  readonly onFault?: ((fault: Fault) => void) | undefined;
}

/** The options of inputRailsMiddleware() and outputRailsMiddleware(). */
export type OneSidedRailsOptions = Omit<
  GuardrailsMiddlewareOptions,
  "enableInputRails" | "enableOutputRails"
>;

/** For what comes from either side. */
export const oneSidedTable = {
  rails: such<RailsChecker>(isChecker, "an object with a check() function"),
  configPath: nonEmptyText("the path of a folder or of a YAML file"),
  configYaml: nonEmptyText("the text of a configuration"),
  raiseOnViolation: boolean().default(false),
  blockedInputMessage: text().default("I cannot process this request due to content policy."),
  blockedOutputMessage: text().default("I cannot provide this response due to content policy."),
  describe: func<(runtime: HookRuntime) => Pick<CheckRequest, "agentName" | "context">>(),
  onFault: func<(fault: Fault) => void>(),
} satisfies OptionTable<OneSidedRailsOptions>;

export const railsTable = {
  ...oneSidedTable,
  enableInputRails: boolean().default(true),
  enableOutputRails: boolean().default(true),
} satisfies OptionTable<GuardrailsMiddlewareOptions>;

function isChecker(value: unknown): boolean {
  return typeof (Object(value) as Partial<RailsChecker>).check === "function";
}
