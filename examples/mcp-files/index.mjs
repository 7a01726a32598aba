import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { allow, deny, rewrite } from "@toolstile/core";
import { DefinitionPins, guardTransport, renderChanges } from "@toolstile/mcp";
import { schemaValidation } from "@toolstile/schema";
import { fileServer } from "./server.mjs";

/** Nothing is deleted. */
const readOnly = {
  name: "read-only",
  evaluate: ({ toolName }) => (toolName === "delete_file" ? deny("files are kept") : allow()),
};

/** Keys do not reach the model. */
const noKeys = {
  name: "no-keys",
  evaluateResult(_, { content }) {
    const text = content.map((part) => part.text ?? "").join("");
    const redacted = text.replace(/sk-\w+/g, "***");
    return redacted === text ? allow() : rewrite({ content: [{ type: "text", text: redacted }] });
  },
};

const pins = new DefinitionPins();
const { server, change } = fileServer();
const [near, far] = InMemoryTransport.createLinkedPair();
await server.connect(far);

const client = new Client({ name: "agent", version: "1.0.0" });
const guardrails = [schemaValidation(), readOnly, noKeys];
await client.connect(guardTransport(near, { guardrails, serverName: "files", pins }));

const names = async () => (await client.listTools()).tools.map(({ name }) => name).join(", ");
async function ask(name, args) {
  const { content } = await client.callTool({ name, arguments: args });
  console.log(`${name}: ${content[0].text}`);
}

console.log(`The client sees: ${await names()}.`);
await ask("read_file", { path: "notes/tea.txt" });
await ask("read_file", { path: "secrets/key.txt" });
await ask("read_file", { file: "notes/tea.txt" });
await ask("delete_file", { path: "notes/tea.txt" });

console.log("\nThe server changes what it says of a tool.");
change();
console.log(`The client sees: ${(await names()) || "nothing"}.`);
await ask("read_file", { path: "notes/tea.txt" });
const changed = (await pins.list()).find(({ state }) => state === "changed");
console.log(renderChanges(await pins.changes("files", changed.tool)));

await client.close();
