import { guardTools } from "@toolstile/ai-sdk";
import {
  type Part,
  readByModel,
  type Sdk,
  sdks,
  toolCall,
} from "../../../packages/ai-sdk/test/support/sdk.js";
import { isGenerator, textOf } from "../playing.js";
import type { ParityTool, Report, Seam, Turn } from "../seam.js";

type GenerateOptions = Parameters<Sdk["ai"]["generateText"]>[0];
type Message = NonNullable<GenerateOptions["messages"]>[number];

const cannot: Seam["cannot"] = {
  notJsonRecorded: "The SDK reads the arguments and answers the call itself. Nothing runs.",
  unknownToolRecorded: "The SDK answers the call itself. Nothing runs.",
  repeatedKey:
    "The SDK reads the arguments, and of a key that comes twice takes the last. What it read is what is judged and run.",
  undefinedResult: "The SDK writes that there is no answer as null.",
};

/** Gives a whole answer, or one piece by piece, and what the model said in it. */
type Way = (
  sdk: Sdk,
  options: GenerateOptions,
) => Promise<{ readonly content: readonly Part[]; readonly messages: readonly Message[] }>;

const ways: Readonly<Record<string, Way>> = {
  generateText: async ({ ai }, options) => {
    const { content, response } = await ai.generateText(options);
    return { content: content as readonly Part[], messages: response.messages };
  },
  streamText: async ({ ai }, options) => {
    let failed: unknown;
    const onError = ({ error }: { error: unknown }): void => {
      failed = error;
    };
    const streamed = ai.streamText({ ...options, onError } as never);
    for await (const part of streamed.fullStream) {
      if (part.type === "abort") options.abortSignal?.throwIfAborted();
    }
    if (failed !== undefined) throw failed;
    const { messages } = await streamed.response;
    return { content: (await streamed.content) as readonly Part[], messages };
  },
};

function toolSet(sdk: Sdk, tools: readonly ParityTool[]): object {
  return Object.fromEntries(
    tools.map(({ name, description, parameters, execute }) => [
      name,
      {
        description,
        inputSchema: sdk.ai.jsonSchema(parameters as never),
        // To the SDK the last piece is the output, and what a generator returns is nothing.
        execute: isGenerator(execute)
          ? async function* (args: object, { abortSignal }: { abortSignal?: AbortSignal }) {
              yield yield* execute(args as never, abortSignal) as AsyncGenerator<unknown>;
            }
          : (args: object, { abortSignal }: { abortSignal?: AbortSignal }) =>
              execute(args as never, abortSignal),
      },
    ]),
  );
}

/** The SDK's user says yes to whatever was asked. */
function approving(content: readonly Part[]): Message {
  const requests = content.filter(({ type }) => type === "tool-approval-request");
  const responses = requests.map(({ approvalId }) => ({
    type: "tool-approval-response" as const,
    approvalId: String(approvalId),
    approved: true,
  }));
  return { role: "tool", content: responses };
}

async function play(sdk: Sdk, way: Way, turn: Turn): Promise<Report> {
  const { guardrails, observers, approver, timeoutMs, describe, signal } = turn;
  const tools = guardTools(toolSet(sdk, turn.tools) as never, {
    guardrails,
    observers,
    approver,
    timeoutMs,
    requestApproval: approver !== undefined,
    describe,
  });
  const generate = async (
    messages: readonly Message[],
    answers: readonly Part[],
  ): Promise<Report> => {
    const model = answers.length === 0 ? sdk.model() : sdk.model([...answers]);
    const options = { model, tools, messages, stopWhen: sdk.stopAfter(3), abortSignal: signal };
    try {
      const answered = await way(sdk, { maxRetries: 0, ...options } as never);
      const resume = () =>
        generate([...messages, ...answered.messages, approving(answered.content)], []);
      return { read: read(model), resume };
    } catch (rejected) {
      return { read: read(model), rejected };
    }
  };
  const calls = turn.calls.map(({ callId, name, arguments: args }) => toolCall(callId, name, args));
  return generate([{ role: "user", content: "go" }], calls);
}

function read(model: object): ReadonlyMap<string, string> {
  const outputs = Object.entries(readByModel(model)) as [
    string,
    { type: string; value: unknown },
  ][];
  return new Map(outputs.map(([callId, { value }]) => [callId, textOf(value)]));
}

export const aiSdkSeams: readonly Seam[] = sdks.flatMap((sdk) =>
  Object.entries(ways).map(([name, way]) => ({
    name: `ai ${sdk.version}, ${name}`,
    isOlder: sdk.version === 6,
    cannot,
    play: (turn: Turn) => play(sdk, way, turn),
  })),
);
