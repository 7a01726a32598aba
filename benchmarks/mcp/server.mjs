// The least that is an MCP server over stdio: it answers each call at once, with a text of its length.
import { createInterface } from "node:readline";
import { mailSchema } from "../mail.mjs";

const tools = [{ name: "send_mail", description: "Send mail.", inputSchema: mailSchema }];

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const content = [{ type: "text", text: `Sent ${params?.arguments?.body?.length} characters.` }];
  const result = method === "tools/list" ? { tools } : { content, isError: false };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
});
