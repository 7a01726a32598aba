import { fileURLToPath } from "node:url";
import { allowAll, deny, forTools, type ToolResult } from "@toolstile/core";
import type { Workbench } from "@toolstile/core/workbench";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { McpWorkbench, type McpWorkbenchOptions } from "../src/index.js";
import { lines } from "./support/sdk-lines.js";

const path = fileURLToPath(new URL("fixtures/stdio-server.mjs", import.meta.url));
const server = { command: process.execPath, args: [path] };
const noWaiting = forTools(["wait"], { name: "no-waiting", evaluate: () => deny("no waiting") });

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.stop();
  bench = undefined;
});
const opened = (options: McpWorkbenchOptions = {}): Workbench => {
  bench = McpWorkbench.stdio(server, options);
  return bench;
};
const names = async (from: Workbench) => (await from.listTools()).map(({ name }) => name);

async function streamed(pieces: AsyncGenerator<unknown, void>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

for (const sdk of [1, 2] as const) {
  describe(`a workbench over a server's standard streams, SDK version ${sdk}`, {
    tags: sdk === 1 ? "long" : [],
  }, () => {
    const bench = McpWorkbench.stdio(server, { sdk });
    afterAll(() => bench.stop());

    it("lists the server's tools and calls them, connected when it is first used", async () => {
      expect(await bench.listTools()).toContainEqual(
        expect.objectContaining({
          name: "echo",
          description: "Say it again.",
          parameters: expect.objectContaining({ required: ["text"] }),
        }),
      );
      expect(await bench.callTool("echo", { text: "hi" }, { callId: "c1" })).toMatchObject({
        callId: "c1",
        name: "echo",
        isError: false,
        content: [{ type: "text", text: "hi" }],
      });
      expect(await bench.saveState()).toEqual({});
      await bench.loadState({});
    });

    it("gives the server's progress, and the result last", async () => {
      const pieces = await streamed(bench.callToolStream("count", {}));
      expect(pieces.slice(0, 3)).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3 })));
      expect(pieces[3]).toMatchObject({ content: [{ text: "three" }] });
      expect(pieces).toHaveLength(4);
    });

    it("is guarded by what it is given", async () => {
      const bench = opened({
        sdk,
        guards: { guardrails: [allowAll(), noWaiting], unchecked: true },
      });
      expect(await bench.callTool("wait")).toMatchObject({
        isError: true,
        content: "Tool call denied: no waiting",
      });
      expect(await bench.callTool("echo", { text: "hi" })).toMatchObject({ isError: false });
      const pieces = await streamed(bench.callToolStream("count", {}));
      expect(pieces.at(-1)).toMatchObject({ isError: false });
      expect(await bench.callTool("echo", {})).toMatchObject({ isError: true });
    });

    it("P4 rejects a call that is aborted, and no other", async () => {
      const stop = new AbortController();
      const called = bench.callTool("wait", {}, { signal: stop.signal });
      stop.abort(new Error("enough"));
      await expect(called).rejects.toMatchObject({ code: "ERR_ABORTED" });
      expect(await bench.callTool("absent")).toMatchObject({ isError: true });
    });

    it("is an error result in every call while it is stopped, or its server has gone", async () => {
      const bench = opened({ sdk });
      await bench.callTool("exit");
      expect(await bench.callTool("echo", { text: "hi" })).toMatchObject({
        isError: true,
        content: expect.stringContaining("has gone"),
      });
      await bench.reset();
      expect(await bench.callTool("echo", { text: "hi" })).toMatchObject({ isError: false });
      await bench.stop();
      expect(await bench.callTool("echo", { text: "hi" })).toMatchObject({
        isError: true,
        content: expect.stringContaining("start()"),
      });
      await expect(bench.listTools()).rejects.toMatchObject({ code: "ERR_CLOSED" });
      await bench.start();
      expect(await bench.callTool("echo", { text: "hi" })).toMatchObject({ isError: false });
    });

    it("has guards look at a list that has changed before the next call", async () => {
      const seen: string[] = [];
      const guard = {
        ...allowAll(),
        register: ({ name }: { name: string }) => void seen.push(name),
      };
      const bench = opened({ sdk, guards: { guardrails: [guard], unchecked: true } });
      expect(await names(bench)).not.toContain("late");
      const before = seen.length;
      await bench.callTool("grow");
      await bench.callTool("echo", { text: "hi" });
      expect(seen.slice(before)).toContain("late");
      expect(await names(bench)).toContain("late");
    });
  });
}

describe.each(lines)("a workbench over a client of one's own, $name", (line) => {
  it("uses it, keeps its listeners, and leaves it open", async () => {
    const client = line.client();
    const [near, far] = line.pair();
    await line.server({ ran: [], waits: () => {} }).connect(far);
    await client.connect(near);
    const bench = McpWorkbench.over(client as never);
    const result: ToolResult = await bench.callTool("send", { to: "ada" });
    expect(result.content).toEqual([{ type: "text", text: "Sent to ada." }]);
    await bench.stop();
    expect((await client.listTools()).tools).toHaveLength(4);
    await client.close();
  });
});

describe("the options of a workbench", () => {
  it.each<[() => unknown, RegExp]>([
    [() => McpWorkbench.stdio({ command: "" }), /command/],
    [() => McpWorkbench.stdio({ comand: "x" } as never), /Did you mean 'command'/],
    [() => McpWorkbench.http({ url: "localhost" }), /whole address/],
    [() => McpWorkbench.over({} as never), /an MCP client/],
    [() => McpWorkbench.stdio(server, { sdk: 3 as never }), /1 or 2/],
    [() => McpWorkbench.stdio(server, { callTimeoutMs: -1 }), /callTimeoutMs/],
    [
      () => McpWorkbench.stdio(server, { guards: {} as never }),
      /'guardrails' must be an array of guardrails/,
    ],
    [() => McpWorkbench.stdio(server, { guardrails: [] } as never), /no option 'guardrails'/],
  ])("P5 are refused at once where they are not right: %s", (make, message) => {
    expect(make).toThrowError(message);
  });
});
