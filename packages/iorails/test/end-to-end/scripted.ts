import {
  completionBody,
  completionChunk,
  type ModelReply,
  type ModelServer,
  modelServer,
} from "@toolstile/testing";
import { expect, onTestFinished } from "vitest";
import { Guardrails, type GuardrailsOptions, RailsConfig } from "../../src/index.js";

/** What a model answers: one thing always, or one after the other. */
type Script = ModelReply | readonly ModelReply[];

export interface Scripted {
  readonly rails: Guardrails;
  readonly server: ModelServer;
  readonly config: RailsConfig;
  /** The bodies that the model of this name was sent, in order. */
  readonly asked: (model: string) => readonly Readonly<Record<string, unknown>>[];
  /** The names of the models, in the order in which they were asked. */
  readonly order: () => readonly unknown[];
}

export interface ScriptedOptions {
  /** Added to the configuration, which has the main model only. `{url}` is the server's. */
  readonly yaml?: string;
  /** Added to the parameters of the main model, each on a line of its own. */
  readonly parameters?: readonly string[];
  readonly models?: Readonly<Record<string, Script>>;
  readonly options?: GuardrailsOptions;
}

export const toolCall = "tool_output: { flows: [tool call validation] }";
export const toolResult = "tool_input: { flows: [tool result validation] }";
export const toolRails = `rails:\n  ${toolCall}\n  ${toolResult}\n`;

/** An engine in front of real HTTP: the main model is `m`, each other by the name it is asked for. */
export async function scripted(script: ScriptedOptions = {}): Promise<Scripted> {
  const turns = new Map<string, number>();
  const server = await modelServer((request) => {
    const name = modelName(request.body) ?? request.path;
    const turn = turns.get(name) ?? 0;
    turns.set(name, turn + 1);
    const replies = script.models?.[name] ?? text(`an answer of ${name}`);
    if (!Array.isArray(replies)) return replies as ModelReply;
    return replies[turn] ?? { status: 500, body: `no reply is left for ${name}` };
  });
  onTestFinished(() => server.close());
  const config = await RailsConfig.fromContent({
    yaml: configuration(server.url, script.yaml ?? toolRails, script.parameters),
  });
  const rails = new Guardrails(config, { env: {}, ...script.options });
  onTestFinished(() => rails.close());
  return {
    rails,
    server,
    config,
    asked: (model) =>
      server.requests.map(({ body }) => body as never).filter((body) => modelName(body) === model),
    order: () => server.requests.map(({ body, path }) => modelName(body) ?? path),
  };
}

/** A configuration with a main model behind this address. */
export function configuration(
  url: string,
  rest: string,
  parameters: readonly string[] = [],
): string {
  const lines = [`base_url: ${url}`, ...parameters].map((line) => `      ${line}\n`).join("");
  return `models:
  - type: main
    engine: openai
    model: m
    parameters:
${lines}${rest.replaceAll("{url}", url)}`;
}

/** Another model behind the same address, by the name it has in flows: for the start of `yaml`. */
export function model(type: string): string {
  return `  - type: ${type}
    engine: openai
    model: ${type}
    parameters: { base_url: "{url}" }
`;
}

/** The main model's messages, tools and so on, of its only request. */
export function onlyAsked({ asked }: Scripted): Readonly<Record<string, unknown>> {
  const bodies = asked("m");
  expect(bodies).toHaveLength(1);
  return bodies[0] ?? {};
}

export function text(content: string): ModelReply {
  return { body: completionBody({ content }) };
}

export interface WireCall {
  readonly id: string;
  readonly type: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A call as it stands in OpenAI's messages. */
export function wireCall(
  name: string,
  args: Readonly<Record<string, unknown>> | string = {},
  id = "call_1",
): WireCall {
  const written = typeof args === "string" ? args : JSON.stringify(args);
  return { id, type: "function", function: { name, arguments: written } };
}

/** An answer that asks for these calls. */
export function asks(...calls: readonly unknown[]): ModelReply {
  return { body: completionBody({ content: null, tool_calls: calls }, "tool_calls") };
}

/** A streamed answer of these deltas; a string is a delta of text. */
export function streams(...deltas: readonly (string | Readonly<Record<string, unknown>>)[]) {
  return {
    events: [
      completionChunk({ role: "assistant", content: "" }),
      ...deltas.map((delta) =>
        completionChunk(typeof delta === "string" ? { content: delta } : delta),
      ),
      completionChunk({}, "stop"),
    ],
  };
}

/** A whole call as one delta of a stream. */
export function streamedCall(call: WireCall, index = 0): Readonly<Record<string, unknown>> {
  return { tool_calls: [{ index, ...call }] };
}

/** A tool as a request declares it. */
export function declared(
  name: string,
  parameters?: Readonly<Record<string, unknown>> | boolean,
): Readonly<Record<string, unknown>> {
  return {
    type: "function",
    function: {
      name,
      description: `The tool ${name}.`,
      ...(parameters !== undefined && { parameters }),
    },
  };
}

export const getWeather = declared("get_weather", {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
  required: ["city"],
});

export const question = { role: "user", content: "What is the weather in Paris?" };

/** An assistant turn that asked for these calls. */
export function turn(
  ...calls: readonly unknown[]
): Readonly<Record<string, unknown>> & { role: string } {
  return { role: "assistant", content: null, tool_calls: calls };
}

/** A result as an application sends it back; null leaves the id or the name out. */
export function answered(
  id: unknown = "call_1",
  name: unknown = "get_weather",
  content: unknown = '{"temperature_c":18}',
): Readonly<Record<string, unknown>> & { role: string } {
  return {
    role: "tool",
    ...(id !== null && { tool_call_id: id }),
    ...(name !== null && { name }),
    content,
  };
}

export const refusal = { role: "assistant", content: "I'm sorry, I can't respond to that." };

/** Everything that an asynchronous iterable gives. */
export async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const taken: T[] = [];
  for await (const item of items) taken.push(item);
  return taken;
}

function modelName(body: unknown): string | undefined {
  const name = (Object(body) as { readonly model?: unknown }).model;
  return typeof name === "string" ? name : undefined;
}
