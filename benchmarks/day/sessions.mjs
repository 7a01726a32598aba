// Sessions of an MCP client through the HTTP proxy, ten at a time: each opens, lists, calls and leaves.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { allowlist } from "@toolstile/allowlist";
import { startHttpProxy } from "@toolstile/mcp/proxy";
import { schemaValidation } from "@toolstile/schema";

const clients = 10;

export const part = {
  name: "sessions of the MCP proxy",
  total: 100_000,
  async start() {
    const server = spawn(
      process.execPath,
      [fileURLToPath(new URL("mcp-server.mjs", import.meta.url))],
      {
        stdio: ["pipe", "pipe", "inherit"],
      },
    );
    const [url] = await once(createInterface({ input: server.stdout }), "line");
    const proxy = await startHttpProxy({
      upstream: url,
      guardrails: [allowlist([{ pattern: "tool_*" }]), schemaValidation()],
    });
    const agent = new Agent({ keepAlive: true, maxSockets: clients });
    return {
      async run(count) {
        let left = count;
        const client = async () => {
          while (left-- > 0) await session(proxy.url, agent);
        };
        await Promise.all(Array.from({ length: clients }, client));
      },
      async close() {
        agent.destroy();
        await proxy.close();
        server.kill();
      },
    };
  },
};

async function session(url, agent) {
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "day", version: "1.0.0" },
  };
  const opened = await send(url, agent, {}, { id: 1, method: "initialize", params });
  const headers = { "mcp-session-id": opened.session, "mcp-protocol-version": "2025-06-18" };
  await send(url, agent, headers, { method: "notifications/initialized" });
  const { message } = await send(url, agent, headers, { id: 2, method: "tools/list", params: {} });
  if (message.result?.tools.length !== 20) throw new Error("A session did not get its tools.");
  const call = { name: "tool_7", arguments: { to: "ann@example.com" } };
  const called = await send(url, agent, headers, { id: 3, method: "tools/call", params: call });
  if (called.message.result?.isError !== false) throw new Error("A call of a session failed.");
  await send(url, agent, headers, undefined, "DELETE");
}

function send(url, agent, headers, message, method = "POST") {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        agent,
        method,
        headers: {
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          ...headers,
        },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece) => {
          text += piece;
        });
        response.on("error", reject).on("end", () => {
          const json = text.startsWith("{") ? text : /^data: (.*)$/m.exec(text)?.[1];
          resolve({
            session: response.headers["mcp-session-id"],
            message: json === undefined ? undefined : JSON.parse(json),
          });
        });
      },
    );
    sent.on("error", reject);
    sent.end(message && JSON.stringify({ jsonrpc: "2.0", ...message }));
  });
}
