import { type Fault, ToolstileError } from "@toolstile/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { call, HttpWire } from "../support/http-wire.js";

let wire: HttpWire;
let faults: Fault[];
let play: { status: number; type: string; body: string };
beforeEach(async () => {
  faults = [];
  wire = await HttpWire.open({ onFault: (fault) => void faults.push(fault) });
  wire.play = (_, response) => {
    response.writeHead(play.status, { "content-type": play.type, location: "/elsewhere" });
    response.end(play.body);
  };
});
afterEach(() => wire.close());

const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params: {} };
const ask = async (message: object = hello) => {
  const response = await wire.post(message);
  return { status: response.status, text: await response.text() };
};

describe("an upstream's status that is no success", () => {
  it.each([301, 302, 307, 308])(
    "of a redirect, %i, is told as what it is, to the client and once to operators",
    async (status) => {
      play = { status, type: "text/html", body: "<p>moved</p>" };
      for (const _ of [1, 2]) {
        const told = await ask();
        expect(told.status).toBe(502);
        expect(told.text).toContain(`HTTP ${status}, a redirect`);
      }
      expect(faults).toEqual([
        {
          source: "mcp",
          phase: "upstream",
          error: expect.objectContaining({ code: "ERR_CONFIG" }),
        },
      ]);
      expect(ToolstileError.isInstance(faults[0]?.error)).toBe(true);
      expect(wire.refused).toEqual([]);
    },
  );

  it.each([401, 403, 407])("of a refused credential, %i, is told as that", async (status) => {
    play = { status, type: "text/plain", body: "token expired" };
    const told = await ask();
    expect(told.status).toBe(502);
    expect(told.text).toContain(`HTTP ${status}: it refuses the proxy's credential`);
    expect(told.text).not.toContain("expired");
    expect(faults).toHaveLength(1);
    expect(wire.refused).toEqual([]);
  });

  it("is told to operators again once it has been well in between", async () => {
    const bad = { status: 401, type: "text/plain", body: "" };
    const well = {
      status: 200,
      type: "application/json",
      body: '{"jsonrpc":"2.0","id":1,"result":{}}',
    };
    for (const next of [bad, bad, well, bad]) {
      play = next;
      await ask();
    }
    expect(faults).toHaveLength(2);
  });

  it("of a request that the upstream cannot take passes, and names the older transport", async () => {
    play = { status: 405, type: "text/plain", body: "" };
    expect(await ask()).toMatchObject({
      status: 405,
      text: expect.stringContaining("older transport of HTTP with SSE"),
    });
    expect(faults).toEqual([]);
  });

  it("passes with the message that it explains itself by, where that is the answer", async () => {
    const error = { jsonrpc: "2.0", id: 1, error: { code: -32000, message: "No such session." } };
    play = { status: 404, type: "application/json", body: JSON.stringify(error) };
    const told = await ask();
    expect([told.status, JSON.parse(told.text)]).toEqual([404, error]);
  });

  it("is the reason of a list that the proxy asks for in vain", async () => {
    wire.list = (_, response) => response.writeHead(401).end();
    const { text } = await ask(call(2));
    expect(text).toContain("could not be taken on");
    expect(faults.map(({ phase }) => phase)).toContain("upstream");
  });

  it.each(["GET", "DELETE"])("is told for a %s, too", async (method) => {
    play = { status: 401, type: "text/plain", body: "" };
    const response = await fetch(wire.url, { method, headers: { accept: "text/event-stream" } });
    expect(response.status).toBe(502);
    expect(faults).toHaveLength(1);
  });
});

describe("a byte order mark", () => {
  it("before an upstream's JSON is not passed on, and what follows it is", async () => {
    const body = '{"jsonrpc":"2.0","id":1,"result":{"a":1}}';
    play = { status: 200, type: "application/json", body: `\uFEFF${body}` };
    const response = await wire.post(hello);
    expect(Buffer.from(await response.arrayBuffer()).toString("utf8")).toBe(body);
  });

  it("before a client's JSON is not passed on", async () => {
    play = { status: 202, type: "text/plain", body: "" };
    const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect((await wire.post(`\uFEFF${body}`)).status).toBe(202);
    expect(wire.received[0]?.body).toBe(body);
  });
});
