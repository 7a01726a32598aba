// The least that is an MCP server over HTTP with sessions. Its first line of output is its address.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

const inputSchema = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };
const tools = Array.from({ length: 20 }, (_, index) => ({ name: `tool_${index}`, inputSchema }));
const results = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "day", version: "1.0.0" },
  },
  "tools/list": { tools },
  "tools/call": { content: [{ type: "text", text: "Sent." }], isError: false },
};

const server = createServer((request, response) => {
  let text = "";
  request.setEncoding("utf8").on("data", (piece) => {
    text += piece;
  });
  request.on("end", () => {
    if (request.method === "GET") return response.writeHead(405).end();
    if (request.method === "DELETE") return response.writeHead(200).end();
    const { id, method } = JSON.parse(text);
    if (id === undefined) return response.writeHead(202).end();
    if (method === "initialize") response.setHeader("mcp-session-id", randomUUID());
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }));
  });
});
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/mcp`);
});
process.stdin.resume().on("end", () => process.exit(0));
