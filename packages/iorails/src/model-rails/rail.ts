import type { CallerSignal } from "@toolstile/core";
import type { ChatMessage, Completion } from "../chat/message.js";

/** What a rail that a model or a service backs is given to judge. */
export interface RailSubject {
  /** The conversation as the request has it. */
  readonly messages: readonly ChatMessage[];
  /** The model's text without reasoning. Absent before the model has answered. */
  readonly botResponse?: string | undefined;
  /** What the answer must be entailed by: chunks that the request brought. */
  readonly evidence?: readonly string[] | undefined;
  readonly signal?: CallerSignal | undefined;
}

/** What a rail finds. */
export type RailVerdict =
  | { readonly status: "passed" }
  /** The text in place of the one judged. */
  | { readonly status: "modified"; readonly text: string; readonly reason: string }
  /** `basis` tells a verdict from a rail that could not come to one: both block. */
  | { readonly status: "blocked"; readonly reason: string; readonly basis: "policy" | "error" };

/** How rails ask: the engine gives them models and services, they know no HTTP. */
export interface RailPorts {
  /** Ask the model of this `type`; the body is merged over the model's defaults. */
  readonly ask: (
    modelType: string,
    body: Readonly<Record<string, unknown>>,
    signal: CallerSignal | undefined,
  ) => Promise<Completion>;
  /** POST JSON to the jailbreak detection service. */
  readonly classify: (
    body: Readonly<Record<string, unknown>>,
    signal: CallerSignal | undefined,
  ) => Promise<unknown>;
}

/** A rail that a model or a service backs. */
export interface ModelRail {
  /** The flow as the configuration wrote it. */
  readonly flow: string;
  /** Its normalised name. */
  readonly name: string;
  /** A rail that fails blocks: a throw is read as blocked with basis "error", except for the caller's abort. */
  readonly judge: (subject: RailSubject, ports: RailPorts) => Promise<RailVerdict>;
}
