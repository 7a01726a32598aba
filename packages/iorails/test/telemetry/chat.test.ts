import { describe, expect, it } from "vitest";
import type { Completion, CompletionEvent } from "../../src/chat/message.js";
import { ModelError } from "../../src/errors.js";
import { chat, generate, recorded } from "./recorded.js";

const completion: Completion = {
  content: "hello",
  calls: [],
  finishReason: "stop",
  usage: { inputTokens: 7, outputTokens: 3, reasoningTokens: 2 },
  responseModel: "gpt-x-1",
  responseId: "resp_1",
};
const labels = {
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "openai",
  "gen_ai.request.model": "gpt-x",
};

describe("an exchange with a model", () => {
  it("is a span with what was asked for and what came of it", async () => {
    const r = recorded();
    const parameters = {
      max_tokens: 50,
      temperature: 0.5,
      top_p: 0.9,
      top_k: 4,
      frequency_penalty: 1,
      presence_penalty: -1,
      seed: 5,
      stop: "END",
      messages: "hunter2",
      user: "hunter2",
    };
    await r.telemetry.request(generate, (request) =>
      request.chat({ ...chat, parameters }, async (span) => span.completed(completion)),
    );
    expect(r.span("chat gpt-x").attributes).toEqual({
      ...labels,
      "gen_ai.request.max_tokens": 50,
      "gen_ai.request.temperature": 0.5,
      "gen_ai.request.top_p": 0.9,
      "gen_ai.request.top_k": 4,
      "gen_ai.request.frequency_penalty": 1,
      "gen_ai.request.presence_penalty": -1,
      "gen_ai.request.seed": 5,
      "gen_ai.request.stop_sequences": ["END"],
      "gen_ai.response.model": "gpt-x-1",
      "gen_ai.response.id": "resp_1",
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.usage.input_tokens": 7,
      "gen_ai.usage.output_tokens": 3,
      "gen_ai.usage.reasoning.output_tokens": 2,
    });
  });

  it("leaves out parameters of another type, and an answer's missing facts", async () => {
    const r = recorded();
    const parameters = { temperature: "hunter2", stop: [5], max_tokens: null };
    await r.telemetry.request(generate, (request) =>
      request.chat({ ...chat, parameters }, async (span) =>
        span.completed({ content: "", calls: [] }),
      ),
    );
    expect(r.span("chat gpt-x").attributes).toEqual(labels);
    expect(await r.points("gen_ai.client.token.usage")).toEqual([]);
  });

  it("counts tokens and measures its time", async () => {
    const r = recorded();
    await r.telemetry.request(generate, (request) =>
      request.chat(chat, async (span) => {
        r.clock.advance(1500);
        span.completed(completion);
      }),
    );
    const answered = { ...labels, "gen_ai.response.model": "gpt-x-1" };
    const tokens = await r.points("gen_ai.client.token.usage");
    expect(tokens.map(({ value, attributes }) => [value, attributes])).toEqual([
      [7, { ...answered, "gen_ai.token.type": "input" }],
      [3, { ...answered, "gen_ai.token.type": "output" }],
    ]);
    expect(tokens[0]?.boundaries?.slice(0, 4)).toEqual([1, 4, 16, 64]);
    expect(tokens[0]?.boundaries?.at(-1)).toBe(67_108_864);
    const [duration] = await r.points("gen_ai.client.operation.duration");
    expect(duration).toMatchObject({ value: 1.5, attributes: answered });
    expect(duration?.boundaries?.at(-1)).toBe(81.92);
    expect(await r.points("gen_ai.client.operation.time_to_first_chunk")).toEqual([]);
  });

  it("measures an exchange that failed, with the kind of error", async () => {
    const r = recorded();
    const failed = r.telemetry.request(generate, (request) =>
      request.chat(chat, async () => {
        throw new ModelError("status", "main", "x", { status: 429 });
      }),
    );
    await expect(failed).rejects.toThrow();
    const [duration] = await r.points("gen_ai.client.operation.duration");
    expect(duration?.attributes).toEqual({ ...labels, "error.type": "429" });
  });
});

