import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { BodyRoom, NoRoomError } from "../../src/proxy/http/body-room.js";
import { startHttpProxy } from "../../src/proxy/index.js";
import { answer, answerJson, call, HttpWire, startEvents } from "../support/http-wire.js";

const open: HttpWire[] = [];
const bounds = { maxMessageBytes: 100_000, maxBufferedBytes: 200_000 };
async function wired(): Promise<HttpWire> {
  const wire = await HttpWire.open(bounds);
  open.push(wire);
  return wire;
}
afterEach(async () => {
  for (const wire of open.splice(0)) await wire.close();
});

/** A client that has sent so many bytes of its message, and waits. */
async function sending(wire: HttpWire, message: string, bytes: number): Promise<Socket> {
  const { port, host } = new URL(wire.url);
  const socket = connect(Number(port), "127.0.0.1");
  await once(socket, "connect");
  const head = `POST /mcp HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${message.length}\r\n\r\n`;
  socket.write(head + message.slice(0, bytes));
  return socket;
}

async function textOf(socket: Socket): Promise<string> {
  let text = "";
  for await (const piece of socket.setEncoding("utf8")) text += piece;
  return text;
}

/** Posts small messages until one is answered with this status. */
async function untilStatus(wire: HttpWire, status: number): Promise<Response> {
  for (;;) {
    const response = await wire.post(call(9));
    if (response.status === status) return response;
    await response.text();
  }
}

describe("P17 the room for bodies that are being read", () => {
  it("P17 is refused to a client when half of it is taken, with an answer that says so, and given back", async () => {
    const wire = await wired();
    wire.play = (_, response) => answerJson(response, answer(1));
    const message = JSON.stringify(call(1, { body: "x".repeat(90_000) }));
    const first = await sending(wire, message, message.length - 1);
    const second = await sending(wire, message, message.length - 1);
    const texts = [first, second].map(textOf);
    const refused = await Promise.race(texts.map((text, index) => text.then(() => index)));
    expect(await texts[refused]).toMatch(/^HTTP\/1\.1 503 /);
    expect(await texts[refused]).toContain("retry-after: 1");
    expect(await texts[refused]).toContain(
      '"id":null,"error":{"code":-32000,"message":"The proxy is reading as many',
    );
    expect(wire.refused).toEqual(["client: there is no room for it now"]);
    (refused === 0 ? second : first).write(message.slice(-1));
    expect(await texts[1 - refused]).toMatch(/^HTTP\/1\.1 200 /);
    await untilStatus(wire, 200);
  });

  it("P17 is refused to an answer when all of it is taken: its call fails, and others go on", async () => {
    const wire = await wired();
    const waiting: ServerResponse[] = [];
    const long = JSON.stringify(answer(1, "x".repeat(90_000)));
    wire.play = (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write(long.slice(0, -1));
      waiting.push(response);
    };
    const calls = [1, 2, 3].map(async () => {
      const response = await wire.post(call(1));
      return { status: response.status, text: await response.text() };
    });
    const failed = await Promise.race(calls);
    expect(failed.status).toBe(503);
    expect(failed.text).toContain("The proxy is reading as many bytes");
    for (const response of waiting) response.end(long.slice(-1));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  });

  it("P17 is taken by events that have no end yet, and given back with their stream", async () => {
    const wire = await wired();
    const waiting: ServerResponse[] = [];
    wire.play = (_, response) => {
      startEvents(response);
      response.write(`data: ${"x".repeat(90_000)}`);
      waiting.push(response);
    };
    const calls = [1, 2, 3].map(async () => (await wire.post(call(1))).text());
    expect(await Promise.race(calls)).toContain("The proxy is reading as many bytes");
    for (const response of waiting) response.destroy();
    await Promise.all(calls);
    wire.play = (_, response) => answerJson(response, answer(9, "x".repeat(90_000)));
    for (const _ of [1, 2, 3]) await untilStatus(wire, 200);
  });

  it("P17 never has more taken than there is, by clients no more than half, and all is given back", () => {
    const step = fc.record({ body: fc.nat(7), bytes: fc.nat(60) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const room = new BodyRoom(100);
        const bodies = Array.from({ length: 8 }, (_, body) => ({
          isClients: body % 2 === 0,
          bytes: 0,
          hold: body % 2 === 0 ? room.ofClient() : room.ofServer(),
        }));
        for (const { body, bytes } of steps) {
          const each = bodies[body] as (typeof bodies)[number];
          const others = room.used - each.bytes;
          const fits = others + bytes <= (each.isClients ? 50 : 100) || bytes <= each.bytes;
          if (fits) {
            each.hold(bytes);
            each.bytes = bytes;
          } else expect(() => each.hold(bytes)).toThrow(NoRoomError);
          expect(room.used).toBe(bodies.reduce((sum, one) => sum + one.bytes, 0));
          expect(room.used).toBeLessThanOrEqual(100);
        }
        for (const { hold } of bodies) hold(0);
        expect(room.used).toBe(0);
      }),
    );
  });

  it("P5 must hold two of the longest messages", async () => {
    const small = { upstream: "http://127.0.0.1:1", guardrails: [], maxMessageBytes: 1_000 };
    await expect(startHttpProxy({ ...small, maxBufferedBytes: 1_999 })).rejects.toThrow(
      "'maxBufferedBytes' must be at least twice 'maxMessageBytes', which is 2000, received 1999",
    );
  });
});
