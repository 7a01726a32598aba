import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Clock } from "@toolstile/core";
import { systemClock } from "@toolstile/core/provider";
import { describe, expect, it } from "vitest";
import { initCommand } from "../src/init/init.js";
import { main } from "../src/main.js";
import { capturedTerminal } from "./captured-terminal.js";
import { folderWithPackages, packagesAreBuilt } from "./installed-packages.js";

const filesystem = fileURLToPath(
  new URL("../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", import.meta.url),
);

/** A server of one script: `answer(message)` is called for each message, and \`send\` writes one. */
const server = (script: string) => `
import { createInterface } from "node:readline";
import { writeFileSync } from "node:fs";
writeFileSync("pid", String(process.pid));
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const greet = (m) => m.method === "initialize" && send({ id: m.id, result: { protocolVersion: m.params.protocolVersion, capabilities: {} } });
const lines = createInterface({ input: process.stdin });
const messages = (answer) => lines.on("line", (line) => answer(JSON.parse(line)));
${script}`;

const listing = (tools: string) =>
  `messages((m) => { greet(m); if (m.method === "tools/list") send({ id: m.id, result: ${tools} }); });`;

interface Run {
  readonly clock?: Clock;
  readonly onSignal?: (heard: (signal: NodeJS.Signals) => void) => () => void;
  readonly options?: readonly string[];
}

async function init(
  script: string,
  { clock = impatient(), onSignal = () => () => {}, options = [] }: Run = {},
) {
  const folder = folderWithPackages();
  folder.file("server.mjs", server(script));
  const terminal = capturedTerminal();
  const before = process.cwd();
  process.chdir(folder.path);
  try {
    const argv = ["--mcp", ...options, "--", process.execPath, "server.mjs"];
    const code = await initCommand({ clock, onSignal }).run(argv, terminal);
    return { ...folder, code, ...terminal.written() };
  } finally {
    process.chdir(before);
  }
}

function isRunning(pid: string): boolean {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}

/** Gives a server no time to end by itself, and as long as it takes to end by a signal. */
function impatient(): Clock {
  let waits = 0;
  const isFirstWait = (milliseconds: number) => milliseconds === 1_500 && ++waits === 1;
  return {
    ...systemClock,
    setTimeout: (callback, milliseconds) =>
      systemClock.setTimeout(callback, isFirstWait(milliseconds) ? 0 : milliseconds),
  };
}

/** Every time that is set is over at once, after what has happened already. */
const hurried: Clock = {
  now: () => 0,
  setTimeout: (callback) => setImmediate(callback),
  clearTimeout: (timer) => clearImmediate(timer),
};