describe("a streamed exchange", () => {
  async function* answer(
    advance: (ms: number) => void,
    failure?: unknown,
  ): AsyncGenerator<CompletionEvent, void, void> {
    advance(200);
    yield { type: "reasoning", text: "hm" };
    advance(50);
    yield { type: "text", text: "hel" };
    advance(70);
    yield { type: "text", text: "lo" };
    if (failure !== undefined) throw failure;
    advance(1000);
    yield { type: "end", completion };
  }

  it("is recorded as it is read: time to the first piece, between pieces, and in all", async () => {
    const r = recorded();
    const request = r.telemetry.startRequest({ mode: "stream" });
    const types: string[] = [];
    for await (const event of request.chatStream(chat, () => answer(r.clock.advance))) {
      types.push(event.type);
    }
    request.end();
    expect(types).toEqual(["reasoning", "text", "text", "end"]);
    expect(await r.points("gen_ai.client.operation.time_to_first_chunk")).toMatchObject([
      { value: 0.2, attributes: labels },
    ]);
    const [between] = await r.points("gen_ai.client.operation.time_per_output_chunk");
    expect(between?.value).toBeCloseTo(0.12);
    const [duration] = await r.points("gen_ai.client.operation.duration");
    expect(duration?.value).toBeCloseTo(1.32);
    expect(r.span("chat gpt-x").attributes["gen_ai.usage.output_tokens"]).toBe(3);
  });

  it("passes its error on, and records the kind", async () => {
    const r = recorded();
    const request = r.telemetry.startRequest({ mode: "stream" });
    const failure = new ModelError("provider", "main", "hunter2");
    const read = async () => {
      for await (const _ of request.chatStream(chat, () => answer(r.clock.advance, failure)));
    };
    await expect(read()).rejects.toBe(failure);
    expect(r.span("chat gpt-x").attributes["error.type"]).toBe("provider");
  });

  it("that ends without its last event ends its span", async () => {
    const r = recorded();
    async function* cut(): AsyncGenerator<CompletionEvent, void, void> {
      yield { type: "text", text: "x" };
    }
    const stream = r.telemetry.startRequest({ mode: "stream" }).chatStream(chat, cut);
    await stream.next();
    expect(r.spans()).toHaveLength(0);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(r.spans()).toHaveLength(1);
  });

  it("that cannot begin throws at once", () => {
    const r = recorded();
    const failure = new Error("no body");
    const start = () => {
      throw failure;
    };
    const request = r.telemetry.startRequest({ mode: "stream" });
    expect(() => request.chatStream(chat, start)).toThrow(failure);
    expect(r.span("chat gpt-x").attributes["error.type"]).toBe("Error");
  });

  it("that its reader leaves is left, and is no error", async () => {
    const r = recorded();
    let left = false;
    async function* endless(): AsyncGenerator<CompletionEvent, void, void> {
      try {
        for (;;) yield { type: "text", text: "x" };
      } finally {
        left = true;
      }
    }
    const request = r.telemetry.startRequest({ mode: "stream" });
    for await (const _ of request.chatStream(chat, endless)) break;
    expect(left).toBe(true);
    expect(r.span("chat gpt-x").attributes).toEqual(labels);
    expect(await r.points("gen_ai.client.operation.duration")).toHaveLength(1);
  });

  it("can be left while it is waited for", async () => {
    const r = recorded();
    let release: () => void = () => {};
    const inner = {
      next: () =>
        new Promise<IteratorResult<CompletionEvent, void>>((resolve) => {
          release = () => resolve({ done: true, value: undefined });
        }),
      return: async () => {
        release();
        return { done: true as const, value: undefined };
      },
      [Symbol.asyncIterator]: () => inner,
    } as unknown as AsyncGenerator<CompletionEvent, void, void>;
    const request = r.telemetry.startRequest({ mode: "stream" });
    const stream = request.chatStream(chat, () => inner);
    const waiting = stream.next();
    await stream.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(r.spans()).toHaveLength(1);
  });
});
