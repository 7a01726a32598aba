import type { Guardrail, ToolDefinition, ToolObserver, ToolRunnerOptions } from "@toolstile/core";
import type { Environment } from "./environment.js";

export interface LoadGuardFileOptions {
  /** Imports in place of Node, as `loadPlugin` takes it. */
  readonly import?: ((specifier: string) => Promise<unknown>) | undefined;
  /** What `${env:NAME}` is read from. Default: `process.env`. */
  readonly env?: Environment | undefined;
}

/** One guard of a guard.yaml. */
export interface LoadedGuard {
  /** Its name in records. */
  readonly name: string;
  readonly use: string;
  /** Where it stands: `guards[0]`, `agents.support.guards[1]`. */
  readonly path: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** Whose calls it has a say about. Absent: everybody's. */
  readonly agent?: string | undefined;
  /** The tools that it has a say about. Absent: all. */
  readonly tools?: readonly string[] | undefined;
  readonly mode: "enforce" | "shadow";
  readonly failOpen: boolean;
  /** As its plugin made it: without the scope, the mode and the deadline that the file gives it. */
  readonly guardrail: Guardrail;
}

/** What a guard.yaml says. */
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
  /** What a runner takes, but for its tools. */
  runnerOptions(): Omit<ToolRunnerOptions, "tools">;
  /**
   * Close the guards and observers. Close the runners that have them first:
   * they leave them open, since they may not be the only ones.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
