import type { HostContext } from "@toolstile/core/host";
import type { ChatMessage, TokenUsage } from "../chat/message.js";
import type { Violation } from "../violation.js";
import type { AssistantMessage, ToolCallMessage } from "./assistant-message.js";
import type { GenerationLog, LogOptions } from "./generation-log.js";
import type { GenerationResponse, RailException, ToolViolation } from "./generation-response.js";

/** The options of one request. The names are NeMo Guardrails', as they travel over HTTP. */
export interface GenerationOptions {
  /** Parameters of the main model, `tools` and `tool_choice` among them; they replace the configured ones key by key. */
  readonly llm_params?: Readonly<Record<string, unknown>> | undefined;
  /** The rails that run: by family true, false or a list of names; or a list of families. Default: all configured rails. */
  readonly rails?:
    | readonly string[]
    | { readonly [family: string]: boolean | readonly string[] | undefined }
    | undefined;
  /** `relevant_chunks`: what `self check facts` holds the answer to. */
  readonly context?:
    | { readonly relevant_chunks?: string | readonly string[] | undefined }
    | undefined;
  /** The part of the log of rails that the result holds. Not for streams. */
  readonly log?: LogOptions | undefined;
}

/** One request. */
export interface GenerationRequest {
  /** The whole conversation, as Chat Completions have it. */
  readonly messages?: readonly ChatMessage[] | undefined;
  /** In place of `messages`: one message of the user. */
  readonly prompt?: string | undefined;
  readonly options?: GenerationOptions | undefined;
  /** The host's facts, for guards, records and receipts. Never the model's. */
  readonly context?: HostContext | undefined;
  readonly agentName?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type RailsStatus = "passed" | "modified" | "blocked";

/** The answer to one request. The members of NeMo's `GenerationResponse` are there if the request has `options`. */
export interface GenerationResult extends Partial<GenerationResponse> {
  readonly message: AssistantMessage;
  /** "modified": a rail has changed the request, the answer or a call. */
  readonly status: RailsStatus;
  /** The violations. The first one gives the reason. */
  readonly violations: readonly Violation[];
  /** In every log line and span of the request. */
  readonly requestId: string;
  /** The model's reasoning. No rail has judged it. */
  readonly reasoning?: string | undefined;
  readonly usage?: TokenUsage | undefined;
  readonly finishReason?: string | undefined;
  /** Only of a block, and if the configuration has `enable_rails_exceptions`. */
  readonly exception?: RailException | undefined;
}

/** One piece of a streamed answer; its `type` tells it from others, never its text. */
export type StreamChunk =
  | { readonly type: "text"; readonly text: string }
  /** Once, last. */
  | { readonly type: "tool_calls"; readonly toolCalls: readonly ToolCallMessage[] }
  /** Last: nothing comes after a block. */
  | {
      readonly type: "violation";
      readonly error: {
        readonly message: string;
        readonly type: "guardrails_violation";
        readonly param: RailFamilyParam;
        readonly code: "content_blocked";
      };
      readonly violations: readonly Violation[];
    }
  /** Last. Its message names the model and the kind of fault, nothing that the provider wrote. */
  | {
      readonly type: "error";
      readonly error: {
        readonly message: string;
        readonly type: "generation_error";
        readonly code: "generation_failed";
      };
      readonly requestId: string;
    };

export type RailFamilyParam =
  | "tool_input_rails"
  | "input_rails"
  | "output_rails"
  | "tool_output_rails";

/** The kinds of rails that `check` asks. The last two are the names of NeMo's older releases for the two before. */
export type RailType =
  | "input"
  | "output"
  | "tool_call"
  | "tool_result"
  | "tool_output"
  | "tool_input";

/** A conversation to judge, without a model's answer to it. */
export interface CheckRequest {
  readonly messages: readonly ChatMessage[];
  /**
   * In place of those of the configuration: an empty list allows no call. Those in
   * `options.llm_params.tools` stand beside them, as for `generate`.
   */
  readonly tools?: readonly unknown[] | undefined;
  /**
   * The rails to ask. Default: what is configured and there to be judged. The calls
   * of the last message of the assistant are, where tools were declared.
   */
  readonly railTypes?: readonly RailType[] | undefined;
  /** As `generate` takes them. Of `llm_params`, only `tools` says anything here; they stand there or in `tools`. */
  readonly options?: GenerationOptions | undefined;
  readonly context?: HostContext | undefined;
  readonly agentName?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The verdict of the rails on a conversation. */
export interface CheckResult {
  readonly status: RailsStatus;
  /** The text that was judged last, as rails have left it. Where it is blocked: the refusal, or, if a rail could not decide, "I'm sorry, an internal error has occurred." */
  readonly content: string;
  /** The flow or provider that blocked, or the last that modified. */
  readonly rail?: string | undefined;
  /** The reason of the block: that of the first violation. */
  readonly reason?: string | undefined;
  readonly violations: readonly Violation[];
  /** Those of them that rails on tools found, under NeMo's names. */
  readonly tool_violations: readonly ToolViolation[];
  /** The conversation as rails have left it. */
  readonly messages: readonly ChatMessage[];
  /** Only if `options.log` asks for it. */
  readonly log?: GenerationLog | undefined;
}

/** An engine around a chat model: this one, or the one that a fallback gives. */
export interface RailsEngine {
  readonly generate: (request: GenerationRequest) => Promise<GenerationResult>;
  readonly stream: (request: GenerationRequest) => AsyncGenerator<StreamChunk, void, void>;
  readonly check: (request: CheckRequest) => Promise<CheckResult>;
  readonly close: () => Promise<void>;
}

/** The answer to a blocked request. */
const refusal = "I'm sorry, I can't respond to that.";

/** The answer to a request that a rail blocked because it could not decide. */
const internalError = "I'm sorry, an internal error has occurred.";

/** The text in place of what was blocked: the rail's own, if it has one. */
export function refusalOf([first]: readonly Violation[]): string {
  if (first?.violationType === "rail_failed") return internalError;
  return first?.refusal ?? refusal;
}
