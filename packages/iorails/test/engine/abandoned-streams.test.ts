import { getEventListeners } from "node:events";
import { completionChunk, fakeClock, type ModelReply } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { call, engine, question, toolRails, weather } from "./engine.js";

describe("a stream that nobody reads on", () => {
  const endless = (): ModelReply => ({
    respond: (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify(completionChunk({ content: "a" }))}\n\n`);
    },
  });

  it("is left at once, also while the next piece is waited for", async () => {
    const { rails, server } = await engine(toolRails, [endless()]);
    const chunks = rails.stream({ messages: [question] });
    await chunks.next();
    const waiting = chunks.next();
    expect(await chunks.return()).toEqual({ done: true, value: undefined });
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await server.requests[0]?.left).toBe(true);
    await rails.close();
  });

  it("gives its place back when its caller aborts, without being read on", async () => {
    const { rails } = await engine(toolRails, [endless(), endless()], { maxStreams: 1 });
    const abort = new AbortController();
    const chunks = rails.stream({ messages: [question], signal: abort.signal });
    await chunks.next();
    abort.abort();
    const next = rails.stream({ messages: [question] });
    expect((await next.next()).value).toMatchObject({ type: "text" });
    await next.return();
    await expect(chunks.next()).rejects.toMatchObject({ code: "ERR_ABORTED" });
    expect(getEventListeners(abort.signal, "abort")).toEqual([]);
    await rails.close();
  });

  it.each<[string, ModelReply]>([
    [
      "a violation",
      {
        events: [
          completionChunk(
            { tool_calls: [{ index: 0, ...call, function: { name: "nope", arguments: "{}" } }] },
            "tool_calls",
          ),
        ],
      },
    ],
    ["calls", { events: [completionChunk({ tool_calls: [{ index: 0, ...call }] }, "tool_calls")] }],
    ["an error", { status: 400, body: "" }],
  ])("is over with its last chunk, %s: nobody need ask again", async (_, reply) => {
    const { rails } = await engine(toolRails, [reply]);
    const chunks = rails.stream({
      messages: [question],
      options: { llm_params: { tools: [weather] } },
    });
    expect((await chunks.next()).done).toBe(false);
    await rails.close();
    expect(await chunks.next()).toEqual({ done: true, value: undefined });
  });

  it("is aborted when close() has waited for it long enough", async () => {
    const clock = fakeClock();
    const { rails } = await engine(toolRails, [endless()], { clock, closeWithinMs: 1_000 });
    const chunks = rails.stream({ messages: [question] });
    await chunks.next();
    const closing = rails.close();
    clock.advance(1_000);
    await closing;
    await expect(chunks.next()).rejects.toMatchObject({ code: "ERR_ABORTED" });
  });
});
