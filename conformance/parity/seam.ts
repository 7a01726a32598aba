import type { Approver, Guardrail, JsonObject, RunOptions, ToolObserver } from "@toolstile/core";
import type { CaseId } from "./cases.js";

/** A tool of the suite, for a seam to offer through its framework. */
export interface ParityTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: JsonObject;
  /** A generator function where the tool answers piece by piece. */
  readonly execute: (args: JsonObject, signal: AbortSignal | undefined) => unknown;
}

/** A call as a model writes it. */
export interface AskedCall {
  readonly callId: string;
  readonly name: string;
  /** JSON text, or what is none. */
  readonly arguments: string;
}

/** One turn: a model asks for some calls at once, and reads what became of them. */
export interface Turn {
  readonly tools: readonly ParityTool[];
  readonly calls: readonly AskedCall[];
  readonly guardrails: readonly Guardrail[];
  readonly observers: readonly ToolObserver[];
  readonly approver?: Approver | undefined;
  /** For each answer of a guard. */
  readonly timeoutMs?: number | undefined;
  /** Says what the host knows of each call: for `describe`, or whatever the seam has for it. */
  readonly describe?: (() => Pick<RunOptions, "agentName" | "context">) | undefined;
  /** The caller's. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of a turn. */
export interface Report {
  /** The text that the model reads next of each call, by call id. JSON of anything that is not text. */
  readonly read: ReadonlyMap<string, string>;
  /** The error that the whole turn was rejected with. */
  readonly rejected?: unknown;
  /** Go on with a call that waits for an approval, once it has been answered. */
  readonly resume?: (() => Promise<Report>) | undefined;
}

/** A way through which calls reach tools. Every one is held to the same cases. */
export interface Seam {
  readonly name: string;
  /** True if a newer version of the same framework is held to the cases, too: then the cases run in the long run alone. */
  readonly isOlder?: boolean | undefined;
  /** Nobody tells it the model's call ids: it mints its own. */
  readonly mintsIds?: boolean | undefined;
  /**
   * The cases that the seam cannot hold, and why, as a reader who has to work
   * around it is told. One that does hold after all fails the suite.
   */
  readonly cannot: Readonly<Partial<Record<CaseId, string>>>;
  readonly play: (turn: Turn) => Promise<Report>;
}
