import { Command, MemorySaver } from "@langchain/langgraph";
import { AIMessage, HumanMessage, ToolMessage, tool } from "langchain";
import {
  type Scene as Graph,
  read,
  ways,
} from "../../../packages/langchain/test/support/agents.js";
import { approvedIn, isGenerator, reportedError, textOf } from "../playing.js";
import type { AskedCall, ParityTool, Report, Seam, Turn } from "../seam.js";

const unread =
  "LangChain reads the arguments, and puts what is no JSON into invalid_tool_calls, which call nothing.";

const cannot: Seam["cannot"] = {
  notJson: `${unread} The model is told nothing: look for them in its message.`,
  notJsonRecorded: unread,
  repeatedKey:
    "LangChain reads the arguments, and of a key that comes twice takes the last. What it read is what is judged and run.",
};

interface Config {
  readonly signal: AbortSignal;
  readonly toolCall: { readonly id: string };
}

function toolOf({ name, description, parameters, execute }: ParityTool) {
  const run = isGenerator(execute)
    ? async function* (args: never, { signal }: Config) {
        return yield* execute(args, signal) as AsyncGenerator<unknown>;
      }
    : async (args: never, { signal, toolCall }: Config) => {
        const answer = await execute(args, signal);
        const content = reportedError(answer);
        if (content === undefined) return answer;
        return new ToolMessage({ content, status: "error", tool_call_id: toolCall.id });
      };
  return tool(run as never, { name, description, schema: parameters as never });
}

/** The message that a model of LangChain makes of the calls that it is sent. */
function asking(calls: readonly AskedCall[]): AIMessage {
  const tool_calls: NonNullable<AIMessage["tool_calls"]> = [];
  const invalid_tool_calls: NonNullable<AIMessage["invalid_tool_calls"]> = [];
  for (const { callId: id, name, arguments: args } of calls) {
    try {
      tool_calls.push({ id, name, args: JSON.parse(args), type: "tool_call" });
    } catch {
      invalid_tool_calls.push({ id, name, args, type: "invalid_tool_call" });
    }
  }
  return new AIMessage({ content: "", tool_calls, invalid_tool_calls });
}

/** Take the graph on, whole or update by update. */
type Way = (graph: Graph["graph"], state: unknown, config: object) => Promise<unknown>;

const invoked: Way = (graph, state, config) => graph.invoke(state, config);
const streamed: Way = async (graph, state, config) => {
  for await (const _ of await graph.stream(state, { ...config, streamMode: "updates" }));
};

function play(make: (typeof ways)[number][1], way: Way, turn: Turn): Promise<Report> {
  const { guardrails, observers, approver, timeoutMs, describe, signal } = turn;
  const { graph, model } = make({
    tools: turn.tools.map(toolOf) as never,
    guardrails,
    observers,
    approver,
    timeoutMs,
    describe,
    checkpointer: new MemorySaver(),
  });
  model.respond(asking(turn.calls)).respond(new AIMessage("done"));
  const thread = { configurable: { thread_id: "t1" }, signal };
  const report = (): Pick<Report, "read"> => {
    const told = Object.entries(read({ messages: model.calls.at(-1)?.messages ?? [] }));
    return { read: new Map(told.map(([callId, content]) => [callId, textOf(content)])) };
  };
  const go = async (state: unknown): Promise<Report> => {
    try {
      await way(graph, state, thread);
    } catch (rejected) {
      return { ...report(), rejected };
    }
    const resume = async (): Promise<Report> => {
      approvalId ||= await approvedIn(approver);
      return go(new Command({ resume: { approvalId } }));
    };
    return { ...report(), resume };
  };
  let approvalId = "";
  return go({ messages: [new HumanMessage("go")] });
}

const named: readonly (readonly [string, (typeof ways)[number][1], Way])[] = [
  ...ways.map(([name, make]) => [name, make, invoked] as const),
  ...ways.slice(0, 1).map(([name, make]) => [`${name}, streamed`, make, streamed] as const),
];

export const langchainSeams: readonly Seam[] = named.map(([name, make, way]) => ({
  name: `langchain, ${name}`,
  isOlder: name.endsWith("version v1"),
  cannot,
  play: (turn) => play(make, way, turn),
}));