describe.skipIf(!packagesAreBuilt)("toolstile init of an MCP server", () => {
  it("asks for all pages, ignores what is no message, and answers what it is asked meanwhile", async () => {
    const { code, err, at } = await init(`
      process.stdout.write("a log line\\n[]\\nnull\\n{\\n");
      let ponged = false;
      messages((m) => {
        greet(m);
        if (m.id === "p" && m.result) ponged = true;
        if (m.method !== "tools/list") return;
        if (m.params.cursor === undefined) {
          send({ id: "p", method: "ping" });
          send({ method: "notifications/message", params: {} });
          send({ id: 99, result: { tools: [{ name: "wrong" }] } });
          return send({ id: m.id, result: { tools: [{ name: "get_a" }], nextCursor: "2" } });
        }
        send({ id: m.id, result: { tools: [{ name: ponged ? "get_b" : "unanswered" }] } });
      });`);
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(readFileSync(at("tools.json"), "utf8"))).toEqual({
      tools: [{ name: "get_a" }, { name: "get_b" }],
    });
    const terminal = capturedTerminal();
    expect(await main(["check", at("guard.yaml")], terminal)).toBe(0);
  });

  it.each<[string, string, string]>([
    [
      "ends at once",
      `console.error("no \\u001b[2J licence"); process.exit(3);`,
      "it has ended before it gave its list of tools. It wrote: no \\u{1b}[2J licence",
    ],
    [
      "answers with an error",
      `messages((m) => send({ id: m.id, error: { code: -32000, message: "hunter2" } }));`,
      "it answered with an error (code -32000)",
    ],
    ["gives no list", listing("{ tools: 7 }"), "its answer has no list of tools"],
    [
      "gives a list without end",
      listing(`{ tools: [], nextCursor: String(m.id) }`),
      "its list of tools has no end",
    ],
    [
      "writes without end",
      `setInterval(() => process.stdout.write("x".repeat(1 << 20)), 1);`,
      "it writes more than 16 MiB",
    ],
    [
      "lists a tool twice",
      listing(`{ tools: [{ name: "a" }, { name: "a" }] }`),
      "The server's list of tools cannot be used: [1]: is a second tool named 'a'",
    ],
    [
      "lists what is nested without end",
      `messages((m) => { greet(m); if (m.method === "tools/list") process.stdout.write('{"jsonrpc":"2.0","id":' + m.id + ',"result":{"tools":[{"name":"a","x":' + "[".repeat(200_000) + "]".repeat(200_000) + "}]}}\\n"); });`,
      "The server's list of tools cannot be used: it is nested too deeply",
    ],
    [
      "lists more than fits on the stack",
      listing("{ tools: Array(600_000).fill(0) }"),
      "it is larger than 1 MiB",
    ],
    [
      "lists a name that is no text",
      listing(`{ tools: [{ name: "\\ud800" }] }`),
      "The server's list of tools cannot be used",
    ],
  ])("writes nothing, and ends the server, where it %s", async (_, script, message) => {
    const { code, err, path, at } = await init(script);
    expect(code).toBe(1);
    expect(err).toContain(message);
    expect(err).not.toContain("hunter2");
    expect(readdirSync(path).sort()).toEqual(["node_modules", "pid", "server.mjs"]);
    expect(isRunning(readFileSync(at("pid"), "utf8"))).toBe(false);
  });

  it("ends a server that neither answers nor ends by itself", async () => {
    let late: (() => void) | undefined;
    let times = 0;
    const clock: Clock = {
      ...hurried,
      // The time for the answer is over once the server says that it runs.
      setTimeout: (callback, milliseconds) => {
        times++;
        // The time to end by itself, and the time after SIGTERM.
        if (times === 2 || times === 3) return setImmediate(callback);
        if (milliseconds === 7_000) late = callback;
        return setImmediate(() => {});
      },
    };
    const waiting = init(
      `process.on("SIGTERM", () => {}); setInterval(() => {}, 1_000); writeFileSync("runs", "");`,
      { clock, options: ["--timeout", "7"] },
    );
    const folder = process.cwd();
    await until(() => existsSync(`${folder}/runs`));
    late?.();
    const { code, err, at } = await waiting;
    expect(code).toBe(1);
    expect(err).toContain("it gave no list of tools within 7 seconds");
    expect(isRunning(readFileSync(at("pid"), "utf8"))).toBe(false);
  });

  it("ends the server when it is itself told to end", async () => {
    let hear: ((signal: NodeJS.Signals) => void) | undefined;
    let isListening = false;
    const waiting = init(`setInterval(() => {}, 1_000); writeFileSync("runs", "");`, {
      onSignal: (heard) => {
        hear = heard;
        isListening = true;
        return () => {
          isListening = false;
        };
      },
    });
    const folder = process.cwd();
    await until(() => existsSync(`${folder}/runs`));
    hear?.("SIGINT");
    const { code, err, at } = await waiting;
    expect([code, isListening]).toEqual([1, false]);
    expect(err).toContain("this command was told to end");
    expect(isRunning(readFileSync(at("pid"), "utf8"))).toBe(false);
  });

  it("says that a command was not found", async () => {
    const folder = folderWithPackages();
    const terminal = capturedTerminal();
    const argv = ["--mcp", "--out", folder.at("guard.yaml"), "--", folder.at("no-such-server")];
    const command = initCommand({ clock: systemClock, onSignal: () => () => {} });
    expect(await command.run(argv, terminal)).toBe(1);
    expect(terminal.written().err).toContain(
      "The MCP server cannot be started: the command was not found.",
    );
  });

  it.skipIf(!existsSync(filesystem))(
    "writes a guard.yaml for the filesystem server in which check finds nothing",
    async () => {
      const folder = folderWithPackages();
      const terminal = capturedTerminal();
      const out = folder.at("guard.yaml");
      const argv = ["--mcp", "--out", out, "--", process.execPath, filesystem, folder.path];
      const command = initCommand({ clock: systemClock, onSignal: () => () => {} });
      expect(await command.run(argv, terminal)).toBe(0);
      expect(terminal.written().out).toContain("14 tools: 10 allowed, 1 asked about, 3 denied");
      const checked = capturedTerminal();
      expect(await main(["check", out], checked)).toBe(0);
      expect(checked.written().out).toContain("denied always, by rules (no-destruction)");
    },
  );

  it.skipIf(!existsSync(filesystem))(
    "gets the tools that the policy in docs/mcp-proxy.md is for, in which check finds nothing",
    async () => {
      const page = readFileSync(new URL("../../../docs/mcp-proxy.md", import.meta.url), "utf8");
      const block = (kind: string): string => {
        const [, text = ""] =
          new RegExp(`^   \`\`\`${kind}\\n(.*?)^   \`\`\``, "ms").exec(page) ?? [];
        return text.replace(/^ {3}/gm, "");
      };
      const folder = folderWithPackages();
      const out = folder.at("first.yaml");
      const argv = ["--mcp", "--out", out, "--", process.execPath, filesystem, folder.path];
      const command = initCommand({ clock: systemClock, onSignal: () => () => {} });
      expect(await command.run(argv, capturedTerminal())).toBe(0);
      const policy = folder.file("files.yaml", block("yaml"));
      const calls = folder.file("calls.jsonl", block("jsonl"));
      const terminal = capturedTerminal();
      const options = ["--tools", folder.at("tools.json"), "--calls", calls, "--json"];
      expect(await main(["check", policy, ...options], terminal)).toBe(0);
      const { findings, samples, rules } = JSON.parse(terminal.written().out);
      expect([findings, samples.length]).toEqual([[], 7]);
      const ids = rules.flatMap((tool: { rules: { id: string }[] }) =>
        tool.rules.map(({ id }) => id),
      );
      expect(new Set(ids).size).toBe(10);
    },
  );
});

/** Waits, turn by turn of the event loop, for what another process does. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
