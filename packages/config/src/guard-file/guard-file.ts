import type {
  Clock,
  Guardrail,
  JsonObject,
  ToolDefinition,
  ToolObserver,
  ToolRunnerOptions,
  ToolstileError,
} from "@toolstile/core";
import type { ReadableApprover } from "@toolstile/core/host";
import type { ToolPattern } from "@toolstile/core/provider";
import type { Environment } from "./environment.js";

export interface LoadGuardFileOptions {
  /** Imports in place of Node, as `loadPlugin` takes it. */
  readonly import?: ((specifier: string) => Promise<unknown>) | undefined;
  /** The environment that `${env:NAME}` is read from. Default: `process.env`. */
  readonly env?: Environment | undefined;
}

export interface InspectGuardFileOptions extends LoadGuardFileOptions {
  /**
   * Gives what is used in place of a plugin that was found, itself if nothing: for those who try
   * guards under other circumstances, as at another time.
   */
  readonly replacePlugin?: ((use: string, plugin: unknown) => unknown) | undefined;
}

/** The outcome of a change of the file. */
export type GuardFileEvent =
  /** The new rules are in force, for every call that begins from now on. */
  | { readonly status: "reloaded"; readonly policyVersion: string }
  /** Nothing of the file as it is now is in force; the rules of before are. */
  | { readonly status: "refused"; readonly error: ToolstileError }
  /** A guard that is used no longer could not be closed. */
  | { readonly status: "unclosed"; readonly error: unknown };

export interface WatchGuardFileOptions extends LoadGuardFileOptions {
  /** Told of every change of the file, and of what became of it. */
  readonly onReload: (event: GuardFileEvent) => void;
  /** Milliseconds between two looks at the file, of which two in a row must see the same. `Infinity`: only `reload()` looks. Default 1,000. */
  readonly intervalMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** One guard of a guard.yaml. */
export interface LoadedGuard {
  /** Its name in records. */
  readonly name: string;
  readonly use: string;
  /** Its place in the file: `guards[0]`, `agents.support.guards[1]`. */
  readonly path: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** The agent whose calls it judges. Absent: every agent's. */
  readonly agent?: string | undefined;
  /** The tools that it has a say about, as the file names them. Absent: all. */
  readonly tools?: readonly (string | ToolPattern)[] | undefined;
  /** True if it has a say about the tool of that name. */
  readonly covers: (toolName: string) => boolean;
  readonly mode: "enforce" | "shadow";
  readonly failOpen: boolean;
  /** As its plugin made it: without the scope, the mode and the deadline that the file gives it. */
  readonly guardrail: Guardrail;
}

/** The place of an option in a guard.yaml. */
export interface OptionPlace {
  /** `guards[1].with.rules[0]`. */
  readonly path: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** One guard of a guard.yaml, for those who look at the file and run nothing. */
export interface InspectedGuard extends LoadedGuard {
  /** The options that its plugin was given, with the values of environment variables: they may hold secrets. */
  readonly options: JsonObject;
  /** Finds where an option stands, by its path in `options`. */
  readonly placeOf: (path: readonly (string | number)[]) => OptionPlace;
}

/** The content of a guard.yaml. */
export interface GuardFilePolicy {
  /** In the order in which they are asked: those for everybody, then those of the agents. */
  readonly guards: readonly LoadedGuard[];
  /** The agents that have guards of their own, which `guardrails` has already. */
  readonly agents: readonly string[];
  readonly mode: "enforce" | "shadow";
  /** As the file gives it, or `sha256:` and the digest of all that is data. */
  readonly policyVersion: string;
  /** The tools that the file declares, if it does. */
  readonly tools: readonly ToolDefinition[] | undefined;
}

/** A guard.yaml with all that it names, loaded. */
export interface GuardFile extends GuardFilePolicy {
  /** All guards, those of agents too: for `guardrails` of a runner, or of anything that takes them. */
  readonly guardrails: readonly Guardrail[];
  readonly observers: readonly ToolObserver[];
  /** The approver that lifts denials, if the file names one. That of `@toolstile/approval` has `list()` and `read(id)`. */
  readonly approver: ReadableApprover | undefined;
  /** The options of a runner, without its tools. */
  runnerOptions(): Omit<ToolRunnerOptions, "tools">;
  /**
   * Close the guards, the observers and the approver. Close the runners that have them first:
   * they leave them open, since they may not be the only ones.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
