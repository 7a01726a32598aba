import type { CallerSignal } from "@toolstile/core/provider";
import type { ChatMessage, Completion } from "../chat/message.js";
import type { VerdictCache } from "./verdict-cache.js";

/** The side of a conversation that a rail judges: what the user said, or what the model answered. */
export type Direction = "input" | "output";

/** The subject of a rail that a model or a service backs. */
export interface RailSubject {
  /** The conversation as the request has it. */
  readonly messages: readonly ChatMessage[];
  /**
   * The texts of each message and part before a rail put one text in place of several messages, parts or names, and
   * how many lines each had: each line of that text may be the first of one.
   */
  readonly joined?: Joined | undefined;
  /** The model's text without reasoning. Absent before the model has answered. */
  readonly botResponse?: string | undefined;
  /** The model's reasoning, where it gave any. */
  readonly botThinking?: string | undefined;
  /** The chunks of the request that the answer must follow from. */
  readonly evidence?: readonly string[] | undefined;
  readonly signal?: CallerSignal | undefined;
}

interface Joined {
  readonly said: readonly string[];
  /** The number of lines of each name and part, by message. */
  readonly lines: readonly (readonly number[])[];
}

/** The verdict of a rail. */
export type RailVerdict =
  | { readonly status: "passed"; readonly metadata?: RailMetadata | undefined }
  /** The text in place of the one judged. */
  | {
      readonly status: "modified";
      readonly text: string;
      readonly reason: string;
      readonly metadata?: RailMetadata | undefined;
    }
  /** `basis` tells a verdict from a rail that could not come to one: both block. */
  | {
      readonly status: "blocked";
      readonly reason: string;
      readonly basis: "policy" | "error";
      readonly metadata?: RailMetadata | undefined;
      /** The text for the user in place of the usual refusal. */
      readonly refusal?: string | undefined;
    };

/** The findings of a rail, for logs, in NeMo's words. Neither the text that was judged nor a model's stands in them. */
export type RailMetadata = Readonly<Record<string, unknown>>;

/** The questions that rails can ask: the engine gives them models and services, they know no HTTP. */
export interface RailPorts {
  /** Ask the model of this `type`; the body is merged over the model's defaults. */
  readonly ask: (
    modelType: string,
    body: Readonly<Record<string, unknown>>,
    signal: CallerSignal | undefined,
  ) => Promise<Completion>;
  /** The verdicts of this model that are kept, where its configuration has a cache. */
  readonly verdicts?: ((modelType: string) => VerdictCache | undefined) | undefined;
  /** POST JSON to this service. */
  readonly classify: (
    service: string,
    body: unknown,
    signal: CallerSignal | undefined,
  ) => Promise<unknown>;
}

/** Rewrites an answer that comes in pieces. */
export interface StreamRewriter {
  /** Gives what can leave by now, rewritten: what is still to come cannot change it. With the last piece, all that is left. */
  readonly take: (piece: string, isLast: boolean) => Promise<string>;
}

/** A rail that a model or a service backs. */
export interface ModelRail {
  /** The flow as the configuration wrote it. */
  readonly flow: string;
  /** Its normalised name. */
  readonly name: string;
  /** It may put another text in place of the one judged: it runs before those that may not. */
  readonly rewrites?: boolean | undefined;
  /** Rewrites one stream, for an output rail that need not read the whole answer for it. */
  readonly rewriteStream?: (() => StreamRewriter) | undefined;
  /** In a stream, it judges the answer when all of it is there, and never a stretch of it. */
  readonly readsWhole?: boolean | undefined;
  /** A rail that fails blocks: a throw is read as blocked with basis "error", except for the caller's abort. */
  readonly judge: (subject: RailSubject, ports: RailPorts) => Promise<RailVerdict>;
}

/** A rail without the flow that it is of. */
export type RailOfFlow = Omit<ModelRail, "flow" | "name">;
