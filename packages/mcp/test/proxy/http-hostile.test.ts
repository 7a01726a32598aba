import { once } from "node:events";
import { get, type IncomingMessage, type ServerResponse } from "node:http";
import { heapUsed } from "@toolstile/testing/heap";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deferred } from "../support/deferred.js";
import { answer, answerJson, call, HttpWire, startEvents } from "../support/http-wire.js";

let wire: HttpWire;
beforeEach(async () => {
  wire = await HttpWire.open();
});
afterEach(() => wire.close());

const event = (message: unknown): string => `data: ${JSON.stringify(message)}\n\n`;

describe("a server that means harm", () => {
  it.each(["200", "400"])(
    "P1 ends no proxy by an answer that is refused, with HTTP %s",
    async (status) => {
      wire.play = ({ body }, response) => {
        response.writeHead(Number(status), { "content-type": "text/event-stream" });
        response.end(event([answer(JSON.parse(body).id)]));
      };
      // Whether the answer ends before it is refused is left to chance.
      for (let id = 0; id < 40; id++) {
        const text = await (await wire.post(call(id))).text();
        expect(text).toContain("batches are not taken");
      }
      wire.play = ({ body }, response) => answerJson(response, answer(JSON.parse(body).id));
      expect(await (await wire.post(call(1))).json()).toEqual(answer(1));
    },
  );

  it("P8 tells nobody who listens without a session what belongs to another client's call", async () => {
    const listening = deferred<ServerResponse>();
    wire.play = ({ method, body }, response) => {
      if (method !== "GET") return answerJson(response, answer(JSON.parse(body).id));
      startEvents(response);
      response.write(": on\n\n");
      listening.resolve(response);
    };
    const asked = get(wire.url, { headers: { accept: "text/event-stream" } });
    const [heard] = (await once(asked, "response")) as [IncomingMessage];
    let text = "";
    heard.setEncoding("utf8").on("data", (piece) => {
      text += piece;
    });
    wire.list = (list, response) => {
      startEvents(response);
      const params = { level: "info", data: "of another client" };
      response.write(event({ jsonrpc: "2.0", method: "notifications/message", params }));
      response.end(event(list));
    };
    expect(await (await wire.post(call(1))).json()).toEqual(answer(1));
    (await listening.promise).end(event({ jsonrpc: "2.0", method: "n" }));
    await once(heard, "end");
    expect(text).toBe(`: on\n\n${event({ jsonrpc: "2.0", method: "n" })}`);
  });
});

describe("a client that means harm", () => {
  it("P17 has the proxy keep nothing of what its open requests said", {
    tags: "long",
  }, async () => {
    const held = (): number => heapUsed() + process.memoryUsage().external;
    const bytes = 4_000_000;
    wire.play = ({ method }, response) => {
      // Nothing but the length is kept by the test, too.
      wire.received.length = 0;
      startEvents(response);
      response.write(`id: ${method}\ndata:\n\n`);
    };
    const ask = async (id: number): Promise<void> => {
      const gone = new AbortController();
      const params = { uri: `${id}`.padEnd(bytes, "x") };
      const message = { jsonrpc: "2.0", id, method: "resources/read", params };
      await wire.post(message, { "mcp-session-id": "a" }, gone.signal);
      gone.abort();
    };
    await ask(0);
    const before = held();
    const count = 20;
    for (let id = 1; id <= count; id++) await ask(id);
    // What the sockets have taken is let go a little later.
    const timeout = 20_000;
    await expect.poll(() => held() - before, { timeout }).toBeLessThan((count * bytes) / 4);
  });
});
