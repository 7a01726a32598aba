import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { allowAll, deny, type GuardrailProvider } from "@toolstile/core";
import { startHttpProxy } from "@toolstile/mcp/proxy";
import { afterEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.js";
import { type AnyClient, clientOf, httpTo, type Line, stdioTo } from "./clients.js";
import { argumentsOf } from "./everything.js";
import { type RecordedHttp, recordHttp } from "./record-http.js";

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const cli = here("../../dist/cli.js");
const { resolve } = createRequire(import.meta.url);
const server = (name: string): string =>
  resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
const lines: readonly Line[] = ["v1", "v2"];

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of cleanUp.splice(0).reverse()) await each();
});

/** A client of a server behind the command. */
async function connected(
  line: Line,
  config: string,
  upstream: readonly string[],
  { options = ["--no-pins"], before = [] as readonly string[], env = {} } = {},
): Promise<AnyClient> {
  const client = clientOf(line);
  cleanUp.push(() => client.close());
  const command = [...before, process.execPath, cli, "mcp", "--config", here(config), ...options];
  await client.connect(stdioTo(line, [...command, "--", process.execPath, ...upstream], env));
  return client;
}

describe.skipIf(!existsSync(cli))("a published server over stdio", () => {
  it.each(lines)(
    "everything: all that the client of %s gets is byte-equal to what the server sent",
    { tags: "long" },
    async (line) => {
      const folder = temporaryFolder();
      const [sent, received] = [folder.at("sent"), folder.at("received")];
      const tee = here("tee.mjs");
      const client = await connected(
        line,
        "allow-all.yaml",
        [tee, sent, process.execPath, server("everything")],
        { options: ["--no-pins", "--unchecked"], before: [process.execPath, tee, received] },
      );
      const { tools } = await client.listTools();
      expect(tools.length).toBeGreaterThan(12);
      for (const { name } of tools) {
        await client.callTool({ name, arguments: argumentsOf[name] }).catch(() => {});
      }
      await client.close();
      const said = (file: string): string[] => readFileSync(file, "utf8").trim().split("\n");
      const others = said(sent).filter((text) => !text.includes('"id":"toolstile-'));
      // A notification may overtake an answer that is being judged: the same lines, in any order.
      expect(said(received).sort()).toEqual(others.sort());
      expect(others.length).toBeGreaterThan(tools.length);
    },
  );

  it.each(lines)(
    "filesystem: a client of %s reads what is allowed, and writes nothing",
    { tags: "long" },
    async (line) => {
      const folder = temporaryFolder();
      folder.file("tea.txt", "Oolong");
      const root = realpathSync(folder.path);
      const client = await connected(line, "files.yaml", [server("filesystem"), root]);
      const names = (await client.listTools()).tools.map(({ name }) => name);
      expect(names.sort()).toEqual(["list_directory", "read_text_file"]);
      const read = { name: "read_text_file", arguments: { path: `${root}/tea.txt` } };
      expect(await client.callTool(read)).toMatchObject({ content: [{ text: "Oolong" }] });
      const write = { name: "write_file", arguments: { path: `${root}/x`, content: "x" } };
      expect(await client.callTool(write)).toMatchObject({
        isError: true,
        content: [{ text: "Tool call denied: tool call 'write_file' is not an allowed tool" }],
      });
      expect(existsSync(`${root}/x`)).toBe(false);
      expect(await client.callTool({ ...read, arguments: { path: 7 } })).toMatchObject({
        isError: true,
      });
    },
  );

  it.each(lines)(
    "memory: a client of %s keeps a graph, and deletes nothing of it",
    { tags: "long" },
    async (line) => {
      const env = { MEMORY_FILE_PATH: temporaryFolder().at("memory.jsonl") };
      const client = await connected(line, "memory.yaml", [server("memory")], { env });
      const entities = [{ name: "Ada", entityType: "person", observations: ["counts"] }];
      await client.callTool({ name: "create_entities", arguments: { entities } });
      const deletion = { name: "delete_entities", arguments: { entityNames: ["Ada"] } };
      expect(await client.callTool(deletion)).toMatchObject({ isError: true });
      expect(await client.callTool({ name: "read_graph", arguments: {} })).toMatchObject({
        structuredContent: { entities },
      });
    },
  );

  it("everything: resources, prompts, completion and pings go through", async () => {
    const client = await connected("v1", "everything.yaml", [server("everything")]);
    const { resources } = await client.listResources();
    const [first] = resources;
    expect(await client.readResource({ uri: first?.uri ?? "" })).toHaveProperty("contents");
    expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0);
    expect(await client.ping()).toEqual({});
  });
});

/** The server over HTTP, behind a proxy in this process, with what passed on either side. */
async function everythingOverHttp(guardrails: readonly GuardrailProvider[]) {
  const port = await freePort();
  const child = spawn(process.execPath, [server("everything"), "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  cleanUp.push(() => child.kill("SIGKILL"));
  for await (const text of child.stderr.iterator({ destroyOnReturn: false })) {
    if (String(text).includes("listening")) break;
  }
  child.stderr.resume();
  const sent = await recorded(`http://127.0.0.1:${port}/mcp`);
  const proxy = await startHttpProxy({ upstream: sent.url, guardrails, unchecked: true });
  cleanUp.push(() => proxy.close());
  return { sent, received: await recorded(proxy.url) };
}

async function recorded(url: string): Promise<RecordedHttp> {
  const recorder = await recordHttp(url);
  cleanUp.push(() => recorder.close());
  return recorder;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolved) => probe.close(resolved));
  return port;
}

describe("a published server over HTTP", () => {
  for (const line of lines) {
    const tags = line === "v1" ? "long" : [];
    it(`everything: all events that the client of ${line} gets are byte-equal to those that the server sent`, {
      tags,
    }, async () => {
      const { sent, received } = await everythingOverHttp([allowAll()]);
      const client = clientOf(line);
      cleanUp.push(() => client.close());
      await client.connect(httpTo(line, received.url));
      const { tools } = await client.listTools();
      for (const { name } of tools) {
        await client.callTool({ name, arguments: argumentsOf[name] }).catch(() => {});
      }
      await client.close();
      const results = (text: string): string[] =>
        text
          .split("\n\n")
          .filter((event) => event.includes('"result":') && !event.includes('"id":"toolstile-'))
          .sort();
      expect(results(received.text()).length).toBeGreaterThan(tools.length);
      expect(results(received.text())).toEqual(results(sent.text()));
    });
  }

  it("everything: a denied call does not reach the server", async () => {
    const guard: GuardrailProvider = { name: "g", evaluate: () => deny("not today") };
    const { sent, received } = await everythingOverHttp([guard]);
    const client = clientOf("v2");
    cleanUp.push(() => client.close());
    await client.connect(httpTo("v2", received.url));
    const call = { name: "echo", arguments: { message: "canary-4711" } };
    expect(await client.callTool(call)).toMatchObject({ isError: true });
    expect(sent.asked()).not.toContain("canary-4711");
    expect(received.asked()).toContain("canary-4711");
  });
});
