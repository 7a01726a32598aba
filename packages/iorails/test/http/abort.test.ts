import { getEventListeners } from "node:events";
import { completionBody, completionChunk, type ModelReply, modelServer } from "@toolstile/testing";
import { collectGarbage } from "@toolstile/testing/heap";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { all, clientOf, faultOf, question, testPorts, turn, until } from "./support.js";

const unhandled: unknown[] = [];
const note = (reason: unknown): void => {
  unhandled.push(reason);
};
beforeEach(() => {
  process.on("unhandledRejection", note);
});
afterEach(async () => {
  // Rejections are told after the turn in which they happen.
  for (let turns = 0; turns < 20; turns++) await turn();
  process.off("unhandledRejection", note);
  expect(unhandled.splice(0)).toEqual([]);
});

const text = (content: string) => completionChunk({ content });
const silent: ModelReply = { respond: () => {} };
const half: ModelReply = {
  respond: (response) => {
    response.setHeader("content-type", "application/json");
    response.write('{"id":');
  },
};
/** One piece of text, and then nothing more. */
const stalls: ModelReply = {
  respond: (response) => {
    response.setHeader("content-type", "text/event-stream");
    response.write(`data: ${JSON.stringify(text("a"))}\n\n`);
  },
};
/** Text without end. */
const endless = (): ModelReply => ({
  events: (function* () {
    for (;;) yield text("a".repeat(1_000));
  })(),
});

function listeners(signal: AbortSignal): number {
  return getEventListeners(signal, "abort").length;
}

describe.each(["complete", "stream"] as const)("%s", (method) => {
  function ask(
    server: { readonly url: string },
    signal: AbortSignal,
    ports = testPorts(),
  ): Promise<unknown> {
    const client = clientOf(server, ports);
    return method === "complete"
      ? client.complete(question, { signal })
      : all(client.stream(question, { signal }));
  }

  it("asks nothing where the signal is aborted already", async () => {
    await using server = await modelServer([]);
    const signal = AbortSignal.abort(new Error("hunter2"));
    const fault = await faultOf(ask(server, signal));
    expect(fault).toMatchObject({ fault: "aborted", message: expect.stringContaining("'main'") });
    expect(server.requests).toHaveLength(0);
    expect(listeners(signal)).toBe(0);
  });

  it.each([
    ["before the head", silent],
    ["inside the body", half],
  ])("ends, and closes the connection, on an abort %s", async (_, reply) => {
    await using server = await modelServer([reply]);
    const controller = new AbortController();
    const ports = testPorts();
    const answer = faultOf(ask(server, controller.signal, ports));
    await until(() => server.requests.length === 1);
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(listeners(controller.signal)).toBe(1);
    controller.abort();
    expect(await answer).toMatchObject({ fault: "aborted" });
    expect(await server.requests[0]?.left).toBe(true);
    expect(listeners(controller.signal)).toBe(0);
    expect(ports.clock.waiting()).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ["an abort", "aborted"],
    ["its time", "timeout"],
  ] as const)("ends with %s also where a fetch heeds no signal", async (_, fault) => {
    await using server = await modelServer([]);
    const controller = new AbortController();
    let late = (_: Response): void => {};
    const ports = testPorts({ fetch: () => new Promise((resolve) => (late = resolve)) });
    const answer = faultOf(ask(server, controller.signal, ports));
    await until(() => ports.clock.waiting() > 0);
    if (fault === "aborted") controller.abort();
    else await ports.clock.advance(Math.max(...ports.delays));
    expect(await answer).toMatchObject({ fault });
    // What comes when nobody waits for it any more is not left open.
    let cancelled = false;
    const open = new ReadableStream({
      cancel: () => {
        cancelled = true;
      },
    });
    late(new Response(open));
    await until(() => ports.clock.waiting() > 0);
    await ports.clock.advance(Math.max(...ports.delays));
    await until(() => cancelled);
    expect(listeners(controller.signal)).toBe(0);
  });

  it("ends also where the abort comes while a fetch that heeds no signal is being called", async () => {
    const controller = new AbortController();
    const ports = testPorts({
      fetch: () => {
        controller.abort();
        return new Promise(() => {});
      },
    });
    const answer = ask({ url: "http://host" }, controller.signal, ports);
    expect(await faultOf(answer)).toMatchObject({ fault: "aborted" });
    expect(listeners(controller.signal)).toBe(0);
    expect(ports.clock.waiting()).toBe(0);
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["text", "ok"],
    ["an answer without headers", { status: 200 }],
  ])("P5 names the option where a fetch gives %s", async (_, given) => {
    await using server = await modelServer([]);
    const ports = testPorts({ fetch: (async () => given) as never });
    await expect(ask(server, new AbortController().signal, ports)).rejects.toMatchObject({
      code: "ERR_INVALID_OPTION",
      message: expect.stringContaining("'fetch'"),
    });
    expect(ports.clock.waiting()).toBe(0);
  });

  it("ends on an abort while it waits to ask again, and asks no more", async () => {
    await using server = await modelServer([{ status: 503, body: {} }]);
    const controller = new AbortController();
    const ports = testPorts();
    const answer = faultOf(ask(server, controller.signal, ports));
    await until(() => ports.delays.includes(200));
    controller.abort();
    expect(await answer).toMatchObject({ fault: "aborted" });
    await until(() => ports.clock.waiting() === 0);
    expect(server.requests).toHaveLength(1);
    expect(listeners(controller.signal)).toBe(0);
  });

  it.each<readonly [string, ModelReply]>([
    ["a good answer", { body: completionBody({ content: "Hi." }) }],
    ["a refusal", { status: 400, body: {} }],
    ["an answer that cannot be read", { body: "no", headers: { "content-type": "text/html" } }],
  ])("leaves no listener on a signal that is never aborted, after %s", async (_, reply) => {
    await using server = await modelServer([reply]);
    const { signal } = new AbortController();
    await ask(server, signal).catch(() => {});
    expect(listeners(signal)).toBe(0);
  });

  it("leaves nobody hanging where a fetch pays no heed to its signal once the head is there", async () => {
    const controller = new AbortController();
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      cancel: () => {
        cancelled = true;
      },
    });
    const fetch = async () => new Response(body);
    const answer = faultOf(ask({ url: "http://host" }, controller.signal, testPorts({ fetch })));
    for (let turns = 0; turns < 20; turns++) await turn();
    controller.abort();
    expect(await answer).toMatchObject({ fault: "aborted" });
    expect(cancelled).toBe(true);
  });
});

