import { getEventListeners } from "node:events";
import type { ServerResponse } from "node:http";
import { allow, type GuardrailProvider } from "@toolstile/core";
import {
  completionBody,
  completionChunk,
  type FakeClock,
  fakeClock,
  type ModelServer,
  modelServer,
} from "@toolstile/testing";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { Guardrails, RailsConfig, type StreamChunk } from "../../src/index.js";
import { turn, until } from "../http/support.js";
import { call, question, weather } from "./engine.js";

const unhandled: unknown[] = [];
const note = (reason: unknown): void => {
  unhandled.push(reason);
};
beforeEach(() => {
  process.on("unhandledRejection", note);
});
afterEach(() => {
  process.off("unhandledRejection", note);
  expect(unhandled.splice(0)).toEqual([]);
});

const utf8 = new TextEncoder();
const refused = { ...call, function: { name: "nope", arguments: "{}" } };
const asking = (asked: object) =>
  completionChunk({ tool_calls: [{ index: 0, ...asked }] }, "tool_calls");
const data = (event: object): string => `data: ${JSON.stringify(event)}`;

/** What a model's stream may end with, and what its reader is told of it. */
const endings: Readonly<Record<string, { readonly lines: string[]; readonly told: string[] }>> = {
  done: { lines: [data(completionChunk({}, "stop")), "data: [DONE]"], told: [] },
  "only a finish reason": { lines: [data(completionChunk({}, "stop"))], told: [] },
  "only [DONE]": {
    lines: [data(completionChunk({ role: "assistant" })), "data: [DONE]"],
    told: [],
  },
  "text after [DONE]": {
    lines: ["data: [DONE]", data(completionChunk({ content: "late" })), "data: {"],
    told: [],
  },
  calls: { lines: [data(asking(call)), "data: [DONE]"], told: ["[tool_calls]"] },
  "a call of nobody's": { lines: [data(asking(refused))], told: ["[violation]"] },
  "an error": { lines: [data({ error: { message: "no" } })], told: ["[error]"] },
  "an event that is an error": { lines: ["event: error\ndata: {}"], told: ["[error]"] },
  "no JSON": {
    lines: ["data: {no}", data(completionChunk({ content: "late" }))],
    told: ["[error]"],
  },
  nothing: { lines: [], told: ["[error]"] },
};

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("a", "b", "é", "😀", "c d", "\n") },
  { weight: 1, arbitrary: fc.constant("bad") },
  { weight: 1, arbitrary: fc.constantFrom(null, undefined, "") },
);

interface Answer {
  readonly type: string;
  readonly bytes: Uint8Array;
  /** How often the model is too busy before it answers so. */
  readonly busy: number;
  readonly texts: readonly string[];
  /** What its reader is told after them. */
  readonly end: readonly string[];
}

/** One body in place of a stream. */
const whole: fc.Arbitrary<Answer> = fc
  .record({ content: piece, asked: fc.constantFrom(undefined, call, refused), busy: fc.nat(1) })
  .map(({ content, asked, busy }) => ({
    type: "application/json",
    bytes: utf8.encode(
      JSON.stringify(
        completionBody({
          content: content ?? "",
          reasoning_content: "hm",
          ...(asked && { tool_calls: [asked] }),
        }),
      ),
    ),
    busy,
    texts: content ? [content] : [],
    end: asked === undefined ? [] : [asked === call ? "[tool_calls]" : "[violation]"],
  }));

const streamed: fc.Arbitrary<Answer> = fc
  .record({
    busy: fc.nat(1),
    pieces: fc.array(piece, { maxLength: 12 }),
    ending: fc.constantFrom(...Object.keys(endings)),
    lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
  })
  .map(({ pieces, ending, lineEnd, busy }) => {
    const { lines, told } = endings[ending] as (typeof endings)[string];
    // `null` stands for thinking, and `undefined` for what only keeps the connection alive.
    const before = pieces.map((content) => {
      if (content === undefined) return ": ping";
      return data(completionChunk(content === null ? { reasoning_content: "hm" } : { content }));
    });
    const isSilent = ending === "text after [DONE]" && !pieces.some((part) => part !== undefined);
    const events = [...before, ...lines].join("\n\n");
    const text = events === "" ? "" : `${events}\n\n`;
    return {
      type: "text/event-stream",
      busy,
      bytes: utf8.encode(text.replaceAll("\n", lineEnd)),
      texts: pieces.filter((part) => typeof part === "string" && part !== "") as string[],
      end: isSilent ? ["[error]"] : told,
    };
  });

