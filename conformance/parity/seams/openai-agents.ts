import {
  Agent,
  type FunctionTool,
  type MCPServer,
  type MCPToolErrorFunction,
  type RunState,
  tool,
} from "@openai/agents";
import type { ScriptedModel } from "@openai/agents/testing";
import { guardMcpServer, guardTools } from "@toolstile/openai-agents";
import { asking, read, runner } from "../../../packages/openai-agents/test/scripted-run.js";
import { lastOf, reportedError, textOf } from "../playing.js";
import type { ParityTool, Report, Seam, Turn } from "../seam.js";

type SupportAgent = Agent<unknown>;
type State = RunState<unknown, SupportAgent>;

/** Runs an agent to its end, or to where somebody has to approve. */
type Way = (
  agent: SupportAgent,
  model: ScriptedModel,
  input: string | State,
  signal: AbortSignal | undefined,
) => Promise<State>;

const ways: Readonly<Record<string, Way>> = {
  run: async (agent, model, input, signal) =>
    (await runner(model).run(agent, input, signal && { signal })).state as State,
  "run, streamed": async (agent, model, input, signal) => {
    const streamed = await runner(model).run(agent, input, {
      ...(signal && { signal }),
      stream: true,
    });
    for await (const _ of streamed);
    await streamed.completed;
    return streamed.state as State;
  },
};

function functionTool({ name, description, parameters, execute }: ParityTool): FunctionTool {
  return tool({
    name,
    description,
    parameters: { ...(parameters as object), additionalProperties: true } as never,
    strict: false,
    execute: (args, _, details) => lastOf(execute(args as never, details?.signal)),
  }) as FunctionTool;
}

function optionsOf({ guardrails, observers, approver, timeoutMs, describe }: Turn) {
  return { guardrails, observers, approver, timeoutMs, describe };
}

function withTools(turn: Turn): SupportAgent {
  const requestApproval = turn.approver !== undefined;
  const options = { ...optionsOf(turn), requestApproval };
  return new Agent({ name: "support", tools: guardTools(turn.tools.map(functionTool), options) });
}

function withServer(turn: Turn): SupportAgent {
  const server = guardMcpServer(new ParityServer(turn.tools), optionsOf(turn));
  return new Agent({ name: "support", mcpServers: [server] });
}

async function play(agent: SupportAgent, way: Way, turn: Turn): Promise<Report> {
  const model = asking(
    turn.calls.map(({ callId, name, arguments: args }) => [name, args, callId] as const),
  );
  const go = async (input: string | State): Promise<Report> => {
    try {
      const state = await way(agent, model, input, turn.signal);
      const resume = () => {
        for (const item of state.getInterruptions()) state.approve(item);
        return go(state);
      };
      return { read: texts(read(model)), resume };
    } catch (rejected) {
      return { read: texts(read(model)), rejected };
    }
  };
  return go("go");
}

function texts(read: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(read).map(([callId, output]) => [callId, textOf(output)]));
}

/** An MCP server of the framework's kind, in this process. */
class ParityServer implements MCPServer {
  readonly name = "parity";
  readonly cacheToolsList = false;
  toolMetaResolver!: NonNullable<MCPServer["toolMetaResolver"]>;
  errorFunction!: MCPToolErrorFunction;
  readonly #tools: readonly ParityTool[];

  constructor(tools: readonly ParityTool[]) {
    this.#tools = tools;
  }

  async connect(): Promise<void> {}
  async close(): Promise<void> {}
  async invalidateToolsCache(): Promise<void> {}

  async listTools() {
    return this.#tools.map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: parameters as never,
    }));
  }

  async callTool(...[name, args, , options]: Parameters<MCPServer["callTool"]>) {
    const own = this.#tools.find((each) => each.name === name);
    const value = await lastOf(own?.execute(args as never, options?.signal));
    const text = reportedError(value) ?? (value === undefined ? "" : textOf(value));
    const isError = reportedError(value) !== undefined;
    return Object.assign([{ type: "text" as const, text }], { isError });
  }
}

const cannot: Seam["cannot"] = {
  toolThrows: "The framework tells the model in its own words that a tool failed.",
  repeatedId: "The framework refuses the whole answer of a model that gives two calls one id.",
  notJsonRecorded: "The framework reads the arguments and answers the call itself. Nothing runs.",
  unknownTool: "The framework rejects the run, unless its toolNotFoundBehavior says otherwise.",
  unknownToolRecorded: "The framework rejects the run before any tool is asked. Nothing runs.",
  inheritedName: "The framework rejects the run, as for any tool that is not there.",
};

const perServer: Seam["cannot"] = {
  ...cannot,
  repeatedId: "The framework tells a server no call ids.",
  repeatedKey:
    "The framework reads the arguments, and of a key that comes twice takes the last. What it read is what is judged and run.",
  approvalResumed:
    "The framework tells a server no call ids, so that no approval could be told from another. An approver that answers at once lifts a denial.",
  approvalOtherTrace:
    "The framework tells a server no call ids, so that no approval could be told from another. An approver that answers at once lifts a denial.",
};

const perTool: Seam["cannot"] = {
  ...cannot,
  toolThrowsRecorded:
    "The framework's tool catches what its function throws. Judges get the framework's text, as a result.",
  undefinedResult: 'The framework writes that there is no answer as "undefined".',
};

export const openaiAgentsSeams: readonly Seam[] = Object.entries(ways).flatMap(([name, way]) => [
  {
    name: `@openai/agents guardTools, ${name}`,
    cannot: perTool,
    play: (turn: Turn) => play(withTools(turn), way, turn),
  },
  {
    name: `@openai/agents guardMcpServer, ${name}`,
    mintsIds: true,
    cannot: perServer,
    play: (turn: Turn) => play(withServer(turn), way, turn),
  },
]);
