import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { allow, allowAll, deny, type GuardrailProvider, modify } from "@toolstile/core";
import { afterEach, describe, expect, it } from "vitest";
import type { HttpProxyOptions } from "../../src/proxy/index.js";
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
const session = (id: string) => ({ "mcp-session-id": id });
/** Withholds what a tool says about the moon. */
const judge: GuardrailProvider = {
  name: "judge",
  evaluate: () => allow(),
  evaluateResult: (_, { content }) =>
    JSON.stringify(content).includes("moon") ? deny("not the moon") : allow(),
};

/** What the upstream gives to the first request that is no list, once it comes. */
function played(wire: HttpWire): Promise<ServerResponse> {
  return new Promise((resolve) => {
    wire.play = (_, response) => resolve(response);
  });
}

describe("the HTTP proxy", () => {
  it("passes on what is not judged as the same bytes, and its answer too", async () => {
    const wire = await wired();
    const said = '{"jsonrpc": "2.0","id":"é", "result":{"n":12345678901234567890}}';
    wire.play = (_, response) =>
      response
        .writeHead(200, { "content-type": "application/json", "mcp-session-id": "s" })
        .end(said);
    const asked = '{ "jsonrpc":"2.0", "id":"é","method":"x/y","params":{"n":1.50 }}';
    const response = await wire.post(asked, { "mcp-protocol-version": "2025-11-25" });
    expect(wire.received.map(({ body }) => body)).toEqual([asked]);
    expect(wire.received[0]?.headers["mcp-protocol-version"]).toBe("2025-11-25");
    expect(await response.text()).toBe(said);
    expect(response.headers.get("mcp-session-id")).toBe("s");
  });

  it("passes events on as they are: ids, types, comments and delays", async () => {
    const wire = await wired();
    const events = [
      "id: 1\ndata: \n\n",
      ": still here\n",
      'event: message\nid: 2\nretry: 50\ndata: {"jsonrpc":"2.0",\ndata: "method":"notifications/x"}\n\n',
      "event: ping\ndata: 2026-11-28\n\n",
      'event: message\nid: 3\ndata: {"jsonrpc":"2.0","id":1,"result":{ "content":[] }}\n\n',
    ];
    wire.play = (_, response) => {
      startEvents(response);
      response.end(events.join(""));
    };
    expect(await (await wire.post(call(1))).text()).toBe(events.join(""));
  });

  it("P6 passes a call on as it was judged, and the headers that repeat its arguments too", async () => {
    const guard: GuardrailProvider = { name: "g", evaluate: () => modify({ to: "bob" }) };
    const wire = await wired({ guardrails: [guard] });
    wire.play = ({ body }, response) => answerJson(response, answer(JSON.parse(body).id));
    const headers = {
      "mcp-method": "tools/call",
      "mcp-name": "one",
      "mcp-param-to": "ada",
      "mcp-param-x": "y",
    };
    expect(await (await wire.post(call(1, { to: "ada" }), headers)).json()).toEqual(answer(1));
    expect(JSON.parse(wire.calls[0]?.body ?? "")).toEqual(call(1, { to: "bob" }));
    expect(wire.calls[0]?.headers).toMatchObject({ "mcp-name": "one", "mcp-param-to": "bob" });
  });

  it.each([
    ["another tool", { "mcp-name": "two" }],
    [
      "another tool, encoded",
      { "mcp-name": `=?base64?${Buffer.from("two").toString("base64")}?=` },
    ],
    ["another method", { "mcp-method": "ping" }],
  ])("P6 refuses a call whose headers name %s", async (_, headers) => {
    const wire = await wired();
    const response = await wire.post(call(1), headers);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32_020 } });
    expect(wire.received).toEqual([]);
  });

  it("answers a call that is denied, and the server does not hear of it", async () => {
    const guard: GuardrailProvider = { name: "g", evaluate: () => deny("not today") };
    const wire = await wired({ guardrails: [guard] });
    const response = await wire.post(call(1));
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "application/json",
    ]);
    expect(await response.json()).toMatchObject({ id: 1, result: { isError: true } });
    expect(wire.calls).toEqual([]);
  });

  it("P8 keeps equal ids of clients without a session apart", async () => {
    const wire = await wired();
    const waiting: [string, ServerResponse][] = [];
    const both = new Promise<void>((resolve) => {
      wire.play = ({ body }, response) => {
        if (waiting.push([JSON.parse(body).params.arguments.who, response]) === 2) resolve();
      };
    });
    const asked = ["ann", "bob"].map(async (who) => (await wire.post(call(1, { who }))).json());
    await both;
    for (const [who, response] of waiting.reverse()) answerJson(response, answer(1, who));
    expect(await Promise.all(asked)).toEqual([answer(1, "ann"), answer(1, "bob")]);
    expect(wire.calls.map(({ body }) => JSON.parse(body).id)).toEqual([1, 1]);
  });

  it("P8 refuses a second request of a session with an id that is under way", async () => {
    const wire = await wired();
    const waiting = played(wire);
    const first = wire.post(ping(1), session("a"));
    const response = await waiting;
    expect(await (await wire.post(ping(1), session("a"))).json()).toMatchObject({
      error: { code: -32_600 },
    });
    answerJson(response, answer(1));
    expect(await (await first).json()).toEqual(answer(1));
  });

  it("withholds a result that a guard withholds, as an event or as a whole", async () => {
    const wire = await wired({ guardrails: [judge] });
    wire.play = (_, response) => {
      startEvents(response);
      response.end(`id: 7\ndata: ${JSON.stringify(answer(1, "the moon"))}\n\n`);
    };
    const text = await (await wire.post(call(1))).text();
    expect(text).toMatch(/^id: 7\ndata: \{.*not the moon.*\}\n\n$/);
    wire.play = (_, response) => answerJson(response, answer(1, "the moon"));
    expect(await (await wire.post(call(1))).text()).toContain("not the moon");
  });

  it("P6 drops an answer that was judged before when a stream repeats it", async () => {
    const wire = await wired({ guardrails: [judge] });
    const event = `id: 7\ndata: ${JSON.stringify(answer(1, "the moon"))}\n\n`;
    wire.play = (_, response) => {
      startEvents(response);
      response.end(event);
    };
    expect(await (await wire.post(call(1), session("a"))).text()).toContain("not the moon");
    const again = await fetch(wire.url, { headers: { ...session("a"), "last-event-id": "6" } });
    expect(await again.text()).toBe("");
    expect(wire.refused).toEqual(["server: it answers no request that waits"]);
    expect(wire.calls.at(-1)?.headers["last-event-id"]).toBe("6");
  });

  it("P6 judges an answer that comes on the stream that a client took up again", async () => {
    const wire = await wired({ guardrails: [judge] });
    wire.play = ({ method }, response) => {
      startEvents(response);
      // A server that is to be asked again later, as of 2025-11-25.
      if (method === "POST") response.end("id: 1\nretry: 10\ndata: \n\n");
      else response.end(`id: 2\ndata: ${JSON.stringify(answer(1, "the moon"))}\n\n`);
    };
    expect(await (await wire.post(call(1), session("a"))).text()).toBe(
      "id: 1\nretry: 10\ndata: \n\n",
    );
    const again = await fetch(wire.url, { headers: { ...session("a"), "last-event-id": "1" } });
    expect(await again.text()).toMatch(/^id: 2\ndata: .*not the moon/);
  });

  it("tells the server when a client goes, and ends the request", async () => {
    const wire = await wired();
    const waiting = played(wire);
    const abort = new AbortController();
    const asked = wire.post(call(1), session("a"), abort.signal).catch(() => "gone");
    const response = await waiting;
    const told = new Promise<string>((resolve) => {
      wire.play = ({ body }, other) => {
        other.writeHead(202).end();
        resolve(body);
      };
    });
    abort.abort();
    expect(await asked).toBe("gone");
    await once(response, "close");
    expect(JSON.parse(await told)).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: 1 },
    });
  });

  it("answers a call that the server does not answer in time, and ends the request", async () => {
    const due: (() => void)[] = [];
    const clock = {
      now: () => 0,
      setTimeout: (callback: () => void) => due.push(callback),
      clearTimeout: () => {},
    };
    const wire = await wired({ clock, callTimeoutMs: 5 });
    const waiting = played(wire);
    const asked = wire.post(call(1));
    const response = await waiting;
    const closed = once(response, "close");
    for (const callback of due.splice(0)) callback();
    expect(await (await asked).json()).toMatchObject({ id: 1, result: { isError: true } });
    await closed;
  });

  it.each([
    ["breaks off", (response: ServerResponse) => void response.destroy(), 502],
    ["says nothing", (response: ServerResponse) => void response.writeHead(202).end(), 200],
    [
      "says what is no JSON",
      (response: ServerResponse) =>
        void response.writeHead(200, { "content-type": "application/json" }).end("{"),
      200,
    ],
    [
      "says what means two things",
      (response: ServerResponse) =>
        void response
          .writeHead(200, { "content-type": "application/json" })
          .end('{"jsonrpc":"2.0","id":1,"result":{},"result":{}}'),
      200,
    ],
    ["answers another request", (response: ServerResponse) => answerJson(response, answer(2)), 200],
  ])("answers by an error where the server %s", async (_, play, status) => {
    const wire = await wired();
    wire.play = (__, response) => play(response);
    for (const message of [ping(1), call(1)]) {
      const response = await wire.post(message);
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ id: 1, error: { code: -32_000 } });
    }
  });

  it("refuses a batch, and what cannot be read, with a status and an error", async () => {
    const wire = await wired();
    for (const message of [
      [ping(1), call(2)],
      "{",
      `{"jsonrpc":"2.0","id":1,"method":"ping","method":"x"}`,
    ]) {
      const response = await wire.post(message);
      expect(response.status).toBe(400);
      expect(await response.json()).toHaveProperty("error.message");
    }
    expect(wire.received).toEqual([]);
  });

  it("answers a method that is not passed on with 404, and with 200 where that would end the session", async () => {
    const wire = await wired();
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
    for (const [params, status] of [
      [{ _meta }, 404],
      [{}, 200],
    ] as const) {
      const response = await wire.post({ jsonrpc: "2.0", id: 1, method: "tools/run", params });
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ id: 1, error: { code: -32601 } });
    }
    expect(wire.received).toEqual([]);
  });

  it.each([
    ["timeout=1, max=9", 2],
    ["timeout=5", 1],
  ])("uses no connection again that the server is about to close: %s", async (hint, count) => {
    const wire = await wired();
    const ports = new Set<number | undefined>();
    wire.play = ({ request }, response) => {
      ports.add(request.socket.remotePort);
      response.setHeader("keep-alive", hint);
      answerJson(response, answer(1));
    };
    for (const _ of [1, 2]) await (await wire.post(ping(1), session("s"))).text();
    expect(ports.size).toBe(count);
  });

  it("P17 has a bound for sessions: the idle give way, and those in use do not", async () => {
    const wire = await wired({ maxSessions: 1, guardrails: [allowAll()] });
    wire.play = ({ body }, response) => answerJson(response, answer(JSON.parse(body).id));
    expect((await wire.post(ping(1), session("a"))).status).toBe(200);
    expect((await wire.post(ping(1), session("b"))).status).toBe(200);
    const waiting = played(wire);
    const first = wire.post(ping(2), session("b"));
    const response = await waiting;
    expect((await wire.post(ping(1), session("c"))).status).toBe(503);
    answerJson(response, answer(2));
    expect((await first).status).toBe(200);
  });

  it("P17 lets a session go whose client waits for an answer that may never come", async () => {
    const wire = await wired({ maxSessions: 1 });
    wire.play = (_, response) => {
      startEvents(response);
      response.end("id: 1\ndata: \n\n");
    };
    await (await wire.post(ping(1), session("a"))).text();
    wire.play = ({ body }, response) => answerJson(response, answer(JSON.parse(body).id));
    expect((await wire.post(ping(1), session("b"))).status).toBe(200);
  });

  it("P14 keeps the name of a session, also where it was let go in between", async () => {
    const seen: unknown[] = [];
    const guard: GuardrailProvider = {
      name: "g",
      evaluate: ({ context }) => {
        seen.push(context.sessionId);
        return allow();
      },
    };
    const wire = await wired({ maxSessions: 1, guardrails: [guard], hideDenied: false });
    wire.play = ({ body }, response) => answerJson(response, answer(JSON.parse(body).id));
    for (const id of ["a", "b", "a"]) await wire.post(call(1), session(id));
    expect(seen[0]).toBe(seen[2]);
    expect(new Set(seen).size).toBe(2);
    expect(seen.join()).not.toContain('"a"');
  });

  it("ends a session where the server does", async () => {
    const wire = await wired();
    wire.play = (_, response) => response.writeHead(200).end();
    const response = await fetch(wire.url, { method: "DELETE", headers: session("a") });
    expect(response.status).toBe(200);
    expect(wire.received.map(({ method, headers }) => [method, headers["mcp-session-id"]])).toEqual(
      [["DELETE", "a"]],
    );
  });
});