it("asks nothing before the first event is asked for", async () => {
  await using server = await modelServer([]);
  const { signal } = new AbortController();
  const events = clientOf(server).stream(question, { signal });
  for (let turns = 0; turns < 20; turns++) await turn();
  expect(server.requests).toHaveLength(0);
  expect(listeners(signal)).toBe(0);
  expect(await events.return()).toEqual({ done: true, value: undefined });
  expect(await events.next()).toEqual({ done: true, value: undefined });
  expect(server.requests).toHaveLength(0);
});

it("ends on an abort between two events, though more has come", async () => {
  await using server = await modelServer([{ events: [text("a"), text("b"), text("c")] }]);
  const controller = new AbortController();
  const events = clientOf(server).stream(question, { signal: controller.signal });
  expect(await events.next()).toMatchObject({ value: { text: "a" } });
  controller.abort();
  expect(await faultOf(events.next())).toMatchObject({ fault: "aborted", status: 200 });
  expect(await events.next()).toEqual({ done: true, value: undefined });
  expect(listeners(controller.signal)).toBe(0);
});

it("ends on an abort while an event is waited for", async () => {
  await using server = await modelServer([stalls]);
  const controller = new AbortController();
  const events = clientOf(server).stream(question, { signal: controller.signal });
  await events.next();
  const next = faultOf(events.next());
  controller.abort();
  expect(await next).toMatchObject({ fault: "aborted" });
  expect(await server.requests[0]?.left).toBe(true);
});

it("closes the connection on an abort although nobody asks for another event", async () => {
  await using server = await modelServer([endless()]);
  const controller = new AbortController();
  const events = clientOf(server).stream(question, { signal: controller.signal });
  await events.next();
  controller.abort();
  expect(await server.requests[0]?.left).toBe(true);
  expect(listeners(controller.signal)).toBe(0);
});

it("closes the connection when its reader breaks off", async () => {
  await using server = await modelServer([endless()]);
  const { signal } = new AbortController();
  const ports = testPorts();
  for await (const event of clientOf(server, ports).stream(question, { signal })) {
    if (event.type === "text") break;
  }
  expect(await server.requests[0]?.left).toBe(true);
  expect(listeners(signal)).toBe(0);
  expect(ports.clock.waiting()).toBe(0);
});

