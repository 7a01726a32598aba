import type { JsonObject, ToolDefinition } from "@toolstile/core";
import type { CallerSignal } from "@toolstile/core/provider";
import type { RailPorts, RailVerdict } from "../model-rails/rail.js";

/** The call, or the result, that a rail of one tool judges. */
export interface ToolSubject {
  readonly tool: string;
  /** Absent if they cannot be read, which only happens where a result is judged. */
  readonly args: JsonObject | undefined;
  /** The declaration of the called tool. Absent where a result is judged. */
  readonly declared?: ToolDefinition | undefined;
  /** A text, a list of parts, or null. Absent where a call is judged. */
  readonly content?: unknown;
  readonly signal?: CallerSignal | undefined;
}

/** A rail on the calls or the results of one tool. */
export interface PerToolRail {
  /** The flow as the configuration wrote it. */
  readonly flow: string;
  /** Its normalised name. */
  readonly name: string;
  /** A throw is a rail that failed: it blocks. A verdict that rewrites is one too. */
  readonly judge: (subject: ToolSubject, ports: RailPorts) => RailVerdict | Promise<RailVerdict>;
}

/** The rails of single tools, in the order of their flows, by the exact name of the tool. */
export type PerToolRails = ReadonlyMap<string, readonly PerToolRail[]>;
