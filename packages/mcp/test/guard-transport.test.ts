import { once } from "node:events";
import { allow, allowAll, deny, modify, rewrite, type ToolCall } from "@toolstile/core";
import { afterEach, describe, expect, it } from "vitest";
import { type GuardedConnectionOptions, guardTransport } from "../src/index.js";
import { type Deferred, deferred } from "./support/deferred.js";
import { lines, type ServerState, type TestClient } from "./support/sdk-lines.js";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describe.each(lines)("a guarded client transport, $name", (line) => {
  async function connected(
    options: GuardedConnectionOptions,
  ): Promise<ServerState & { client: TestClient; entered: Deferred<AbortSignal> }> {
    const entered = deferred<AbortSignal>();
    const state = { ran: [], waits: entered.resolve, entered };
    const server = line.server(state);
    const client = line.client();
    const [near, far] = line.pair();
    await server.connect(far);
    await client.connect(guardTransport(near, { unchecked: true, ...options }));
    closing.push(() => client.close());
    return { ...state, client };
  }

  it("gives the client what it would give without guards, where they allow", async () => {
    const { client } = await connected({ guardrails: [allowAll()] });
    const bare = line.client();
    const [near, far] = line.pair();
    await line.server({ ran: [], waits: () => {} }).connect(far);
    await bare.connect(near);
    closing.push(() => bare.close());
    for (const name of ["send", "count", "fail", "absent"]) {
      const ask = (one: TestClient) =>
        one.callTool({ name, arguments: { to: "ada" } }).catch((error) => String(error));
      if (name !== "absent") expect(await ask(client)).toEqual(await ask(bare));
      else expect(await ask(client)).toMatchObject({ isError: true });
    }
    expect((await client.listTools()).tools).toEqual((await bare.listTools()).tools);
  });

  it("denies a call that goes around callTool() as well, and the tool does not run", async () => {
    const { client, ran } = await connected({
      guardrails: [{ name: "g", evaluate: () => deny("not today") }],
      hideDenied: false,
    });
    const denied = {
      content: [{ type: "text", text: "Tool call denied: not today" }],
      isError: true,
    };
    const params = { name: "send", arguments: { to: "ada" } };
    expect(await client.callTool(params)).toMatchObject(denied);
    expect(await client.requestCall(params)).toMatchObject(denied);
    expect(ran).toEqual([]);
  });

  it("P6 runs the tool with the arguments that were decided", async () => {
    const { client, ran } = await connected({
      guardrails: [{ name: "g", evaluate: () => modify({ to: "bob" }) }],
    });
    await client.callTool({ name: "send", arguments: { to: "ada" } });
    expect(ran).toEqual([{ to: "bob" }]);
  });

  it("lets the client read a result as a judge rewrote it, and no structured half beside it", async () => {
    const { client } = await connected({
      guardrails: [allowAll(), { name: "j", evaluateResult: () => rewrite({ content: "3 ***" }) }],
    });
    await client.listTools();
    const result = await client.callTool({ name: "count", arguments: { to: "ada" } });
    expect(result).toMatchObject({ content: [{ type: "text", text: "3 ***" }], isError: true });
    expect(result.structuredContent).toBeUndefined();
  });

  it("tells the server that a call was given up, and settles it as aborted", async () => {
    const settled = deferred<unknown>();
    const { client, entered } = await connected({
      guardrails: [allowAll()],
      observers: [{ name: "o", settle: ({ outcome }) => settled.resolve(outcome?.status) }],
    });
    const stop = new AbortController();
    const called = client.callTool({ name: "wait" }, { signal: stop.signal });
    const atServer = await entered.promise;
    stop.abort("enough");
    await expect(called).rejects.toThrow();
    if (!atServer.aborted) await once(atServer, "abort");
    expect(await settled.promise).toBe("aborted");
  });

  it("shows guards the tool's definition as the server lists it", async () => {
    const seen: ToolCall[] = [];
    const guard = {
      name: "g",
      evaluate: (call: ToolCall) => {
        seen.push(call);
        return allow();
      },
    };
    const { client } = await connected({
      guardrails: [guard],
      serverName: "mail",
      hideDenied: false,
    });
    await client.callTool({ name: "send", arguments: { to: "ada" } });
    expect(seen[0]).toMatchObject({
      toolName: "send",
      context: { attributes: { mcpServer: "mail" } },
      tool: { description: "Send mail.", parameters: { type: "object", required: ["to"] } },
    });
  });

  it("is of the inner transport's class, and has its members", async () => {
    const [near] = line.pair();
    const guarded = guardTransport(near, { guardrails: [allowAll()] });
    expect(guarded).toBeInstanceOf(near.constructor);
    const heard = () => {};
    guarded.onmessage = heard;
    expect(guarded.onmessage).toBe(heard);
  });
});
