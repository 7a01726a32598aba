import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { refusedAccess } from "../../src/proxy/http/access.js";
import { type HttpProxyOptions, startHttpProxy } from "../../src/proxy/index.js";
import { answer, answerJson, call, HttpWire } from "../support/http-wire.js";

const secret = "s3cr3t-canary";
let wire: HttpWire;
beforeEach(async () => {
  wire = await HttpWire.open({
    upstreamHeaders: { authorization: "Bearer upstream" },
    allowedHosts: ["proxy.example:80"],
    allowedOrigins: ["https://app.example"],
    maxMessageBytes: 5_000,
  });
  wire.play = ({ body }, response) => answerJson(response, answer(JSON.parse(body || "{}").id));
});
afterEach(() => wire.close());

describe("who may talk to the HTTP proxy", () => {
  const json = { "content-type": "application/json" };
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const host = (): string => new URL(wire.url).host;

  it.each([
    ["its own address", () => ({ host: host() }), 200],
    ["localhost", () => ({ host: host().replace("127.0.0.1", "LOCALHOST") }), 200],
    ["a name that is allowed", () => ({ host: "proxy.example:80" }), 200],
    ["a page's own name, made to point here", () => ({ host: "evil.example:80" }), 421],
    ["its address without the port", () => ({ host: "127.0.0.1" }), 421],
    ["another port", () => ({ host: "127.0.0.1:1" }), 421],
    ["an origin that is allowed", () => ({ host: host(), origin: "https://app.example" }), 200],
    ["another origin", () => ({ host: host(), origin: "https://evil.example" }), 403],
    ["its own origin", () => ({ host: host(), origin: `http://${host()}` }), 200],
    [
      "the origin of localhost, at localhost",
      () => {
        const local = host().replace("127.0.0.1", "localhost");
        return { host: local, origin: `http://${local}` };
      },
      200,
    ],
    [
      "the origin of another of its names",
      () => ({ host: host(), origin: `http://${host().replace("127.0.0.1", "localhost")}` }),
      403,
    ],
    ["its own origin over TLS", () => ({ host: host(), origin: `https://${host()}` }), 403],
    [
      "the origin of a name that is allowed",
      () => ({ host: "proxy.example:80", origin: "http://proxy.example:80" }),
      403,
    ],
    ["an origin on this machine", () => ({ host: host(), origin: "http://localhost:3000" }), 403],
    ["a page that says no origin", () => ({ host: host(), "sec-fetch-site": "cross-site" }), 403],
    [
      "a word for its site that is not known",
      () => ({ host: host(), "sec-fetch-site": "Cross-Site" }),
      403,
    ],
    ["a browser that nobody sent", () => ({ host: host(), "sec-fetch-site": "none" }), 200],
    ["the origin null", () => ({ host: host(), origin: "null" }), 403],
  ])("is decided by %s", async (_, headers, status) => {
    expect(await wire.raw("POST", { ...json, ...headers() }, "/mcp", ping)).toBe(status);
    expect(wire.received).toHaveLength(status === 200 ? 1 : 0);
  });

  it.each([
    ["another path", "POST", "/", json, 404],
    ["a method that MCP has not", "PUT", "/mcp", json, 405],
    ["a preflight of no page", "OPTIONS", "/mcp", json, 405],
    ["a type that pages send unasked", "POST", "/mcp", { "content-type": "text/plain" }, 415],
    ["another charset", "POST", "/mcp", { "content-type": "application/json; charset=utf-7" }, 415],
    [
      "two charsets",
      "POST",
      "/mcp",
      { "content-type": "application/json; charset=utf-8; charset=utf-7" },
      415,
    ],
    ["what is compressed", "POST", "/mcp", { ...json, "content-encoding": "gzip" }, 415],
  ])("is not served %s", async (_, method, path, headers, status) => {
    expect(await wire.raw(method, { host: host(), ...headers }, path, ping)).toBe(status);
    expect(wire.received).toEqual([]);
  });

  it.each([
    "application/json",
    "application/json; charset=UTF-8",
    'application/json;charset="utf-8"',
  ])(
    "P6 has a body passed on as the JSON that was judged, whose type it said as %s",
    async (type) => {
      expect((await wire.post(ping, { "content-type": type })).status).toBe(200);
      expect(wire.received[0]?.headers["content-type"]).toBe("application/json");
    },
  );

  it("is told where a body is too long, and nothing is passed on", async () => {
    const response = await wire.post({ jsonrpc: "2.0", id: 1, method: "x".repeat(6_000) });
    expect([response.status, wire.received.length]).toEqual([413, 0]);
  });

  it.each([
    ["two lengths", () => "host: x\r\ncontent-length: 5\r\ncontent-length: 6"],
    ["two hosts", () => `host: ${host()}\r\nhost: evil.example\r\ncontent-length: 0`],
  ])("is nobody whose request has %s", async (_, headers) => {
    const socket = connect(Number(new URL(wire.url).port), "127.0.0.1");
    socket.write(`POST /mcp HTTP/1.1\r\n${headers()}\r\n\r\n`);
    const [said] = await once(socket, "data");
    expect(String(said)).toMatch(/^HTTP\/1.1 400/);
    socket.destroy();
  });

  it.each([
    [{ host: "0.0.0.0" }, "listens on this machine only"],
    [{ host: "192.0.2.1" }, "listens on this machine only"],
    [{ host: "example.com" }, "listens on this machine only"],
    [{ upstream: "ftp://x" }, "an http: or https: address"],
    [{ upstream: "mcp.example" }, "an http: or https: address"],
    [{ upstream: "https://ann:pw@mcp.example" }, "must be an address without a credential"],
    [{ allowedOrigins: "https://app.example" }, "'allowedOrigins' must be an array of strings"],
    [{ allowedHosts: [7] }, "'allowedHosts[0]' must be a string"],
    [{ maxSessions: 0 }, "'maxSessions' must be a whole number"],
    [{ alowRemote: true }, "Did you mean 'allowRemote'?"],
  ])("P5 cannot be configured as %j", async (options, message) => {
    const given = { upstream: "http://127.0.0.1:1", guardrails: [], ...options };
    const started = startHttpProxy(given as unknown as HttpProxyOptions);
    await expect(started).rejects.toThrow(message);
    await started.catch((error: Error) => expect(error.message).not.toContain("pw"));
  });

  it.each(["127.0.0.2", "127.0.0.1", "localhost", "::1", "[::1]"])(
    "is whoever asks at the address that it says, on %s",
    async (host) => {
      const proxy = await startHttpProxy({ upstream: wire.upstreamUrl, guardrails: [], host });
      const { status } = await fetch(proxy.url, { method: "POST", headers: json, body: ping });
      expect(status).toBe(200);
      await proxy.close();
    },
  );

  it.each([
    ["127.0.0.1", 80, "127.0.0.1", undefined],
    ["127.0.0.1", 80, "evil.example", 421],
    ["2001:db8::1", 8123, "[2001:db8::1]:8123", undefined],
    ["2001:db8::1", 8123, "[2001:db8::1]", 421],
    ["2001:db8::1", 8123, "localhost:8123", 421],
  ])(
    "is decided on %s, port %i, by the host %s as clients write it",
    (host, port, said, status) => {
      const access = { host, port, allowRemote: true, allowedHosts: [], allowedOrigins: [] };
      const headers = { headers: { host: said }, headersDistinct: { host: [said] } };
      const request = { ...headers, url: "/mcp" } as unknown as IncomingMessage;
      expect(refusedAccess(request, access, port)).toBe(status);
    },
  );

  it("listens for others where that is said", async () => {
    const proxy = await startHttpProxy({
      upstream: wire.upstreamUrl,
      guardrails: [],
      host: "0.0.0.0",
      allowRemote: true,
    });
    expect(proxy.url).toMatch(/^http:\/\/0\.0\.0\.0:\d+\/mcp$/);
    await proxy.close();
  });
});

