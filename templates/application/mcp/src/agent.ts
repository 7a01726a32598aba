import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Answer, script } from "./script.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = createRequire(import.meta.url).resolve("toolstile/package.json");
const toolstile = join(dirname(manifest), "dist", "cli.js");
const server = [process.execPath, join(root, "dist", "src", "server.js")];

/**
 * Makes the calls of the script, and returns what a model reads of them.
 *
 * The proxy stands between the client and the server. In the configuration of a client it is
 * `npx toolstile mcp --config guard.yaml -- COMMAND…`, with the server's own command at the end.
 */
export async function runAgent(_prompt: string): Promise<readonly Answer[]> {
  const client = new Client({ name: "agent", version: "1.0.0" });
  const args = [toolstile, "mcp", "--config", join(root, "guard.yaml"), "--", ...server];
  const transport = { command: process.execPath, args, cwd: root, stderr: "ignore" } as const;
  await client.connect(new StdioClientTransport(transport));
  const answers: Answer[] = [];
  for (const { id, name, args } of script) {
    const { content } = await client.callTool({ name, arguments: args });
    const text = content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`));
    answers.push({ callId: id, text: text.join("\n") });
  }
  await client.close();
  return answers;
}
