// A small MCP server, over stdio, or over HTTP where it is given "http": it says how often its tool ran.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

let runs = 0;
const path = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "files", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [{ name: "delete_file", inputSchema: path }] }),
  "tools/call": () => ({ content: [{ type: "text", text: `deleted, run ${++runs}` }] }),
};

/** The answer to a message; nothing for a notification. */
function answer({ id, method, params }) {
  if (id === undefined) return undefined;
  const result = results[method];
  const error = { code: -32601, message: "no such method" };
  return { jsonrpc: "2.0", id, ...(result ? { result: result(params) } : { error }) };
}

if (process.argv[2] === "http") {
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return response.writeHead(405).end();
    let body = "";
    for await (const piece of request) body += piece;
    const message = JSON.parse(body);
    const answered = answer(message);
    if (answered === undefined) return response.writeHead(202).end();
    const session = message.method === "initialize" && { "mcp-session-id": randomUUID() };
    response.writeHead(200, { "content-type": "application/json", ...session });
    response.end(JSON.stringify(answered));
  });
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
} else {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const answered = answer(JSON.parse(line));
    if (answered !== undefined) console.log(JSON.stringify(answered));
  });
}
