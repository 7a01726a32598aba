import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { largeMail, mail } from "../mail.mjs";

const everything = createRequire(import.meta.url).resolve(
  "@modelcontextprotocol/server-everything/dist/index.js",
);
const file = (name) => fileURLToPath(new URL(`../mcp/${name}`, import.meta.url));

/** A client of the server behind a program of this folder, which is started when it is first used. */
function client(program, server, args) {
  let child;
  let answered;
  let rest = "";
  const start = () => {
    child = spawn(process.execPath, [file(program), process.execPath, file(server)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    child.stdout.setEncoding("utf8").on("data", (text) => {
      rest += text;
      for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 1);
        answered(line);
      }
    });
  };
  let id = 0;
  const call = () => {
    if (child === undefined) start();
    const params = { name: "send_mail", arguments: args };
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: "2.0", id: ++id, method: "tools/call", params })}\n`,
    );
    return new Promise((resolve) => {
      answered = resolve;
    });
  };
  const ask = async (message) => {
    if (child === undefined) start();
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: ++id, ...message })}\n`);
    return JSON.parse(
      await new Promise((resolve) => {
        answered = resolve;
      }),
    );
  };
  return { call, ask, close: () => child?.stdin.end() };
}

const row = (name, server, args) => {
  const forwarder = client("forwarder.mjs", server, args);
  const proxy = client("proxy.mjs", server, args);
  return {
    name: `MCP proxy, a call there and back, three guards, ${name}`,
    // What a proxy costs that reads each message, where nothing else costs anything.
    goal: undefined,
    reference: { unit: "of forwarding bytes", run: forwarder.call },
    async setup() {
      const denied = await proxy.ask({
        method: "tools/call",
        params: { name: "send_mail", arguments: { ...args, bcc: [] } },
      });
      const allowed = JSON.parse(await proxy.call());
      // What does not deny what it should has not looked.
      if (denied.result.isError !== true || allowed.result.isError !== false) {
        throw new Error("Judged wrongly.");
      }
      // Each process on the way is as warm as a server that has been at work.
      for (let turn = 0; turn < 1_500; turn++) {
        await proxy.call();
        await forwarder.call();
      }
      return proxy.call;
    },
    close() {
      proxy.close();
      forwarder.close();
    },
  };
};

/** The official client, and a published server, behind a program of this folder. */
function officialClient(program) {
  const client = new Client({ name: "bench", version: "1.0.0" });
  let connected;
  const connect = () =>
    client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [file(program), process.execPath, everything],
        env: { TOOLSTILE_BENCH_TOOL: "echo" },
        stderr: "ignore",
      }),
    );
  return {
    call: async (name, args) => {
      connected ??= connect();
      await connected;
      return client.callTool({ name, arguments: args });
    },
    close: () => client.close(),
  };
}

const officialRow = (name, message) => {
  const forwarder = officialClient("forwarder.mjs");
  const proxy = officialClient("proxy.mjs");
  const echo = (client) => () => client.call("echo", { message });
  return {
    name: `MCP proxy, a call there and back, three guards, ${name}`,
    goal: 1.5,
    reference: { unit: "of forwarding bytes", run: echo(forwarder) },
    async setup() {
      const denied = await proxy.call("get-sum", { a: 1, b: 2 });
      const allowed = await echo(proxy)();
      // What does not deny what it should has not looked.
      if (denied.isError !== true || allowed.isError === true) throw new Error("Judged wrongly.");
      for (let turn = 0; turn < 1_500; turn++) {
        await echo(proxy)();
        await echo(forwarder)();
      }
      return echo(proxy);
    },
    async close() {
      await proxy.close();
      await forwarder.close();
    },
  };
};

export const rows = [
  officialRow("500 B, the official client and server-everything", "x".repeat(500)),
  officialRow("17 kB, the official client and server-everything", "x".repeat(17_000)),
  row("500 B, the SDK's server", "sdk-server.mjs", mail),
  row("17 kB, the SDK's server", "sdk-server.mjs", largeMail),
  row("500 B, a server that does nothing", "server.mjs", mail),
  row("17 kB, a server that does nothing", "server.mjs", largeMail),
];
