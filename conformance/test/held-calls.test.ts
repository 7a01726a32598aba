import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const cli = here("../../packages/toolstile/dist/cli.js");
const server = here("file-deleting-server.mjs");
const run = promisify(execFile);

interface PolicyFolder {
  readonly config: string;
  readonly store: string;
}

/** A folder with a guard.yaml and approvals, from which every package can be named. */
function policyFolder(): PolicyFolder {
  const folder = mkdtempSync(join(here(".."), ".toolstile-held-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = join(folder, "approvals");
  mkdirSync(store, { mode: 0o700 });
  const config = join(folder, "guard.yaml");
  writeFileSync(
    config,
    `version: 1
guards:
  - use: "@toolstile/schema"
  - use: "@toolstile/rules"
    with:
      rules:
        - { id: deletes, tools: [delete_file], ask: it deletes a file }
approver:
  use: "@toolstile/approval"
  with: { folder: { path: "\${env:APPROVALS}" }, approvers: [ann] }
`,
  );
  return { config, store };
}

/** `toolstile approvals`, as somebody at a terminal of the same machine runs it. */
async function approvals({ config, store }: PolicyFolder, ...given: string[]): Promise<string> {
  const env = { ...process.env, APPROVALS: store };
  const args = [cli, "approvals", ...given, "--config", config];
  return (await run(process.execPath, args, { env })).stdout;
}

async function pending(policy: PolicyFolder): Promise<readonly string[]> {
  const listed = JSON.parse(await approvals(policy, "list", "--json"));
  return listed.approvals.map(({ id }: { readonly id: string }) => id);
}

type Connect = (policy: PolicyFolder) => Promise<() => Promise<Client>>;

const info = { name: "test", version: "1.0.0" };

const overStdio: Connect =
  async ({ config, store }) =>
  async () => {
    const args = [cli, "mcp", "--config", config, "--no-pins", "--", process.execPath, server];
    const env = { PATH: process.env["PATH"] ?? "", APPROVALS: store };
    const client = new Client(info);
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }),
    );
    onTestFinished(() => client.close());
    return client;
  };

const overHttp: Connect = async ({ config, store }) => {
  const port = await lineOf(started([server, "http"]).stdout, /^(\d+)$/m);
  const proxy = started(
    [
      ...[cli, "mcp", "--config", config, "--no-pins", "--listen", "127.0.0.1:0"],
      ...["--upstream", `http://127.0.0.1:${port}/mcp`],
    ],
    { APPROVALS: store },
  );
  const url = await lineOf(proxy.stderr, /listens: (http:\S+)/);
  return async () => {
    const client = new Client(info);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    onTestFinished(() => client.close());
    return client;
  };
};

/** A process that ends with the test. */
function started(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
  onTestFinished(async () => {
    const ended = once(child, "exit");
    child.kill();
    await ended;
  });
  return child;
}

async function lineOf(stream: ChildProcess["stdout"], form: RegExp): Promise<string> {
  let text = "";
  for await (const piece of stream ?? []) {
    text += piece;
    const [, found] = form.exec(text) ?? [];
    if (found !== undefined) {
      stream?.resume();
      return found;
    }
  }
  throw new Error(`ended with: ${text}`);
}

async function deleting(client: Client, path: string): Promise<string> {
  const { content } = await client.callTool({ name: "delete_file", arguments: { path } });
  return JSON.stringify(content);
}

describe.skipIf(!existsSync(cli)).each<[string, Connect]>([
  ["stdio", overStdio],
  ["HTTP", overHttp],
])("a call that the proxy holds for a person, over %s", { tags: "long" }, (_, connect) => {
  it("P9 says how to ask again, and runs once when somebody says yes in another process", async () => {
    const policy = policyFolder();
    const client = await (await connect(policy))();
    const first = await deleting(client, "a.txt");
    const [id = "", ...others] = await pending(policy);
    expect(others).toEqual([]);
    expect(first).toContain(`a person has been asked for approval '${id}'`);
    expect(first).toContain("make this very call again: it then runs, once");
    expect(await deleting(client, "a.txt")).toBe(first);
    await approvals(policy, "approve", id, "--by", "ann", "--yes");
    expect(await deleting(client, "b.txt")).toContain("a person has been asked");
    expect(await deleting(client, "a.txt")).toContain("deleted, run 1");
    const again = await deleting(client, "a.txt");
    expect(again).toContain("a person has been asked");
    expect(again).not.toContain(id);
  });

  it("P9 stays refused after a no, which the model reads with its reason", async () => {
    const policy = policyFolder();
    const client = await (await connect(policy))();
    await deleting(client, "a.txt");
    const [id = ""] = await pending(policy);
    await approvals(policy, "deny", id, "--by", "ann", "--yes", "--reason", "it is needed");
    for (let again = 0; again < 2; again++) {
      const words = await deleting(client, "a.txt");
      expect(words).toContain("a person refused it and said why: it is needed. This is final");
    }
    expect(await pending(policy)).toEqual([]);
  });

  it("P9 takes no grant of another session", async () => {
    const policy = policyFolder();
    const open = await connect(policy);
    const [one, other] = [await open(), await open()];
    await deleting(one, "a.txt");
    const [id = ""] = await pending(policy);
    await approvals(policy, "approve", id, "--by", "ann", "--yes");
    expect(await deleting(other, "a.txt")).toContain("a person has been asked");
    expect(await deleting(one, "a.txt")).toContain("deleted, run 1");
  });
});

describe.skipIf(!existsSync(cli))("a guard.yaml with OpenTelemetry", { tags: "long" }, () => {
  it("tells the SDK that was started before the proxy, in the same process", async () => {
    const { config, store } = policyFolder();
    const spans = join(store, "spans");
    writeFileSync(
      config,
      `version: 1
guards: [{ use: "@toolstile/allowlist", with: { allow: [delete_file] } }, { use: "@toolstile/schema" }]
observers: [{ use: "@toolstile/audit-log/otel" }]
`,
    );
    const register = pathToFileURL(here("../../packages/audit-log/test/otel/register.mjs")).href;
    const args = [cli, "mcp", "--config", config, "--no-pins", "--", process.execPath, server];
    const client = new Client(info);
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ["--import", register, ...args],
        env: { PATH: process.env["PATH"] ?? "", SPANS: spans },
        stderr: "ignore",
      }),
    );
    await deleting(client, "a.txt");
    await client.close();
    expect(JSON.parse(readFileSync(spans, "utf8"))).toMatchObject({
      name: "execute_tool delete_file",
    });
  });
});
