import { Agent, type AgentConfig } from "@mastra/core/agent";
import { MastraLanguageModelV2Mock } from "@mastra/core/test-utils/llm-mock";

/** What the model asks for in one turn: name, arguments, call id. */
export type Asked = readonly [name: string, args: string | object, callId: string];
type Part = Readonly<Record<string, unknown>>;

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** A model that asks for these turns of calls, one after the other, and then says "done". */
export function asking(...turns: readonly (readonly Asked[])[]): MastraLanguageModelV2Mock {
  return scripted(turns.map((calls) => calls.map(callPart)));
}

/** A model that says these texts, one after the other, and then "done". */
export function saying(texts: readonly string[]): MastraLanguageModelV2Mock {
  return scripted(texts.map((text) => [{ type: "text", text }]));
}

function scripted(turns: readonly (readonly Part[])[]): MastraLanguageModelV2Mock {
  let next = 0;
  const answer = () => {
    const content = turns[next++] ?? [{ type: "text", text: "done" }];
    const isCall = content.some(({ type }) => type === "tool-call");
    return { content, finishReason: isCall ? "tool-calls" : "stop" };
  };
  return new MastraLanguageModelV2Mock({
    doGenerate: async () => ({ ...answer(), usage, warnings: [] }) as never,
    doStream: async () => {
      const { content, finishReason } = answer();
      const chunks = [
        { type: "stream-start", warnings: [] },
        ...content.flatMap(streamParts),
        { type: "finish", finishReason, usage },
      ];
      return { stream: ReadableStream.from(chunks) } as never;
    },
  });
}

function callPart([toolName, args, toolCallId]: Asked): Part {
  const input = typeof args === "string" ? args : JSON.stringify(args);
  return { type: "tool-call", toolCallId, toolName, input };
}

function streamParts(part: Part): readonly Part[] {
  if (part.type !== "text") return [part];
  const id = "t";
  return [
    { type: "text-start", id },
    { type: "text-delta", id, delta: part.text },
    { type: "text-end", id },
  ];
}

/** An agent that is run by such a model, and logs nothing. */
export function agentOf(model: MastraLanguageModelV2Mock, options: Partial<AgentConfig>): Agent {
  const agent = new Agent({
    id: "support",
    name: "Support",
    instructions: "Help.",
    model: model as unknown as AgentConfig["model"],
    ...(options as object),
  });
  const silent = () => {};
  agent.__setLogger({
    debug: silent,
    info: silent,
    warn: silent,
    error: silent,
    trackException: silent,
  } as never);
  return agent;
}

/** Both ways to run an agent. */
export const ways = {
  generate: (agent: Agent) => agent.generate("go"),
  stream: (agent: Agent) => agent.stream("go"),
};

/** What the model was last asked with. */
export function promptOf(model: MastraLanguageModelV2Mock) {
  return [...model.doGenerateCalls, ...model.doStreamCalls].at(-1)?.prompt ?? [];
}

/** What the model read last of each call, by call id; the text of what is an error. */
export function readBy(model: MastraLanguageModelV2Mock): Record<string, unknown> {
  const parts = promptOf(model).flatMap(({ role, content }) => (role === "tool" ? content : []));
  return Object.fromEntries(
    parts.map(({ toolCallId, output }) => [
      toolCallId,
      output.type === "error-text" ? `error: ${output.value}` : output.value,
    ]),
  );
}
