/** A message as OpenAI's Chat Completions have it. What is not named here is forwarded as it is. */
export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly [key: string]: unknown;
}

/** A call that a model asked for, as read off its answer; nothing in it has been checked. */
export interface AskedCall {
  /** Absent where the model gave none. */
  readonly id: string | undefined;
  /** "function" unless the model said otherwise. */
  readonly type: string;
  /** Absent for a hosted tool, which `type` alone names. */
  readonly name: string | undefined;
  /** JSON text, as the model wrote it; or what it gave in place of text. */
  readonly arguments: unknown;
}

/** The tokens of one exchange with a model, as the provider counted them. */
export interface TokenUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}

/** One whole answer of a model. */
export interface Completion {
  /** Text without reasoning; "" where there is none. */
  readonly content: string;
  readonly reasoning?: string | undefined;
  /** The provider marks the text as a refusal to answer: it is not a verdict. */
  readonly isRefusal?: boolean | undefined;
  readonly calls: readonly AskedCall[];
  /** Proves nothing: providers say `stop` beside calls, and `tool_calls` beside arguments cut short. */
  readonly finishReason?: string | undefined;
  readonly usage?: TokenUsage | undefined;
  /** The model and id that the provider's answer names. */
  readonly responseModel?: string | undefined;
  readonly responseId?: string | undefined;
}

/** The events of a streaming model, in order; `end` comes once, last. */
export type CompletionEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "end"; readonly completion: Completion };
