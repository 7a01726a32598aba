// A small MCP server over stdio: it writes down what its tool is given, and answers with rows of the file VALUES.
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { VALUES = "", RECEIVED = "" } = process.env;
const rows = JSON.parse(readFileSync(VALUES, "utf8"));
const schema = { type: "object", properties: { from: { type: "integer" }, notes: {} } };
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "echo", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [{ name: "rows", inputSchema: schema }] }),
  "tools/call": ({ arguments: given }) => {
    appendFileSync(RECEIVED, `${JSON.stringify(given)}\n`);
    const some = rows.slice(given.from, given.from + 50);
    const content = some.map((row) => ({
      type: "text",
      text: typeof row === "string" ? row : JSON.stringify(row),
    }));
    return { content, structuredContent: { rows: some }, isError: given.from % 100 === 0 };
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = results[method];
  const error = { code: -32601, message: "no such method" };
  console.log(
    JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result: result(params) } : { error }) }),
  );
});
