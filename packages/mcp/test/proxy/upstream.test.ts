import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import { Upstream } from "../../src/proxy/http/upstream.js";

it("an upstream that switches to another protocol, unasked, is one that gave no answer", async () => {
  const server = createServer((socket) => {
    const head = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n";
    socket.on("error", () => {}).once("data", () => socket.write(head));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const upstream = new Upstream(new URL(`http://127.0.0.1:${port}/mcp`), {}, () => {});
  const sent = upstream.send("POST", {}, new AbortController().signal, "{}");
  await expect(sent).rejects.toThrow("gave no answer");
  upstream.close();
  server.close();
});

it.each([
  ["timeout=5", 4_000],
  ["timeout=3, max=9", 2_000],
  ["timeout=600", 4_000],
])("ends a connection that is not used before its server does: %s", async (hint, ms) => {
  const server = createHttpServer((_, response) => {
    response.writeHead(202, { "keep-alive": hint }).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const upstream = new Upstream(new URL(`http://127.0.0.1:${port}/mcp`), {}, () => {});
  const response = await upstream.send("POST", {}, new AbortController().signal, "{}");
  const { socket } = response;
  upstream.discard(response);
  await once(response, "close");
  await new Promise((resolve) => setImmediate(resolve));
  expect(socket.timeout).toBe(ms);
  upstream.close();
  server.close();
});
