import { completionBody, completionChunk, modelServer } from "@toolstile/testing";
import { expect, it } from "vitest";
import type { CompletionEvent } from "../../src/chat/message.js";
import { all, clientOf, faultOf, question, rawServer, testPorts, turn, until } from "./support.js";

const text = (content: string) => completionChunk({ content });
const finish = completionChunk({}, "stop");

function texts(events: readonly CompletionEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === "text" ? [event.text] : []));
}

it("gives text as it comes, and the whole answer last", async () => {
  await using server = await modelServer([{ events: [text("Good "), text("day."), finish] }]);
  const events = await all(clientOf(server).stream(question));
  expect(events.map(({ type }) => type)).toEqual(["text", "text", "end"]);
  expect(events[2]).toMatchObject({ completion: { content: "Good day.", finishReason: "stop" } });
  expect(server.requests[0]?.body).toEqual({ model: "scripted", ...question, stream: true });
});

it("reads no further than [DONE]", async () => {
  await using server = await modelServer([
    { events: [text("a"), "data: [DONE]\n\n", text("b"), "data: {\n\n"], done: false },
  ]);
  expect(texts(await all(clientOf(server).stream(question)))).toEqual(["a"]);
});

it("reads past comments, blank events and other fields", async () => {
  const events = [
    ": ping\n\n",
    "data:\n\n",
    "id: 7\nretry: 1\n\n",
    text("a"),
    ": ping\n\n",
    finish,
  ];
  await using server = await modelServer([{ events }]);
  expect(texts(await all(clientOf(server).stream(question)))).toEqual(["a"]);
});

it("takes the end of the body for the end of an answer that gave its finish reason", async () => {
  await using server = await modelServer([{ events: [text("a"), finish], done: false }]);
  const events = await all(clientOf(server).stream(question));
  expect(events.at(-1)).toMatchObject({ type: "end", completion: { content: "a" } });
});

it("takes [DONE] for the end of an answer that gave no finish reason", async () => {
  await using server = await modelServer([{ events: [text("a")] }]);
  expect((await all(clientOf(server).stream(question))).at(-1)).toMatchObject({ type: "end" });
});

it.each([
  ["after text", [text("a")]],
  ["inside an event", [text("a"), 'data: {"choices": [']],
  ["before anything", []],
])("says that an answer broke off which ends %s", async (_, events) => {
  await using server = await modelServer([{ events, done: false }]);
  const fault = await faultOf(all(clientOf(server).stream(question)));
  expect(fault).toMatchObject({ fault: "network", status: 200 });
  expect(server.requests).toHaveLength(1);
});

it("does not ask again when the connection is reset inside the stream", async () => {
  await using server = await rawServer((socket) => {
    const event = `data: ${JSON.stringify(text("a"))}\n\n`;
    const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    socket.write(head + event, () => setImmediate(() => socket.resetAndDestroy()));
  });
  const fault = await faultOf(all(clientOf(server).stream(question)));
  expect(fault).toMatchObject({ fault: "network" });
  expect(server.requests()).toBe(1);
});

it.each([
  ["is not JSON", "data: {no}\n\n"],
  ["is no object", "data: 7\n\n"],
  ["is too long", `data: ${"x".repeat(4 * 1_024 * 1_024 + 9)}\n\n`],
])("ends with a fault at an event that %s, where upstream skips it", async (_, event) => {
  await using server = await modelServer([{ events: [text("a"), event, text("b"), finish] }]);
  const seen: CompletionEvent[] = [];
  const read = async () => {
    for await (const next of clientOf(server).stream(question)) seen.push(next);
  };
  expect(await faultOf(read())).toMatchObject({ fault: "malformed", status: 200 });
  expect(texts(seen)).toEqual(["a"]);
  expect(seen.some(({ type }) => type === "end")).toBe(false);
});

it("ends with a fault where the provider reports an error inside the stream", async () => {
  const events = [text("a"), { error: { message: "overloaded" } }, finish];
  await using server = await modelServer([{ events, headers: { "x-request-id": "req-9" } }]);
  expect(await faultOf(all(clientOf(server).stream(question)))).toMatchObject({
    fault: "provider",
    status: 200,
    providerRequestId: "req-9",
  });
});

it("reads one JSON body of a provider that does not stream", async () => {
  const body = completionBody({ content: "Hi.", reasoning_content: "Hm." });
  await using server = await modelServer([{ body }]);
  const events = await all(clientOf(server).stream(question));
  expect(events.map(({ type }) => type)).toEqual(["reasoning", "text", "end"]);
  expect(texts(events)).toEqual(["Hi."]);
});

