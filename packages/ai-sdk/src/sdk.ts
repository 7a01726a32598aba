/**
 * The members of the AI SDK's objects that this package reads.
 *
 * Written down here, and not imported, so that the same build fits every major
 * version of `ai` whose objects have these members.
 */

/** A tool's second argument, beside its input. */
export interface ToolCallOptions {
  readonly toolCallId: string;
  /** The messages that led to the call. */
  readonly messages?: readonly unknown[] | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  /** The tool's own entry of `toolsContext`, in ai 7. */
  readonly context?: unknown;
  /** The context of a call in ai 6. */
  readonly experimental_context?: unknown;
}

/** A tool of a ToolSet. */
export interface SdkTool {
  readonly type?: string | undefined;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly isProviderExecuted?: boolean | undefined;
  readonly execute?: unknown;
  readonly needsApproval?: unknown;
  readonly toModelOutput?: unknown;
  readonly onInputAvailable?: unknown;
}

/** A ToolSet, of whichever version. */
export type SdkTools = Readonly<Record<string, SdkTool>>;

export type Execute = (input: unknown, options: ToolCallOptions) => unknown;

/** A model: a LanguageModelV2, V3 or V4. */
export interface SdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: unknown;
  readonly doGenerate: (options: never) => PromiseLike<unknown>;
  readonly doStream: (options: never) => PromiseLike<unknown>;
}

/** The parameters of a model's call. */
export interface ModelParams {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly ModelTool[] | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** A tool as a model is told of it. */
export interface ModelTool {
  readonly type: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: object | undefined;
}

/** A part of what a model answers; which members there are, its type says. */
export interface ModelPart {
  readonly type: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly result?: unknown;
  readonly isError?: boolean | undefined;
  readonly providerExecuted?: boolean | undefined;
  readonly preliminary?: boolean | undefined;
  readonly dynamic?: boolean | undefined;
}
