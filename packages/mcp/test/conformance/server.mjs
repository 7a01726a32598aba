// A server of both eras of MCP that has what the conformance suites ask for. Prints its address.
//   node server.mjs [--guarded]
import { createServer } from "node:http";
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
  toWebRequest,
} from "@modelcontextprotocol/node";
import { createMcpHandler, isLegacyRequest, McpServer } from "@modelcontextprotocol/server";
import { allowAll } from "@toolstile/core";
import { guardServer } from "@toolstile/mcp";
import { schemaValidation } from "@toolstile/schema";
import { stateCodec } from "./asking-tools.mjs";
import { register } from "./features.mjs";
import { MemoryEvents } from "./memory-events.mjs";

const isGuarded = process.argv.includes("--guarded");
const guardrails = [allowAll(), schemaValidation()];

const modern = createMcpHandler(() => makeServer("modern"), { legacy: "reject" });
const handleModern = toNodeHandler(modern);
/** @type {Map<string, NodeStreamableHTTPServerTransport>} */
const sessions = new Map();
const checks = [localhostHostValidation(), localhostOriginValidation()];

const http = createServer(async (request, response) => {
  if (!checks.every((check) => check(request, response))) return;
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const body = parsed(Buffer.concat(pieces).toString());
  try {
    if (await isLegacyRequest(await toWebRequest(request, body), body)) {
      const transport = await sessionOf(request);
      if (transport !== undefined) await transport.handleRequest(request, response, body);
      else response.writeHead(404).end();
    } else {
      await handleModern(request, response, body);
    }
  } catch (error) {
    console.error(error);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
});
http.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${/** @type {any} */ (http.address()).port}/mcp`);
});

/** @param {"modern" | "legacy"} era */
function makeServer(era) {
  const capabilities = {
    tools: { listChanged: true },
    resources: { listChanged: true, ...(era === "legacy" && { subscribe: true }) },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  };
  const server = new McpServer(
    { name: "conformance", version: "1.0.0" },
    { capabilities, requestState: { verify: stateCodec.verify } },
  );
  register(server, era, modern.notify);
  return isGuarded ? guardServer(server, { guardrails }) : server;
}

async function sessionOf(request) {
  const id = request.headers["mcp-session-id"];
  if (id !== undefined) return sessions.get(id);
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
    eventStore: new MemoryEvents(),
    retryInterval: 500,
  });
  await makeServer("legacy").connect(transport);
  return transport;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
