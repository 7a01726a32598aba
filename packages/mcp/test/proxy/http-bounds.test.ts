import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { allowAll, type ToolObserver } from "@toolstile/core";
import { afterEach, describe, expect, it } from "vitest";
import { HttpReply } from "../../src/proxy/http/reply.js";
import {
  UpstreamMessages,
  type UpstreamMessagesOptions,
} from "../../src/proxy/http/upstream-messages.js";
import type { HttpProxyOptions } from "../../src/proxy/index.js";
import { deferred } from "../support/deferred.js";
import { answer, answerJson, call, HttpWire, startEvents } from "../support/http-wire.js";

const open: HttpWire[] = [];
async function wired(options: Partial<HttpProxyOptions> = {}): Promise<HttpWire> {
  const wire = await HttpWire.open(options);
  open.push(wire);
  return wire;
}
afterEach(async () => {
  for (const wire of open.splice(0)) await wire.close();
});

const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" });
const session = { "mcp-session-id": "a" };

/** What the upstream leaves unanswered, in order. */
class Unanswered {
  readonly #responses: ServerResponse[] = [];
  #wake: () => void = () => {};

  readonly take = (response: ServerResponse): void => {
    this.#responses.push(response);
    this.#wake();
  };

  async at(index: number): Promise<ServerResponse> {
    while (this.#responses.length <= index) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#responses[index] as ServerResponse;
  }
}

async function ended(response: ServerResponse): Promise<void> {
  if (!response.destroyed) await once(response, "close");
}

async function connected(wire: HttpWire): Promise<Socket> {
  const socket = connect(Number(new URL(wire.url).port), "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

function asText(wire: HttpWire, message: object): string {
  const body = JSON.stringify(message);
  const { host } = new URL(wire.url);
  return `POST /mcp HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\nmcp-session-id: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

describe("what the HTTP proxy holds for others", () => {
  it("P17 is one request for each connection: another before the answer ends both", async () => {
    const wire = await wired();
    const unanswered = new Unanswered();
    wire.play = (_, response) => unanswered.take(response);
    const socket = await connected(wire);
    socket.write(asText(wire, ping(1)));
    const first = await unanswered.at(0);
    socket.write(asText(wire, ping(2)) + asText(wire, call(3)));
    await once(socket, "close");
    await ended(first);
    expect(wire.received.map(({ body }) => JSON.parse(body).id)).toEqual([1]);
  });

  it("is no fault where a request comes while it closes", async () => {
    const recorded = deferred<void>();
    const settling = deferred<void>();
    const observer: ToolObserver = {
      name: "o",
      required: true,
      settle: () => {
        settling.resolve();
        return recorded.promise;
      },
    };
    const wire = await wired({ observers: [observer] });
    const unanswered = new Unanswered();
    wire.play = (_, response) => unanswered.take(response);
    const socket = await connected(wire);
    socket.write(asText(wire, ping(1)));
    await unanswered.at(0);
    const asked = wire.post(call(2), session).catch(() => undefined);
    await unanswered.at(1);
    const closing = wire.close();
    await settling.promise;
    socket.write(asText(wire, ping(3)));
    await once(socket, "close");
    recorded.resolve();
    await Promise.all([closing, asked]);
  });

  it("P17 is no request to the server that the client has cancelled", async () => {
    const wire = await wired();
    const unanswered = new Unanswered();
    wire.play = ({ body }, response) => {
      if (body.includes("cancelled")) response.writeHead(202).end();
      else unanswered.take(response);
    };
    for (const message of [ping(1), call(2)]) {
      const asked = wire.post(message, session);
      const response = await unanswered.at((message as { id: number }).id - 1);
      const params = { requestId: (message as { id: number }).id };
      await wire.post({ jsonrpc: "2.0", method: "notifications/cancelled", params }, session);
      await ended(response);
      expect((await asked).status).toBe(202);
    }
    expect(wire.calls.filter(({ body }) => body.includes("cancelled"))).toHaveLength(2);
  });

  it("P17 is a bounded number of notifications that the server leaves hanging", {
    tags: "long",
  }, async () => {
    const wire = await wired();
    const unanswered = new Unanswered();
    wire.play = (_, response) => unanswered.take(response);
    const notification = { jsonrpc: "2.0", method: "notifications/x" };
    for (let sent = 0; sent <= 1_000; sent += 1) {
      const gone = new AbortController();
      const told = wire.post(notification, session, gone.signal).catch(() => {});
      await unanswered.at(sent);
      gone.abort();
      await told;
    }
    await ended(await unanswered.at(0));
    expect((await unanswered.at(1)).destroyed).toBe(false);
  });

  it("P17 is no stream of a list that the server has already given", async () => {
    const wire = await wired({ guardrails: [allowAll()] });
    const lists = new Unanswered();
    wire.list = (body, response) => {
      lists.take(response);
      startEvents(response);
      response.write(`data: ${JSON.stringify(body)}\n\n`);
    };
    wire.play = ({ body }, response) => answerJson(response, answer(JSON.parse(body).id));
    expect(await (await wire.post(call(1), session)).json()).toEqual(answer(1));
    await ended(await lists.at(0));
  });
});

it("P17 reads no more of what has no stream of its own than its listener takes", async () => {
  const full = new PassThrough({ highWaterMark: 1 });
  full.write("more than it takes");
  const listener = new HttpReply(full as unknown as ServerResponse);
  const options = { listener: () => listener } as unknown as UpstreamMessagesOptions;
  let isReady = false;
  const ready = new UpstreamMessages(options).sink({}).ready();
  void ready.then(() => {
    isReady = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isReady).toBe(false);
  full.resume();
  await ready;
});

describe("a client of the HTTP proxy", () => {
  it("is told of the deadline, also on a stream that it could take up again", async () => {
    const due: (() => void)[] = [];
    const clock = {
      now: () => 0,
      setTimeout: (callback: () => void) => due.push(callback),
      clearTimeout: () => {},
    };
    const recorded = deferred<void>();
    const observer: ToolObserver = { name: "o", required: true, settle: () => recorded.promise };
    const wire = await wired({ clock, callTimeoutMs: 5, observers: [observer] });
    const unanswered = new Unanswered();
    wire.play = ({ body }, response) => {
      if (body.includes("cancelled")) {
        response.writeHead(202).end();
        return;
      }
      startEvents(response);
      response.write("id: 1\ndata: \n\n");
      unanswered.take(response);
    };
    const asked = wire.post(call(1), session);
    const response = await unanswered.at(0);
    const reader = (await asked).body?.getReader();
    await reader?.read();
    const [deadline] = due.splice(-1);
    deadline?.();
    await ended(response);
    recorded.resolve();
    const { value } = (await reader?.read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toContain("did not answer in time");
  });

  it("is told of the deadline on the stream that it came back on", async () => {
    const due: (() => void)[] = [];
    const clock = {
      now: () => 0,
      setTimeout: (callback: () => void) => due.push(callback),
      clearTimeout: () => {},
    };
    const wire = await wired({ clock, callTimeoutMs: 5 });
    wire.play = ({ method, body }, response) => {
      if (body.includes("cancelled")) {
        response.writeHead(202).end();
        return;
      }
      startEvents(response);
      response.write("id: 1\ndata: \n\n");
      if (method === "POST") response.end();
    };
    await (await wire.post(call(1), session)).text();
    const back = await fetch(wire.url, { headers: { ...session, "last-event-id": "1" } });
    const reader = back.body?.getReader();
    await reader?.read();
    const [deadline] = due.splice(-1);
    deadline?.();
    const { value } = (await reader?.read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toContain("did not answer in time");
  });

  it("is given an error that comes by an event with a status of its own", async () => {
    const wire = await wired();
    const error = { jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } };
    wire.play = (_, response) => {
      response.writeHead(400, { "content-type": "text/event-stream" });
      response.end(`data: ${JSON.stringify(error)}\n\n`);
    };
    const response = await wire.post(ping(1));
    expect([response.status, await response.json()]).toEqual([400, error]);
  });

  it("P8 shares no ids with others by a session without a name", async () => {
    const wire = await wired();
    const unanswered = new Unanswered();
    wire.play = (_, response) => unanswered.take(response);
    const nameless = { "mcp-session-id": "" };
    const asked = [wire.post(ping(1), nameless), wire.post(ping(1), nameless)];
    for (const index of [1, 0]) answerJson(await unanswered.at(index), answer(1));
    for (const each of asked) expect(await (await each).json()).toEqual(answer(1));
  });
});
