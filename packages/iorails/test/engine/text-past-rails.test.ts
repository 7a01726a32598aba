import { completionChunk, modelServer } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { Guardrails, RailsConfig, type StreamChunk } from "../../src/index.js";

const words = ["a", "b", "c", "d"];

/** Text that comes in one read, so that all of it is there once the first piece is. */
async function streaming(use: (rails: Guardrails, messages: StreamRequest) => Promise<void>) {
  const events = [
    completionChunk({ role: "assistant", content: "" }),
    ...words.map((content) => completionChunk({ content })),
    completionChunk({}, "stop"),
  ];
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  await using server = await modelServer(() => ({
    events: [`${text}data: [DONE]\n\n`],
    done: false,
  }));
  const yaml = `
models:
  - {type: main, engine: openai, model: m, parameters: {base_url: "${server.url}/v1", api_key: k}}
rails:
  tool_output: {flows: [tool call validation]}
`;
  await using rails = new Guardrails(await RailsConfig.fromContent({ yaml }));
  await use(rails, { messages: [{ role: "user", content: "hello" }] });
}

type StreamRequest = Parameters<Guardrails["stream"]>[0];

const text = (text: string): StreamChunk => ({ type: "text", text });

describe("text that no rail has to judge", () => {
  it("is given in the model's own pieces and order, also where several are asked for at once", () =>
    streaming(async (rails, request) => {
      const stream = rails.stream(request);
      expect((await stream.next()).value).toEqual(text("a"));
      const rest = await Promise.all(Array.from({ length: 4 }, () => stream.next()));
      expect(rest.map(({ value }) => value)).toEqual([text("b"), text("c"), text("d"), undefined]);
      expect(rest.at(-1)?.done).toBe(true);
    }));

  it("is not given any more once the caller has aborted", () =>
    streaming(async (rails, request) => {
      const caller = new AbortController();
      const stream = rails.stream({ ...request, signal: caller.signal });
      await stream.next();
      caller.abort();
      await expect(stream.next()).rejects.toMatchObject({ code: "ERR_ABORTED" });
    }));

  it("is not given any more once the stream was left", () =>
    streaming(async (rails, request) => {
      const stream = rails.stream(request);
      await stream.next();
      await stream.return();
      expect(await stream.next()).toEqual({ done: true, value: undefined });
    }));
});
