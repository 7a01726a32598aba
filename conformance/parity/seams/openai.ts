import { type RunOptions, ToolRunner } from "@toolstile/core";
import { chatTools, responseTools, toolMessages, toolOutputs } from "@toolstile/openai";
import { completionBody } from "@toolstile/testing";
import { clients, scripted } from "../../../packages/openai/test/support/clients.js";
import { approvedIn, readOf, statesFacts, toolsOf } from "../playing.js";
import type { Report, Seam, Turn } from "../seam.js";

type Client = (typeof clients)[number]["Client"];

/** Plays a turn through the client of one API, and gives what its second request has for the model, by call id. */
type Way = (Client: Client, turn: Turn, runner: ToolRunner) => Promise<Report["read"]>;

const ways: Readonly<Record<string, Way>> = {
  toolMessages: async (Client, turn, runner) => {
    const asked = turn.calls.map(({ callId, name, arguments: text }) => ({
      id: callId,
      type: "function",
      function: { name, arguments: text },
    }));
    const first = completionBody({ content: null, tool_calls: asked }, "tool_calls");
    const { client, server } = await scripted(Client, first, completionBody({ content: "Done." }));
    await using _ = server;
    const body = { model: "scripted", tools: chatTools(runner) };
    const { choices } = await client.chat.completions.create({ ...body, messages: [] });
    const message = choices[0]?.message ?? { content: null, role: "assistant", refusal: null };
    const messages = [message, ...(await toolMessages(runner, message, optionsOf(turn)))];
    await client.chat.completions.create({ ...body, messages });
    const sent = server.requests[1]?.body as { messages: Record<string, string>[] };
    return new Map(
      sent.messages.slice(1).map((each) => [each["tool_call_id"] ?? "", each["content"] ?? ""]),
    );
  },
  toolOutputs: async (Client, turn, runner) => {
    const output = turn.calls.map(({ callId, name, arguments: text }) => ({
      type: "function_call",
      call_id: callId,
      name,
      arguments: text,
    }));
    const { client, server } = await scripted(Client, { output }, { output: [] });
    await using _ = server;
    const body = { model: "scripted", tools: responseTools(runner) };
    const response = await client.responses.create({ ...body, input: "go" });
    const input = await toolOutputs(runner, response, optionsOf(turn));
    await client.responses.create({ ...body, input });
    const sent = server.requests[1]?.body as { input: Record<string, string>[] };
    return new Map(sent.input.map((each) => [each["call_id"] ?? "", each["output"] ?? ""]));
  },
};

function optionsOf({ describe, signal }: Turn): RunOptions {
  return { ...describe?.(), signal };
}

async function play(client: Client, way: Way, turn: Turn): Promise<Report> {
  const { tools, guardrails, observers, approver, timeoutMs } = turn;
  const runner = new ToolRunner({
    tools: toolsOf(tools),
    guardrails,
    observers,
    approver,
    timeoutMs,
  });
  const resume = async (): Promise<Report> => {
    const { result } = await runner.resume(await approvedIn(approver));
    return { read: new Map([readOf(result)]) };
  };
  return { read: await way(client, turn, runner), resume };
}

export const openaiSeams: readonly Seam[] = clients.flatMap(({ version, Client }) =>
  Object.entries(ways).map(([name, way]) => ({
    name: `${version}, ${name}`,
    isOlder: version === "openai 6",
    cannot: statesFacts,
    play: (turn: Turn) => play(Client, way, turn),
  })),
);
