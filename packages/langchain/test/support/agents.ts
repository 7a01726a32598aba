import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { ClientTool } from "@langchain/core/tools";
import { type BaseCheckpointSaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { createAgent, fakeModel } from "langchain";
import {
  GuardedToolNode,
  type GuardOptions,
  type ToolGuardrailsOptions,
  toolGuardrails,
} from "../../src/index.js";

export interface Call {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly id?: string;
}

export const asks = (id: string, name: string, args: Record<string, unknown> = {}): Call => ({
  id,
  name,
  args,
});

/** A model that asks for these calls, one list a turn, and says "done" in between and after. */
export function scripted(...turns: readonly Call[][]) {
  const model = fakeModel();
  for (const calls of turns) model.respondWithTools(calls as never).respond(new AIMessage("done"));
  return model;
}

export interface Setting extends Omit<ToolGuardrailsOptions, "tools"> {
  readonly tools: readonly ClientTool[];
  readonly turns?: readonly Call[][];
  readonly checkpointer?: BaseCheckpointSaver;
  readonly name?: string;
}

type Way = (setting: Setting, model: ReturnType<typeof scripted>) => Graph;

/** An agent of LangChain, whose calls are tasks of their own, or of one node. */
const agentOf =
  (version: "v1" | "v2"): Way =>
  (setting, model) => {
    const { tools, turns: _, checkpointer, name, ...guarding } = setting;
    return createAgent({
      model,
      tools: [...tools],
      version,
      middleware: [toolGuardrails({ tools: tools as never, ...guarding })],
      ...(name === undefined ? {} : { name }),
      ...(checkpointer === undefined ? {} : { checkpointer }),
    }) as unknown as Graph;
  };

interface Graph {
  readonly invoke: (state: unknown, config?: object) => Promise<Answered>;
  readonly stream: (state: unknown, config?: object) => Promise<AsyncIterable<unknown>>;
  readonly streamEvents: (state: unknown, config?: object) => AsyncIterable<unknown>;
}
export interface Answered {
  readonly messages: BaseMessage[];
  readonly __interrupt__?: { readonly id: string; readonly value: Record<string, unknown> }[];
}

/** A graph of LangGraph with a guarded ToolNode. */
function nodeGraph(setting: Setting, model: ReturnType<typeof scripted>): Graph {
  const { tools, turns: _, checkpointer, name: __, ...guarding } = setting;
  const node = new GuardedToolNode(tools as never, guarding as GuardOptions);
  const bound = model.bindTools(tools as never);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("agent", async ({ messages }) => ({ messages: await bound.invoke(messages) }))
    .addNode("tools", node)
    .addEdge("__start__", "agent")
    .addConditionalEdges("agent", ({ messages }) =>
      (messages.at(-1) as AIMessage).tool_calls?.length ? "tools" : "__end__",
    )
    .addEdge("tools", "agent");
  return graph.compile(checkpointer === undefined ? {} : { checkpointer }) as unknown as Graph;
}

/** The seams of this package. */
export const ways: readonly (readonly [string, (setting: Setting) => Scene])[] = (
  [
    ["createAgent", agentOf("v2")],
    ["createAgent, version v1", agentOf("v1")],
    ["GuardedToolNode", nodeGraph],
  ] as const
).map(([name, way]) => [name, (setting) => sceneOf(setting, way)] as const);

export interface Scene {
  readonly graph: Graph;
  readonly model: ReturnType<typeof scripted>;
  /** Say something, and go on to the end. */
  readonly play: (config?: object) => Promise<Answered>;
}

export function sceneOf(setting: Setting, way: Way = agentOf("v2")): Scene {
  const model = scripted(...(setting.turns ?? []));
  const graph = way(setting, model);
  return {
    graph,
    model,
    play: (config) => graph.invoke({ messages: [new HumanMessage("go")] }, config),
  };
}

/** What the model is told of each call. */
export function read({ messages }: { readonly messages: readonly BaseMessage[] }) {
  return Object.fromEntries(
    messages
      .filter((message) => ToolMessage.isInstance(message))
      .map((message) => [message.tool_call_id, message.content]),
  );
}

export function toolMessage(
  { messages }: { readonly messages: readonly BaseMessage[] },
  id: string,
) {
  const found = messages.filter(
    (message): message is ToolMessage =>
      ToolMessage.isInstance(message) && message.tool_call_id === id,
  );
  if (found.length !== 1) throw new Error(`${found.length} answers to ${id}`);
  return found[0] as ToolMessage;
}
