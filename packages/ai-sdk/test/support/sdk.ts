import * as ai7 from "ai";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import * as ai6 from "ai6";
import { MockLanguageModelV3 } from "ai6/test";

/** A part of a model's answer. */
export type Part = { readonly type: string } & Readonly<Record<string, unknown>>;
/** One answer of a model: what it says, or what it does. */
export type Answer = readonly Part[] | (() => readonly Part[]);

/** What the mock models of both versions have, as far as the tests read it. */
export interface Model {
  readonly doGenerateCalls: readonly Asked[];
  readonly doStreamCalls: readonly Asked[];
}
interface Asked {
  readonly prompt: readonly { readonly role: string; readonly content: readonly Part[] }[];
}

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

function finishOf(content: readonly Part[]) {
  const calls = content.some(({ type, providerExecuted }) => {
    return type === "tool-call" && providerExecuted !== true;
  });
  return { unified: calls ? "tool-calls" : "stop", raw: undefined };
}

/** A model that gives these answers, one after the other, then says that it is done. */
function scripted(Mock: typeof MockLanguageModelV4, answers: readonly Answer[]) {
  let turn = 0;
  const next = (): readonly Part[] => {
    const answer = answers[turn++] ?? [{ type: "text", text: "done" }];
    return typeof answer === "function" ? answer() : answer;
  };
  return new Mock({
    doGenerate: async () => {
      const content = next();
      return { content, finishReason: finishOf(content), usage, warnings: [] } as never;
    },
    doStream: async () => {
      const content = next();
      const chunks = [
        { type: "stream-start", warnings: [] },
        ...content.flatMap(streamParts),
        { type: "finish", finishReason: finishOf(content), usage },
      ];
      return {
        stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }),
      } as never;
    },
  });
}

function streamParts(part: Part): readonly Part[] {
  if (part.type !== "text") return [part];
  const id = "t";
  return [
    { type: "text-start", id },
    { type: "text-delta", id, delta: part["text"] },
    { type: "text-end", id },
  ];
}

/** The two versions that this package is for. What is of ai 6 alone is typed as if it were of 7. */
export const sdks = [
  {
    version: 6,
    ai: ai6 as unknown as typeof ai7,
    stopAfter: (steps: number) =>
      ai6.stepCountIs(steps) as unknown as ReturnType<typeof ai7.isStepCount>,
    model: (...answers: Answer[]) =>
      scripted(MockLanguageModelV3 as unknown as typeof MockLanguageModelV4, answers),
  },
  {
    version: 7,
    ai: ai7,
    stopAfter: (steps: number) => ai7.isStepCount(steps),
    model: (...answers: Answer[]) => scripted(MockLanguageModelV4, answers),
  },
] as const;

export type Sdk = (typeof sdks)[number];

export function toolCall(toolCallId: string, toolName: string, input: unknown, more = {}): Part {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  return { type: "tool-call", toolCallId, toolName, input: text, ...more };
}

/** What the model was told of the outcome of each call, in the last request that it got. */
export function readByModel(model: object): Record<string, unknown> {
  const { doGenerateCalls, doStreamCalls } = model as Model;
  const asked = [...doGenerateCalls, ...doStreamCalls].at(-1);
  const results = (asked?.prompt ?? [])
    .filter(({ role }) => role === "tool" || role === "assistant")
    .flatMap(({ content }) => content)
    .filter(({ type }) => type === "tool-result");
  return Object.fromEntries(
    results.map(({ toolCallId, output }) => [toolCallId as string, withoutNothing(output)]),
  );
}

function withoutNothing(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