it.each<readonly [string, ModelReply, number]>([
  ["the head", silent, 0],
  ["an event", stalls, 1],
  ["the rest of a JSON body", half, 0],
])("closes the connection on return() while a next() waits for %s", async (_, reply, events) => {
  await using server = await modelServer([reply]);
  const { signal } = new AbortController();
  const ports = testPorts();
  const stream = clientOf(server, ports).stream(question, { signal });
  for (let taken = 0; taken < events; taken++) await stream.next();
  const next = stream.next();
  await until(() => server.requests.length === 1);
  for (let turns = 0; turns < 20; turns++) await turn();
  expect(await stream.return()).toEqual({ done: true, value: undefined });
  expect(await next).toEqual({ done: true, value: undefined });
  expect(await server.requests[0]?.left).toBe(true);
  expect(listeners(signal)).toBe(0);
  expect(ports.clock.waiting()).toBe(0);
});

it("gives up the wait to ask again on return()", async () => {
  await using server = await modelServer([{ status: 503, body: {} }]);
  const ports = testPorts();
  const stream = clientOf(server, ports).stream(question);
  const next = stream.next();
  await until(() => ports.delays.includes(200));
  await stream.return();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(server.requests).toHaveLength(1);
});

it("closes the connection on throw(), and throws that error", async () => {
  await using server = await modelServer([endless()]);
  const stream = clientOf(server).stream(question);
  await stream.next();
  const mine = new Error("mine");
  await expect(stream.throw(mine)).rejects.toBe(mine);
  expect(await server.requests[0]?.left).toBe(true);
});

it("closes the connection when the scope that owns the stream ends", async () => {
  await using server = await modelServer([endless()]);
  {
    await using stream = clientOf(server).stream(question);
    await stream.next();
  }
  expect(await server.requests[0]?.left).toBe(true);
});

it("leaves the signal alone once the last event is given, though nobody asks for more", async () => {
  await using server = await modelServer([{ events: [completionChunk({ content: "a" }, "stop")] }]);
  const { signal } = new AbortController();
  const stream = clientOf(server).stream(question, { signal });
  await stream.next();
  expect(await stream.next()).toMatchObject({ value: { type: "end" } });
  expect(listeners(signal)).toBe(0);
});

it("still closes the connection after the garbage of a long stream was collected", async () => {
  await using server = await modelServer([stalls]);
  const controller = new AbortController();
  const stream = clientOf(server).stream(question, { signal: controller.signal });
  await stream.next();
  for (let round = 0; round < 5; round++) {
    collectGarbage();
    await turn();
  }
  const next = faultOf(stream.next());
  controller.abort();
  expect(await next).toMatchObject({ fault: "aborted" });
  expect(await server.requests[0]?.left).toBe(true);
});

it("closes the connection of a stream that cannot be read, though nothing more comes", async () => {
  await using server = await modelServer([
    {
      respond: (response) => {
        response.setHeader("content-type", "text/event-stream");
        response.write("data: {no}\n\n");
      },
    },
  ]);
  await faultOf(all(clientOf(server).stream(question)));
  expect(await server.requests[0]?.left).toBe(true);
});

it("leaves the connection whole where the reader goes after the last event", async () => {
  let finish: () => void = () => {};
  await using server = await modelServer([
    {
      respond: (response) => {
        response.setHeader("content-type", "text/event-stream");
        const last = completionChunk({ content: "a" }, "stop");
        response.write(`data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`);
        finish = () => response.end();
      },
    },
  ]);
  for await (const event of clientOf(server).stream(question)) if (event.type === "end") break;
  for (let turns = 0; turns < 50; turns++) await turn();
  finish();
  expect(await server.requests[0]?.left).toBe(false);
});

it.each([
  ["goes on without end", endless()],
  ["stops", stalls],
])("does not wait for the body of a refusal that %s, and closes it", async (_, reply) => {
  await using server = await modelServer([
    {
      respond: (response) => {
        response.statusCode = 400;
        if ("respond" in reply) return reply.respond(response);
        const write = (): void => {
          while (!response.destroyed && response.write("x".repeat(10_000)));
        };
        response.on("drain", write);
        write();
      },
    },
  ]);
  const ports = testPorts();
  const fault = await faultOf(clientOf(server, ports).complete(question));
  expect(fault).toMatchObject({ fault: "status", status: 400 });
  ports.clock.advance(1_000);
  expect(await server.requests[0]?.left).toBe(true);
  await until(() => ports.clock.waiting() === 0);
});
