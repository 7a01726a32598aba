import { completionChunk } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import type { Guardrails, StreamChunk } from "../../src/index.js";
import { call, engine, question, toolRails, weather } from "./engine.js";

const text = (content: string) => completionChunk({ content });
const calls = completionChunk({ tool_calls: [{ index: 0, ...call }] }, "tool_calls");
const tools = [weather];

/** All of these in one read. */
function together(...events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
}

/** A stream whose model says "a", and then the rest when it is told to. */
async function halfWay(rest: string): Promise<{
  readonly rails: Guardrails;
  readonly stream: AsyncGenerator<StreamChunk, void, void>;
  readonly goOn: () => void;
}> {
  let goOn = (): void => {};
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const events = (async function* () {
    yield text("a");
    await gate;
    yield rest;
  })();
  const { rails } = await engine(toolRails, [{ events }]);
  const stream = rails.stream({ messages: [question], options: { llm_params: { tools } } });
  return { rails, stream, goOn };
}

function shown({ done, value }: IteratorResult<StreamChunk, void>): string {
  if (done === true || value === undefined) return "over";
  return value.type === "text" ? value.text : `[${value.type}]`;
}

async function answers(
  stream: AsyncGenerator<StreamChunk, void, void>,
  count: number,
): Promise<readonly string[]> {
  return (await Promise.all(Array.from({ length: count }, () => stream.next()))).map(shown);
}

describe("several next() that are called at once", () => {
  it("are answered in their order from the first chunk on", async () => {
    const events = [together(text("a"), text("b"), text("c"), completionChunk({}, "stop"))];
    const { rails } = await engine(toolRails, [{ events }]);
    const stream = rails.stream({ messages: [question] });
    expect(await answers(stream, 5)).toEqual(["a", "b", "c", "over", "over"]);
    await rails.close();
  });

  it.each([
    ["calls", together(calls), ["[tool_calls]", "over", "over"]],
    ["text and calls", together(text("b"), calls), ["b", "[tool_calls]", "over"]],
    ["an error", together({ error: { message: "no" } }), ["[error]", "over", "over"]],
  ])("are not told that a stream is over before %s that still come", async (_, rest, told) => {
    const { rails, stream, goOn } = await halfWay(rest);
    await stream.next();
    const waiting = answers(stream, 3);
    goOn();
    expect(await waiting).toEqual(told);
    await rails.close();
  });

  it("are not overtaken by one that is called while they are answered", async () => {
    const words = [..."bcdefgh"];
    const { rails, stream, goOn } = await halfWay(
      together(...words.map(text), completionChunk({}, "stop")),
    );
    await stream.next();
    const heard: string[] = [];
    const readers = Array.from({ length: 3 }, async () => {
      for await (const chunk of { [Symbol.asyncIterator]: () => ({ next: () => stream.next() }) }) {
        heard.push(shown({ done: false, value: chunk }));
      }
    });
    goOn();
    await Promise.all(readers);
    expect(heard).toEqual(words);
    await rails.close();
  });
});