it.each(["text/html", "image/png", "application/x-ndjson"])(
  "calls an answer of type %s malformed",
  async (type) => {
    await using server = await modelServer([
      { events: [text("a"), finish], headers: { "content-type": type } },
    ]);
    expect(await faultOf(all(clientOf(server).stream(question)))).toMatchObject({
      fault: "malformed",
    });
  },
);

it("bounds each silence, not the whole stream, and no time that the reader takes", async () => {
  let go: () => void = () => {};
  const gate = () =>
    new Promise<void>((resolve) => {
      go = resolve;
    });
  let gates = 0;
  await using server = await modelServer([
    {
      events: (async function* () {
        for (const part of ["a", "b", "c"]) {
          yield text(part);
          gates++;
          await gate();
        }
      })(),
    },
  ]);
  const ports = testPorts();
  const events = clientOf(server, ports, { timeout: 10 }).stream(question);
  for (const [index, part] of ["a", "b", "c"].entries()) {
    const next = events.next();
    if (index > 0) {
      ports.clock.advance(9_000);
      go();
    }
    expect(await next).toMatchObject({ value: { text: part } });
    await until(() => gates === index + 1);
    expect(ports.clock.waiting()).toBe(0);
    ports.clock.advance(60_000);
  }
  const silent = faultOf(events.next());
  await until(() => ports.clock.waiting() === 1);
  ports.clock.advance(10_000);
  expect(await silent).toMatchObject({ fault: "timeout" });
  expect(await server.requests[0]?.left).toBe(true);
});

it("bounds the time to the head", async () => {
  await using server = await modelServer([{ respond: () => {} }]);
  const ports = testPorts();
  const answer = faultOf(all(clientOf(server, ports, { timeout: 10 }).stream(question)));
  await until(() => server.requests.length === 1);
  ports.clock.advance(10_000);
  expect(await answer).toMatchObject({ fault: "timeout" });
  expect(server.requests).toHaveLength(1);
});

it.each<[string, string, string]>([
  ["comments", "text/event-stream", ": still there\n\n"],
  ["events that say nothing", "text/event-stream", "data:\n\n"],
  ["blanks before a whole answer", "application/json", " "],
])("bounds the time of an answer that goes on for ever in %s", async (_, type, sign) => {
  let more: () => void = () => {};
  await using server = await modelServer([
    {
      respond: (response) => {
        response.writeHead(200, { "content-type": type });
        more = () => void response.write(sign);
        more();
      },
    },
  ]);
  const ports = testPorts();
  let over = false;
  const answer = faultOf(all(clientOf(server, ports, { timeout: 10 }).stream(question)));
  void answer.then(() => (over = true));
  let waits = 0;
  for (; !over && waits < 50; waits++) {
    await until(() => over || ports.clock.waiting() > 0);
    ports.clock.advance(9_000);
    more();
    // Each sign comes in time, and is taken before the next.
    for (let turns = 0; turns < 20; turns++) await turn();
  }
  const fault = await answer;
  expect(fault).toMatchObject({ fault: "timeout" });
  expect(waits).toBeGreaterThan(8);
  expect(waits).toBeLessThan(50);
});

it("slows a server down to the pace of its reader", async () => {
  const piece = "x".repeat(64 * 1_024);
  const planned = 1_000;
  let written = 0;
  await using server = await modelServer([
    {
      events: (function* () {
        for (; written < planned; written++) yield text(piece);
        yield finish;
      })(),
    },
  ]);
  const events = clientOf(server).stream(question);
  await events.next();
  // Until the server has made no progress for a thousand turns.
  for (let [still, last] = [0, -1]; still < 1_000; still++, await turn()) {
    if (written !== last) [still, last] = [0, written];
  }
  // 64 MB are planned; what the buffers of two sockets hold is written.
  expect(written).toBeLessThan(planned / 2);
  await events.return();
  expect(await server.requests[0]?.left).toBe(true);
});

it("uses the connection again after a stream", async () => {
  const ports = new Set<number | undefined>();
  await using server = await modelServer(() => ({
    respond: (response) => {
      ports.add(response.socket?.remotePort);
      response.setHeader("content-type", "text/event-stream");
      response.end(
        `data: ${JSON.stringify(completionChunk({ content: "a" }, "stop"))}\n\ndata: [DONE]\n\n`,
      );
    },
  }));
  const client = clientOf(server);
  for (let round = 0; round < 3; round++) {
    for await (const event of client.stream(question)) if (event.type === "end") break;
    for (let turns = 0; turns < 50; turns++) await turn();
  }
  expect(ports.size).toBe(1);
});
