import type { Attributes } from "@opentelemetry/api";
import { ownValue } from "@toolstile/core/provider";
import type { ChatMessage, Completion } from "../chat/message.js";
import { type ContentCapture, captureCompletion, captureMessages } from "./capture.js";
import { errorType } from "./error-type.js";
import type { Instruments } from "./instruments.js";
import { quietly } from "./quietly.js";
import type { OpenSpan, RequestSpans } from "./spans.js";

/** The parts of telemetry that are on. */
export interface Recording {
  readonly spans: RequestSpans | undefined;
  readonly instruments: Instruments | undefined;
  readonly capture: ContentCapture;
  readonly now: () => number;
}

/** One exchange with a model, as it begins. */
export interface ChatFacts {
  readonly model: string;
  /** The provider, as the configuration's `engine` names it. */
  readonly engine: string;
  readonly messages?: readonly ChatMessage[] | undefined;
  /** The request's body, or those of its parameters that are known. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

/** An exchange that is under way: a piece of a streamed answer has come, or the whole answer. */
export type ChatSpan = Pick<RecordedChat, "chunk" | "completed">;

/** The attributes that a span has for a request's parameters, and those of them that may hold a number. */
const numbers: readonly (readonly [parameter: string, attribute: string])[] = [
  ["max_completion_tokens", "gen_ai.request.max_tokens"],
  ["max_tokens", "gen_ai.request.max_tokens"],
  ["temperature", "gen_ai.request.temperature"],
  ["top_p", "gen_ai.request.top_p"],
  ["top_k", "gen_ai.request.top_k"],
  ["frequency_penalty", "gen_ai.request.frequency_penalty"],
  ["presence_penalty", "gen_ai.request.presence_penalty"],
  ["seed", "gen_ai.request.seed"],
];

export function labelsOf({ model, engine }: ChatFacts): Attributes {
  return {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": engine,
    "gen_ai.request.model": model,
  };
}

export function parametersOf({ parameters }: ChatFacts): Attributes {
  const attributes: Attributes = {};
  for (const [parameter, attribute] of numbers) {
    const value = ownValue(parameters, parameter);
    if (typeof value === "number") attributes[attribute] = value;
  }
  const stop = ownValue(parameters, "stop");
  const sequences = typeof stop === "string" ? [stop] : stop;
  if (Array.isArray(sequences) && sequences.every((text) => typeof text === "string")) {
    attributes["gen_ai.request.stop_sequences"] = sequences;
  }
  return attributes;
}

/** Measures and describes one exchange, until its `end`. */
export function recordedChat(
  facts: ChatFacts,
  span: OpenSpan | undefined,
  { instruments, capture, now }: Recording,
) {
  const labels = labelsOf(facts);
  const startedAt = now();
  let lastChunkAt: number | undefined;
  let error: string | undefined;
  let ended = false;
  const { messages } = facts;
  if (span !== undefined && capture.enabled && messages !== undefined) {
    quietly(() => captureMessages(span, messages, capture));
  }
  return {
    chunk: (): void => {
      if (instruments === undefined) return;
      const at = now();
      const since = (at - (lastChunkAt ?? startedAt)) / 1000;
      instruments.record(lastChunkAt === undefined ? "firstChunk" : "perChunk", since, labels);
      lastChunkAt = at;
    },
    completed: (completion: Completion): void => {
      const { responseModel, usage } = completion;
      if (responseModel !== undefined) labels["gen_ai.response.model"] = responseModel;
      for (const [type, count] of [
        ["input", usage?.inputTokens],
        ["output", usage?.outputTokens],
      ] as const) {
        if (count === undefined) continue;
        instruments?.record("tokens", count, { ...labels, "gen_ai.token.type": type });
      }
      if (span === undefined) return;
      span.set(() => answerOf(completion));
      if (capture.enabled) quietly(() => captureCompletion(span, completion, capture));
    },
    failed: (thrown: unknown): void => {
      error = errorType(thrown);
      span?.fail(thrown);
    },
    end: (): void => {
      if (ended) return;
      ended = true;
      const all = { ...labels, ...(error && { "error.type": error }) };
      instruments?.record("chat", (now() - startedAt) / 1000, all);
      span?.end();
    },
  };
}

export type RecordedChat = ReturnType<typeof recordedChat>;

function answerOf({ responseModel, responseId, finishReason, usage }: Completion): Attributes {
  return {
    ...(responseModel !== undefined && { "gen_ai.response.model": responseModel }),
    ...(responseId !== undefined && { "gen_ai.response.id": responseId }),
    ...(finishReason !== undefined && { "gen_ai.response.finish_reasons": [finishReason] }),
    ...(usage?.inputTokens !== undefined && { "gen_ai.usage.input_tokens": usage.inputTokens }),
    ...(usage?.outputTokens !== undefined && { "gen_ai.usage.output_tokens": usage.outputTokens }),
    ...(usage?.reasoningTokens !== undefined && {
      "gen_ai.usage.reasoning.output_tokens": usage.reasoningTokens,
    }),
  };
}
