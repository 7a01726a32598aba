import { Mastra } from "@mastra/core";
import type { Agent } from "@mastra/core/agent";
import { toStandardSchema } from "@mastra/core/schema";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { guardHooks, guardTools } from "@toolstile/mastra";
import { agentOf, asking, readBy } from "../../../packages/mastra/test/scripted.js";
import { each, lastOf, textOf, throwReported } from "../playing.js";
import type { ParityTool, Report, Seam, Turn } from "../seam.js";

interface Options {
  readonly abortSignal?: AbortSignal;
}

/** Runs an agent to its end, or to where somebody has to approve. */
interface Way {
  readonly go: (agent: Agent, options: Options) => Promise<Suspended>;
  readonly resume: (
    agent: Agent,
    options: { runId: string; toolCallId: string },
  ) => Promise<unknown>;
}

interface Suspended {
  readonly runId: string;
  readonly toolCallId: string | undefined;
}

const ways: Readonly<Record<string, Way>> = {
  generate: {
    go: async (agent, options) => {
      const { runId, suspendPayload } = await agent.generate("go", options);
      return { runId: String(runId), toolCallId: (await suspendPayload)?.toolCallId };
    },
    resume: (agent, options) => agent.resumeGenerate({}, options),
  },
  stream: {
    go: async (agent, options) => {
      const streamed = await agent.stream("go", options);
      let toolCallId: string | undefined;
      for await (const chunk of streamed.fullStream) {
        if (chunk.type === "tool-call-suspended") toolCallId = chunk.payload.toolCallId;
      }
      return { runId: streamed.runId, toolCallId };
    },
    resume: async (agent, options) => {
      const streamed = await agent.resumeStream({}, options);
      for await (const _ of streamed.fullStream);
    },
  },
};

/** Each schema as Mastra takes it, by its text: Mastra compiles one for as long as most cases take. */
const schemas = new Map<string, ReturnType<typeof toStandardSchema>>();

function schemaOf(parameters: ParityTool["parameters"]) {
  const text = JSON.stringify(parameters);
  const schema = schemas.get(text) ?? toStandardSchema(parameters);
  schemas.set(text, schema);
  return schema;
}

function mastraTool({ name, description, parameters, execute }: ParityTool, end: typeof lastOf) {
  return createTool({
    id: name,
    description,
    inputSchema: schemaOf(parameters),
    execute: (args, context) =>
      Promise.resolve(execute(args as never, context.abortSignal)).then(end),
  });
}

function toolsOf({ tools }: Turn, end: typeof lastOf = lastOf) {
  return Object.fromEntries(tools.map((tool) => [tool.name, mastraTool(tool, end)]));
}

function optionsOf({ guardrails, observers, approver, timeoutMs, describe }: Turn) {
  return { guardrails, observers, approver, timeoutMs, describe };
}

/** An agent with guarded tools, or with unguarded ones and guards as its hooks. */
const guardings: Readonly<Record<string, (turn: Turn) => Partial<Parameters<typeof agentOf>[1]>>> =
  {
    guardTools: (turn) => {
      const requestApproval = turn.approver !== undefined;
      return { tools: guardTools(toolsOf(turn), { ...optionsOf(turn), requestApproval }) };
    },
    guardHooks: (turn) => ({
      tools: toolsOf(turn, async (answer) => throwReported(await lastOf(answer))),
      hooks: guardHooks({
        ...optionsOf(turn),
        tools: turn.tools.map(({ name, parameters }) => ({ name, parameters })),
      }),
    }),
  };

async function playAgent(
  way: Way,
  guarding: (turn: Turn) => Partial<Parameters<typeof agentOf>[1]>,
  turn: Turn,
): Promise<Report> {
  const model = asking(
    turn.calls.map(({ callId, name, arguments: args }) => [name, args, callId] as const),
  );
  const agent = agentOf(model, guarding(turn));
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  const abortSignal = turn.signal;
  const read = () => texts(readBy(model));
  try {
    const { runId, toolCallId } = await way.go(agent, abortSignal ? { abortSignal } : {});
    if (toolCallId === undefined) return { read: read() };
    const resume = async (): Promise<Report> => {
      await way.resume(agent, { runId, toolCallId });
      return { read: read(), resume };
    };
    return { read: read(), resume };
  } catch (rejected) {
    return { read: read(), rejected };
  }
}

function texts(read: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(read).map(([callId, output]) => {
      const text = textOf(output);
      return [callId, text.startsWith("error: ") ? text.slice("error: ".length) : text];
    }),
  );
}

/** As your own code runs a tool: with what an agent would have told it of the call. */
async function playExecute(turn: Turn): Promise<Report> {
  const tools = guardTools(toolsOf(turn), optionsOf(turn));
  const { values, rejected } = await each(turn, async ({ callId, name, arguments: args }) => {
    const agent = { toolCallId: callId, messages: [] };
    const context = { agent, abortSignal: turn.signal };
    try {
      const output = await tools[name]?.execute?.(args as never, context as never);
      return [callId, output === undefined ? "" : textOf(output)] as const;
    } catch (error) {
      turn.signal?.throwIfAborted();
      return [callId, (error as Error).message] as const;
    }
  });
  return { read: new Map(values), rejected };
}

const ofAgents: Seam["cannot"] = {
  notJsonRecorded: "Mastra reads the arguments and answers the call itself. Nothing runs.",
  repeatedKey:
    "Mastra reads the arguments, and of a key that comes twice takes the last. What it read is what is judged and run.",
  unknownToolRecorded: "Mastra answers the call itself. Nothing runs.",
  inheritedName:
    "Mastra takes what every object inherits for a tool that its client runs, and ends the run. Nothing runs here.",
  undefinedResult:
    "Mastra takes a tool without an answer for one whose answer is still to come, and ends the run.",
};

const cannot: Readonly<Record<string, Seam["cannot"]>> = {
  guardTools: {
    ...ofAgents,
    invalidArguments: "Mastra checks the arguments and answers the call itself. Nothing runs.",
  },
  guardHooks: {
    ...ofAgents,
    resultRewritten:
      "A hook can change an object or a list, and no text: a text that a judge changed is withheld.",
    approvalResumed:
      "A hook cannot suspend a run. An approver that answers while the call waits lifts a denial.",
    approvalOtherTrace:
      "A hook cannot suspend a run. An approver that answers while the call waits lifts a denial.",
  },
};

const ofOwnCode: Seam["cannot"] = {
  unknownTool: "Your own code finds no tool to run.",
  unknownToolRecorded: "Your own code finds no tool to run.",
  inheritedName: "Your own code finds no tool to run.",
  approvalResumed:
    "Only an agent's run can be suspended. An approver that answers while the call waits lifts a denial.",
  approvalOtherTrace:
    "Only an agent's run can be suspended. An approver that answers while the call waits lifts a denial.",
};

const repeatedId = "Streamed, Mastra takes two calls of one id for one.";

export const mastraSeams: readonly Seam[] = [
  ...Object.entries(guardings).flatMap(([guarding, guarded]) =>
    Object.entries(ways).map(([name, way]) => ({
      name: `@mastra/core ${guarding}, ${name}`,
      cannot: { ...cannot[guarding], ...(name === "stream" && { repeatedId }) },
      play: (turn: Turn) => playAgent(way, guarded, turn),
    })),
  ),
  { name: "@mastra/core guardTools, execute", cannot: ofOwnCode, play: playExecute },
];