describe("credentials", () => {
  it("of clients are never passed on, whatever header they are in; the upstream's own is", async () => {
    const headers = {
      authorization: `Bearer ${secret}`,
      cookie: `a=${secret}`,
      "proxy-authorization": `Basic ${secret}`,
      "x-api-key": secret,
      "x-forwarded-authorization": secret,
    };
    for (const message of [call(1), { jsonrpc: "2.0", method: "notifications/x" }]) {
      await wire.post(message, headers);
    }
    await fetch(`${wire.url}?token=${secret}`, { method: "GET", headers });
    await fetch(wire.url, { method: "DELETE", headers });
    expect(wire.received.length).toBeGreaterThan(4);
    for (const { headers: sent, url, body } of wire.received) {
      expect(JSON.stringify([sent, url, body])).not.toContain(secret);
      expect(sent.authorization).toBe("Bearer upstream");
    }
  });

  it("are not carried to where the upstream redirects, and its wish for others is its own affair", async () => {
    const elsewhere = await HttpWire.open();
    for (const [status, expected] of [
      [307, 502],
      [401, 502],
      [403, 502],
      [404, 404],
      [500, 500],
    ] as const) {
      wire.play = (_, response) =>
        response
          .writeHead(status, { location: elsewhere.upstreamUrl, "www-authenticate": "Bearer" })
          .end("no");
      const response = await wire.post({ jsonrpc: "2.0", id: status, method: "ping" });
      expect(response.status).toBe(expected);
      expect(response.headers.get("www-authenticate")).toBe(null);
      expect(await response.json()).toMatchObject({ id: status, error: { code: -32_000 } });
    }
    expect(elsewhere.received).toEqual([]);
    await elsewhere.close();
  });
});
