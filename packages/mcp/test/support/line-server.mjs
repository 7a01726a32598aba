// An MCP server over stdio, for tests of what carries its messages: it answers a request with the
// line that it read, and does what the method of a notification says.
import { createInterface } from "node:readline";

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const tools = ["one", "two"].map((name) => ({ name, inputSchema: { type: "object" } }));

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "exit") process.exit(params.code);
    else if (method === "die") process.kill(process.pid, params.signal);
    else if (method === "write") process.stdout.write(params.text);
    else if (method === "silent" || id === undefined) return;
    else if (method === "tools/list") say({ jsonrpc: "2.0", id, result: { tools } });
    else if (method === "tools/call" && params.name === "two") return;
    else say({ jsonrpc: "2.0", id, result: { content: [], line } });
  })
  .on("close", () => say({ jsonrpc: "2.0", method: "ended" }));
