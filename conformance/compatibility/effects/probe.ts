import { Guardrails, type GuardrailsOptions, RailsConfig } from "@toolstile/iorails";
import { completionBody, completionChunk } from "@toolstile/testing";
import { put } from "../configurations.mjs";

/** The answer of a model: a text, or a whole body. Of a service: a body. A list: one after the other, the last for ever. */
export type Reply = string | object | readonly (string | object)[];

/** The request that a model or a service was sent. */
export interface Asked {
  /** The model's name, or the path of a service. */
  readonly who: string;
  readonly url: URL;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a body as it was sent
  readonly body: any;
}

/** An engine with one of the two configurations, and what it has asked so far. */
export interface Session {
  readonly rails: Guardrails;
  readonly asked: readonly Asked[];
}

/** Two configurations that differ by one key alone, and what is seen of each. */
export interface Effect {
  readonly key: string;
  /** The rest of the configuration, in place of the usual model. */
  readonly given?: object;
  /** Two values of the key; `absent` leaves it out. */
  readonly values: readonly [unknown, unknown];
  readonly replies?: Readonly<Record<string, Reply>>;
  readonly options?: GuardrailsOptions;
  readonly ask: (session: Session) => unknown;
  /** In place of `ask`, of a configuration that is not for `Guardrails`. */
  readonly decide?: (config: object) => unknown;
  /** The first value is refused: what is seen of it is the code of the error. */
  readonly refused?: true;
  /** The answers with the first value, and with the second. */
  readonly sees: readonly [unknown, unknown];
}

export const absent = Symbol("absent");

/** The model that answers, and one that judges. */
export const main = {
  type: "main",
  engine: "openai",
  model: "m",
  parameters: { base_url: "http://model.test" },
};
export const judge = { ...main, type: "judge", model: "j" };

/** Every key that a configuration here names is there. */
const env = { K1: "first", K2: "second", OPENAI_API_KEY: "usual" };

/** The answer of a configuration with one value of the key of an effect. */
export async function seen(effect: Effect, value: unknown): Promise<unknown> {
  const { key, given = {}, replies = {}, options = {}, ask } = effect;
  const config = structuredClone({ models: [main], ...given });
  if (value !== absent) put(config, key, value);
  if (effect.decide !== undefined) return effect.decide(config);
  const asked: Asked[] = [];
  const left = new Map(Object.entries({ m: "fine", ...replies }));
  const fetch = async (address: unknown, init?: RequestInit): Promise<Response> => {
    const url = new URL(String(address));
    const body = JSON.parse(String(init?.body));
    const who = left.has(String(body.model)) ? String(body.model) : url.pathname;
    asked.push({ who, url, headers: new Headers(init?.headers), body });
    const reply = left.get(who);
    if (!Array.isArray(reply)) return answered(reply, body);
    if (reply.length > 1) left.set(who, reply.slice(1));
    return answered(reply[0], body);
  };
  const loading = RailsConfig.fromContent({ config }).then(
    (read) => new Guardrails(read, { env, fetch, ...options }),
  );
  if (effect.refused === true && value === effect.values[0]) return codeOf(loading);
  const rails = await loading;
  try {
    return await ask({ rails, asked });
  } finally {
    await rails.close();
  }
}

/** The code of the error that a promise rejects with. */
async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => "no error",
    (error) => error.code,
  );
}

function answered(reply: Reply | undefined, { stream }: { readonly stream?: boolean }): Response {
  if (typeof reply !== "string") return Response.json(reply ?? {}, { status: reply ? 200 : 500 });
  if (stream !== true) return Response.json(completionBody({ content: reply }));
  const pieces = reply.split(/(?<= )/).map((content) => completionChunk({ content }));
  const events = [...pieces, completionChunk({}, "stop")].map((each) => JSON.stringify(each));
  const text = [...events, "[DONE]"].map((each) => `data: ${each}\n\n`).join("");
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

/** The status of an answer to one message. */
export const status =
  (prompt = "hello") =>
  async ({ rails }: Session) =>
    (await rails.generate({ prompt })).status;

/** The text of an answer to one message. */
export const content =
  (prompt = "hello") =>
  async ({ rails }: Session) =>
    (await rails.generate({ prompt })).message.content;

/** Something of what was asked, in order, for an answer to one message. */
export const asking =
  (of: (asked: Asked) => unknown, prompt = "hello") =>
  async ({ rails, asked }: Session) => {
    await rails.generate({ prompt });
    return asked.map(of);
  };

/** The same of the request to one model or service only. */
export const askingOf =
  (who: string, of: (asked: Asked) => unknown, prompt = "hello") =>
  async ({ rails, asked }: Session) => {
    await rails.generate({ prompt });
    return asked.filter((each) => each.who === who).map(of);
  };

/** A stream: its texts, and other chunks by their type in brackets; or the code of its error. */
export async function streamed({ rails }: Session): Promise<readonly string[] | string> {
  const seen: string[] = [];
  try {
    for await (const chunk of rails.stream({ prompt: "hello" })) {
      seen.push(chunk.type === "text" ? chunk.text : `[${chunk.type}]`);
    }
  } catch (error) {
    return String((error as { readonly code?: unknown }).code);
  }
  return seen;
}

/** An answer that calls the tool `t`, once with each of these arguments. */
export function calling(...all: readonly object[]): object {
  const tool_calls = all.map((args, index) => ({
    id: `c${index}`,
    type: "function",
    function: { name: "t", arguments: JSON.stringify(args) },
  }));
  return completionBody({ content: null, tool_calls });
}

const tool = { type: "function", function: { name: "t", parameters: true } };

/** The model with the tool `t`. */
export const withTool = { ...main, parameters: { ...main.parameters, tools: [tool] } };

/** The status of an answer to a conversation in which `t` gave this result. */
export const resulting =
  (content: string, name?: string) =>
  async ({ rails }: Session) => {
    const call = { id: "c1", type: "function", function: { name: "t", arguments: "{}" } };
    const messages = [
      { role: "user", content: "hello" },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "c1", content, ...(name === undefined ? {} : { name }) },
    ];
    return (await rails.generate({ messages })).status;
  };