type Act =
  | { readonly act: "next" | "return" | "throw" | "abort" | "close" | "end" }
  | { readonly act: "write" | "turns"; readonly count: number };

const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.constant<Act>({ act: "next" }) },
    {
      weight: 6,
      arbitrary: fc.nat(400).map((count): Act => ({ act: "write", count })),
    },
    { weight: 6, arbitrary: fc.nat(12).map((count): Act => ({ act: "turns", count })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Act>(
        { act: "return" },
        { act: "throw" },
        { act: "abort" },
        { act: "close" },
        { act: "end" },
      ),
    },
  ),
  { maxLength: 24 },
);

/** The model's server, whose bytes come when they are told to. */
class Wire {
  readonly #answer: Answer;
  #busy: number;
  #response: ServerResponse | undefined;
  #written = 0;
  #sent = 0;
  #ended = false;

  constructor(answer: Answer) {
    this.#answer = answer;
    this.#busy = answer.busy;
  }

  readonly respond = (response: ServerResponse): void => {
    if (this.#response !== undefined) return;
    if (this.#busy-- > 0) {
      response.writeHead(503, { "retry-after": "0" }).end();
      return;
    }
    response.writeHead(200, { "content-type": this.#answer.type });
    response.flushHeaders();
    this.#response = response;
    this.#flush();
  };

  write(count: number): void {
    this.#written = Math.min(this.#answer.bytes.length, this.#written + count);
    this.#flush();
  }

  /** All that is left, and the end. */
  end(): void {
    this.write(this.#answer.bytes.length);
    this.#ended = true;
    this.#flush();
  }

  #flush(): void {
    const response = this.#response;
    if (response === undefined || response.destroyed) return;
    if (this.#written > this.#sent) {
      response.write(this.#answer.bytes.subarray(this.#sent, this.#written));
      this.#sent = this.#written;
    }
    if (this.#ended && !response.writableEnded) response.end();
  }
}

function shown({ done, value }: IteratorResult<StreamChunk, void>): string {
  if (done === true || value === undefined) return "over";
  return value.type === "text" ? value.text : `[${value.type}]`;
}

async function said(step: Promise<IteratorResult<StreamChunk, void>>): Promise<string> {
  try {
    return shown(await step);
  } catch (thrown) {
    return `! ${(thrown as { code?: string }).code}`;
  }
}

/** Batches of three, each of which judges the last one of the batch before again. */
const judged = `
rails: {output: {flows: [self check output], streaming: {enabled: true, chunk_size: 3, context_size: 1}}, tool_output: {flows: [tool call validation]}}
prompts: [{task: self_check_output, content: "{{ bot_response }}"}]
`;
const passing = "rails: {tool_output: {flows: [tool call validation]}}";

/** The chunks that a reader gets, each in short: of what was not judged yet when the model failed, nothing. */
function toldOf({ texts, end }: Answer, yaml: string): readonly string[] {
  if (!yaml.includes("self check output")) return [...texts, ...end];
  const isFirst = !yaml.includes("stream_first: false");
  const told: string[] = [];
  for (let from = 0, to = 3; from < texts.length; from = to, to += 2) {
    if (to > texts.length && end.includes("[error]")) break;
    const fresh = texts.slice(from, to);
    if (isFirst) told.push(...fresh);
    if (isBad(texts.slice(Math.max(0, from - 1), to).join(""))) return [...told, "[violation]"];
    if (!isFirst) told.push(...fresh);
  }
  return [...told, ...end];
}

/** What the model that judges says of a text. */
function isBad(text: string): boolean {
  return text.includes("bad");
}

/** A guard that takes its time. */
const slow: GuardrailProvider = {
  name: "slow",
  evaluate: async () => {
    await turn();
    await turn();
    return allow();
  },
};

async function railsOf(
  server: ModelServer,
  yaml: string,
  clock = fakeClock(),
): Promise<Guardrails> {
  const model = {
    type: "main",
    engine: "openai",
    model: "m",
    parameters: { base_url: server.url },
  };
  const config = await RailsConfig.fromContent({ config: { models: [model] }, yaml });
  return new Guardrails(config, {
    env: {},
    clock,
    maxStreams: 1,
    closeWithinMs: 1_000,
    providers: { toolCall: [slow] },
  });
}

/** The wait before the model is asked again has no length. */
function tick(clock: FakeClock): AsyncDisposable {
  let isOver = false;
  const ticking = until(() => {
    clock.advance(0);
    return isOver;
  });
  return {
    [Symbol.asyncDispose]: () => {
      isOver = true;
      return ticking;
    },
  };
}

/** Whoever comes next finds the only place free, if the rails are not closed. */
async function expectRoom(rails: Guardrails): Promise<void> {
  const another = rails.stream({ messages: [question] });
  const step = said(another.next());
  // Who is turned away is told so before.
  await turn();
  await another.return();
  expect(await step).toMatch(/^(over|! ERR_CLOSED)$/);
}

describe.each([
  ["that no rail judges", passing],
  ["that is traced", `${passing}\ntracing: {enabled: true}\nmetrics: {enabled: true}`],
  ["that is judged as it comes", judged],
  [
    "that is judged before it leaves",
    judged.replace("chunk_size", "stream_first: false, chunk_size"),
  ],
])("a stream %s", (_, yaml) => {
  it("gives what came in its order, ends when it is left at any moment, and holds nothing on", {
    tags: "longer",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 5, arbitrary: streamed }, { weight: 1, arbitrary: whole }),
        acts,
        async (answer, acts) => {
          const told = toldOf(answer, yaml);
          const wire = new Wire(answer);
          await using server = await modelServer(({ body }) =>
            (body as { stream?: boolean }).stream === true
              ? { respond: wire.respond }
              : { body: completionBody({ content: isBad(JSON.stringify(body)) ? "Yes" : "No" }) },
          );
          const clock = fakeClock();
          const rails = await railsOf(server, yaml, clock);
          const caller = new AbortController();
          const stream = rails.stream({
            messages: [question],
            options: { llm_params: { tools: [weather] } },
            signal: caller.signal,
          });
          const steps: Promise<string>[] = [];
          const next = (): Promise<string> => {
            const step = said(stream.next());
            steps.push(step);
            return step;
          };
          const mine = new Error("mine");
          const leaving: Promise<unknown>[] = [];
          const leave = {
            abort: () => caller.abort(),
            return: () => leaving.push(stream.return()),
            throw: () =>
              leaving.push(stream.throw(mine).catch((thrown) => expect(thrown).toBe(mine))),
            close: () => {
              leaving.push(rails.close());
              clock.advance(1_000);
            },
          };
          await using _ticking = tick(clock);
          for (const act of acts) {
            if (act.act === "next") void next();
            else if (act.act === "write") wire.write(act.count);
            else if (act.act === "turns") for (let at = 0; at < act.count; at++) await turn();
            else if (act.act === "end") wire.end();
            else {
              leave[act.act]();
              await expectRoom(rails);
            }
          }
          const left = acts.filter(({ act }) => act in leave);
          await Promise.all(leaving);
          if (left.length === 0) wire.end();
          // Whoever left and asks no more is waited for by nobody either.
          else await Promise.all(steps);
          while ((await next()) !== "over");
          const heard = await Promise.all(steps);

          const end = heard.findIndex((step) => step === "over" || step.startsWith("!"));
          const [last, ...rest] = heard.slice(end);
          expect(heard.slice(0, end)).toEqual(told.slice(0, end));
          expect(rest.every((step) => step === "over")).toBe(true);
          if (left.length === 0) expect(end).toBe(told.length);
          if (last !== "over") {
            expect(left.some(({ act }) => act === "abort" || act === "close")).toBe(true);
            expect(last).toMatch(/^! ERR_(ABORTED|CLOSED)$/);
          }
          expect(getEventListeners(caller.signal, "abort")).toEqual([]);
          // It waits for every place; and its timer never comes.
          await rails.close();
          // What little may be left of an answer is read on for a second.
          clock.advance(1_000);
          if (left.length > 0 && !acts.some(({ act }) => act === "end")) {
            for (const { left } of server.requests) await left;
          }
          await until(() => clock.waiting() === 0);
        },
      ),
      { numRuns: inject("long") ? 60 : 8 },
    );
  });
});
