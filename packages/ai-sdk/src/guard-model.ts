import {
  type Guardrail,
  type RunOptions,
  ToolRunner,
  type ToolRunnerOptions,
  ToolstileError,
} from "@toolstile/core";
import { guardingTable } from "@toolstile/core/host";
import { boolean, func, type OptionTable, readOptions } from "@toolstile/core/provider";
import { hostFacts } from "./host-options.js";
import { guardedStream } from "./model-stream.js";
import { type ModelGuards, ModelTurn } from "./model-turn.js";
import type { ModelParams, ModelPart, SdkModel } from "./sdk.js";

export interface GuardModelOptions
  extends Omit<ToolRunnerOptions, "tools" | "aliases" | "approver"> {
  /** The host's facts about the calls of one answer, read from what the model is asked with. */
  readonly describe?: ((params: ModelParams) => RunOptions) | undefined;
  /**
   * Put what the guards make of the arguments into the calls of the
   * application's own tools, so that the SDK and the history know no others.
   * The calls are decided when they are run, by `guardTools`.
   */
  readonly rewriteCalls?: boolean | undefined;
}

const { approver: _, ...guardingAlone } = guardingTable;
const modelTable = {
  ...guardingAlone,
  describe: func<(params: ModelParams) => RunOptions>(),
  rewriteCalls: boolean(),
} satisfies OptionTable<GuardModelOptions>;

/** The members of a model that the SDK uses. */
export type GuardedModel<Model extends SdkModel> = Pick<
  Model,
  "specificationVersion" | "provider" | "modelId" | "supportedUrls" | "doGenerate" | "doStream"
>;

/**
 * Put guards between a model and the SDK, as language-model middleware does.
 *
 * Tools that the provider runs have run by the time that their calls are seen:
 * their results are judged, and those of a call that is denied withheld. A part
 * of an unknown type is withheld, and reported as a fault.
 *
 * @throws ToolstileError as `ToolRunner` does.
 */
export function guardModel<Model extends SdkModel>(
  model: Model,
  options: GuardModelOptions,
): GuardedModel<Model> {
  const { describe, rewriteCalls, ...guarding } = readOptions("guardModel()", options, modelTable);
  checkModel(model);
  const guards: ModelGuards = {
    runner: new ToolRunner(guarding),
    rewriter: rewriteCalls === true ? rewriterOf(guarding) : undefined,
    onFault: guarding.onFault,
  };
  const turnOf = (params: ModelParams): ModelTurn =>
    new ModelTurn(
      guards,
      params,
      hostFacts(describe, params, crypto.randomUUID(), params.prompt, params.abortSignal),
    );
  const guarded = {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    doGenerate: async (params: ModelParams) => {
      const turn = turnOf(params);
      const answer = (await model.doGenerate(params as never)) as ModelAnswer;
      const content = await turn.all(answer.content);
      return { ...(turn.withheld ? ownWordsOf(answer) : answer), content };
    },
    doStream: async (params: ModelParams) => {
      const turn = turnOf(params);
      const answer = (await model.doStream(params as never)) as {
        stream: ReadableStream<ModelPart>;
      };
      return { ...answer, stream: guardedStream(answer.stream, turn) };
    },
  };
  return guarded as unknown as GuardedModel<Model>;
}

interface ModelAnswer {
  readonly content: ModelPart[];
  readonly [member: string]: unknown;
}

/** The answer without the provider's metadata and the body of its response, which hold all that was found. */
function ownWordsOf({ finishReason, usage, warnings, response }: ModelAnswer): object {
  const { id, modelId, timestamp } = Object(response) as Record<string, unknown>;
  return { finishReason, usage, warnings, response: { id, modelId, timestamp } };
}

/** Its calls are asked about and never run, so that no observer is told of them. */
function rewriterOf(options: { readonly guardrails: readonly Guardrail[] } & ToolRunnerOptions) {
  const { observers: _, receiptSigner: __, ...guarding } = options;
  return new ToolRunner(guarding);
}

function checkModel(model: unknown): void {
  const { doGenerate, doStream } = Object(model) as Partial<SdkModel>;
  if (typeof doGenerate === "function" && typeof doStream === "function") return;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `The first argument of guardModel() must be a model object, received ${typeof model}.`,
  );
}
