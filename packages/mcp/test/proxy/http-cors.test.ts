import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answer, answerJson, HttpWire } from "../support/http-wire.js";

const origin = "https://app.example";
let wire: HttpWire;
beforeEach(async () => {
  wire = await HttpWire.open({ allowedOrigins: [origin] });
  wire.play = ({ body }, response) => answerJson(response, answer(JSON.parse(body || "{}").id));
});
afterEach(() => wire.close());

const preflight = (headers: Record<string, string>) =>
  fetch(wire.url, {
    method: "OPTIONS",
    headers: { "access-control-request-method": "POST", ...headers },
  });
const corsOf = (response: Response) =>
  [...response.headers.keys()].filter((name) => name.startsWith("access-control-"));

describe("a page of an allowed origin", () => {
  it("is told that it may ask, with the headers that are passed on, and no others", async () => {
    const response = await preflight({
      origin,
      "access-control-request-headers":
        "Content-Type, mcp-session-id,mcp-param-to , authorization, x-secret, cookie",
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe(origin);
    expect(response.headers.get("access-control-allow-methods")).toBe("POST, GET, DELETE");
    expect(response.headers.get("access-control-allow-headers")).toBe(
      "content-type, mcp-session-id, mcp-param-to",
    );
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(wire.received).toEqual([]);
  });

  it("may read the answer, a refusal, and the session's id", async () => {
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    for (const body of [JSON.stringify(ping), "no JSON"]) {
      const response = await wire.post(body, { origin });
      expect(response.headers.get("access-control-allow-origin")).toBe(origin);
      expect(response.headers.get("access-control-expose-headers")).toContain("mcp-session-id");
      expect(response.headers.get("vary")).toBe("Origin");
    }
  });

  it("of the internet may call this machine only if it asks by that name", async () => {
    const asked = { "access-control-request-private-network": "true" };
    const allowed = "access-control-allow-private-network";
    expect((await preflight({ origin, ...asked })).headers.get(allowed)).toBe("true");
    expect((await preflight({ origin })).headers.get(allowed)).toBeNull();
  });
});

describe("nobody else", () => {
  it.each([
    "https://evil.example",
    "null",
    "https://app.example.evil.example",
    "HTTPS://APP.EXAMPLE",
  ])("is told anything by headers: %s", async (other) => {
    const response = await preflight({ origin: other, "access-control-request-headers": "x" });
    expect(response.status).toBe(403);
    expect(corsOf(response)).toEqual([]);
  });

  it("gets such headers without an origin, or where no origin is allowed", async () => {
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    expect(corsOf(await wire.post(ping))).toEqual([]);
    const closed = await HttpWire.open();
    closed.play = wire.play;
    const response = await closed.post(ping);
    expect([corsOf(response), response.headers.get("vary")]).toEqual([[], null]);
    await closed.close();
  });
});
