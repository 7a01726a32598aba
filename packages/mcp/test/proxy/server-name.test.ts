import { expect, it } from "vitest";
import { nameOfCommand, nameOfUrl } from "../../src/proxy/index.js";

it.each([
  ["npx -y @modelcontextprotocol/server-memory", "server-memory"],
  ["npx -y @modelcontextprotocol/server-memory@2026.8.31 --token secret", "server-memory"],
  ["npx -p some-package some-command", "some-command"],
  ["npx --registry https://user:secret@npm.example.com some-server", "some-server"],
  ["node /opt/my server/index.js", "my"],
  ["/usr/bin/node dist/server.mjs", "server"],
  [
    "node /srv/node_modules/@modelcontextprotocol/server-everything/dist/index.js",
    "server-everything",
  ],
  ["python /srv/mail/src/main.py", "mail"],
  ["node C:\\srv\\files\\build\\index.js", "files"],
  ["C:\\tools\\mcp-server.exe --x", "mcp-server"],
  ["uvx mcp-server-git --repository .", "mcp-server-git"],
  ["python -m mcp_server_fetch", "mcp_server_fetch"],
  ["node -e process.exit(3)", "node"],
  ["npx", "npx"],
  ["./a b\u202e", "a"],
])("a server that is started by %j is called %j", (line, name) => {
  const [command = "", ...args] = line.split(" ");
  expect(nameOfCommand(command, args)).toBe(name);
});

it.each([
  ["https://mcp.example.com/sse?key=secret", "mcp.example.com"],
  ["http://127.0.0.1:3001/mcp", "127.0.0.1:3001"],
])("a server at %j is called %j", (url, name) => {
  expect(nameOfUrl(new URL(url))).toBe(name);
});
