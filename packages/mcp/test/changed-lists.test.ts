import { allowAll, type Fault } from "@toolstile/core";
import { schemaValidation } from "@toolstile/schema";
import { describe, expect, it } from "vitest";
import { McpWorkbench, memoryPins } from "../src/index.js";
import { DefinitionPins } from "../src/pins/definition-pins.js";
import { deferred } from "./support/deferred.js";
import { PlayedServer } from "./support/played-server.js";
import { answer, call, listed, request, Wire } from "./support/wire.js";

const pay = (to: object) =>
  listed("pay", { inputSchema: { type: "object", properties: { to }, required: ["to"] } });
const anybody = pay({ type: "string" });
const onlyAnn = pay({ type: "string", enum: ["ann"] });
const thief = { to: "thief" };
const changed = { jsonrpc: "2.0" as const, method: "notifications/tools/list_changed" };

async function workbench(more: object = {}) {
  const faults: Fault[] = [];
  const server = new PlayedServer([anybody]);
  const guards = {
    guardrails: [schemaValidation()],
    onFault: (fault: Fault) => void faults.push(fault),
    ...more,
  };
  const bench = McpWorkbench.over(await server.client(), { guards });
  expect(await bench.callTool("pay", { to: "ann" })).toMatchObject({ isError: false });
  return { bench, server, faults };
}

describe("a guarded workbench whose server has changed its list", () => {
  it("runs no call under the old definitions while the new ones cannot be read, and tells operators", async () => {
    const { bench, server, faults } = await workbench();
    server.tools = [onlyAnn];
    server.failures = 2;
    await server.changed();
    for (const _ of [1, 2]) {
      expect(await bench.callTool("pay", { to: "ann" })).toMatchObject({
        isError: true,
        content: expect.stringContaining("present list of tools could not be read"),
      });
    }
    expect(faults).toMatchObject([
      { source: "mcp", phase: "tools/list" },
      { source: "mcp", phase: "tools/list" },
    ]);
    expect(await bench.callTool("pay", thief)).toMatchObject({ isError: true });
    expect(await bench.callTool("pay", { to: "ann" })).toMatchObject({ isError: false });
    expect(server.ran).toEqual([{ to: "ann" }, { to: "ann" }]);
  });

  it("runs none while a list that the host asks for cannot be read", async () => {
    const { bench, server } = await workbench();
    server.tools = [onlyAnn];
    server.failures = 2;
    await server.changed();
    await expect(bench.listTools()).rejects.toThrow("the list is down");
    expect(await bench.callTool("pay", thief)).toMatchObject({ isError: true });
    expect(server.ran).toHaveLength(1);
  });

  it("does not take a list for the new one that was asked for before the change", async () => {
    const { bench, server } = await workbench();
    const open = deferred<void>();
    server.beforeAnswer = open.promise;
    const early = bench.listTools();
    await server.asked(2);
    server.beforeAnswer = undefined;
    server.tools = [onlyAnn];
    await server.changed();
    const called = bench.callTool("pay", thief);
    open.resolve();
    expect(await called).toMatchObject({ isError: true });
    await early;
    expect(server.ran).toHaveLength(1);
  });

  it("gives an error result for a streamed call, too, and for one of a stopped workbench", async () => {
    const { bench, server } = await workbench();
    server.failures = 1;
    await server.changed();
    const pieces: unknown[] = [];
    for await (const piece of bench.callToolStream("pay", thief)) pieces.push(piece);
    expect(pieces).toMatchObject([{ isError: true }]);
    await server.changed();
    await bench.close();
    expect(await bench.callTool("pay", { to: "ann" })).toMatchObject({ isError: true });
    expect(await bench.callTool("pay", {}, null as never)).toMatchObject({ isError: true });
  });

  it("gives an error result where the tool of an override is gone", async () => {
    const overrides = { pay: { name: "transfer" } };
    const { bench, server } = await workbench({ overrides });
    server.tools = [listed("other")];
    await server.changed();
    expect(await bench.callTool("transfer", thief)).toMatchObject({ isError: true });
    expect(await bench.callTool("pay", thief)).toMatchObject({ isError: true });
    expect(server.ran).toHaveLength(1);
  });

  it("P4 rejects a call that is aborted while the list is read", async () => {
    const { bench, server } = await workbench();
    server.beforeAnswer = deferred<void>().promise;
    await server.changed();
    const stop = new AbortController();
    const called = bench.callTool("pay", { to: "ann" }, { signal: stop.signal });
    await server.asked(2);
    stop.abort();
    await expect(called).rejects.toMatchObject({ code: "ERR_ABORTED" });
    expect(server.ran).toHaveLength(1);
  });

  it("runs none after a restart whose list failed", async () => {
    const { bench, server } = await workbench();
    server.tools = [onlyAnn];
    server.failures = 2;
    await expect(bench.reset()).rejects.toThrow("the list is down");
    expect(await bench.callTool("pay", thief)).toMatchObject({ isError: true });
    expect(await bench.callTool("pay", thief)).toMatchObject({ isError: true });
    expect(server.ran).toHaveLength(1);
  });
});

describe("a guarded connection whose server has changed its list", () => {
  const guardrails = [schemaValidation()];
  const options = { guardrails, unchecked: false };

  it("holds a call to the new list that came while the old one was read", async () => {
    const wire = new Wire(options, [anybody]);
    wire.answersLists = false;
    wire.connection.fromClient(call(1, "pay", thief));
    wire.connection.fromServer(changed);
    wire.connection.fromClient(call(2, "pay", thief));
    wire.connection.fromServer(answer(wire.privateLists[0]?.id, { tools: [anybody] }));
    wire.answersLists = true;
    wire.pages = [[onlyAnn]];
    wire.connection.fromServer(answer(wire.privateLists[1]?.id, { tools: [onlyAnn] }));
    await wire.reached("client", 3);
    const results = wire.client.flatMap(({ result }) => result ?? []);
    expect(results).toMatchObject([{ isError: true }, { isError: true }]);
    expect(wire.server).toEqual([]);
  });

  it("does not take a list for the new one that the client asked for before the change", async () => {
    const wire = new Wire(options, [anybody]);
    await wire.forwarded(request(1, "tools/list"));
    wire.connection.fromServer(changed);
    wire.pages = [[onlyAnn]];
    wire.connection.fromServer(answer(1, { tools: [anybody] }));
    await wire.reached("client", 2);
    expect((await wire.refused(call(2, "pay", thief))).result).toMatchObject({ isError: true });
    expect(wire.privateLists).toHaveLength(1);
  });

  it("shows the client the tools that are in the present list too, where the list changes before the answer", async () => {
    const wire = new Wire({ guardrails: [allowAll()] }, [listed("send")]);
    await wire.forwarded(request(1, "tools/list"));
    wire.connection.fromServer(changed);
    wire.pages = [[listed("send"), listed("further")]];
    wire.connection.fromServer(answer(1, { tools: [listed("send"), listed("gone")] }));
    expect((await wire.reached("client", 2)).result).toMatchObject({ tools: [{ name: "send" }] });
  });

  it("keeps the newer of two lists, whichever is answered first", async () => {
    const wire = new Wire(options, [onlyAnn]);
    await wire.forwarded(request(1, "tools/list"));
    wire.connection.fromServer(changed);
    await wire.forwarded(call(2, "pay", { to: "ann" }));
    wire.connection.fromServer(answer(1, { tools: [anybody] }));
    expect((await wire.reached("client", 2)).result).toEqual({ tools: [] });
    expect((await wire.refused(call(3, "pay", thief))).result).toMatchObject({ isError: true });
  });

  it("runs no call while the new list is still held to its pins", async () => {
    const store = memoryPins();
    const slow = deferred<void>();
    let isSlow = false;
    const wire = new Wire(
      {
        ...options,
        serverName: "s",
        pins: new DefinitionPins({
          store: {
            read: async () => {
              if (isSlow) await slow.promise;
              return store.read();
            },
            update: (change) => store.update(change),
          },
        }),
      },
      [anybody],
    );
    await wire.forwarded(call(1, "pay", { to: "ann" }));
    isSlow = true;
    wire.connection.fromServer(changed);
    await wire.forwarded(request(2, "tools/list"));
    wire.connection.fromServer(answer(2, { tools: [onlyAnn] }));
    wire.pages = [[onlyAnn]];
    wire.connection.fromClient(call(3, "pay", thief));
    slow.resolve();
    await wire.reached("client", 3);
    expect(wire.server).toHaveLength(2);
  });

  it("denies calls where the list changes each time that it is read, and reads it three times for one", async () => {
    const wire = new Wire({ guardrails: [allowAll()] }, [listed("send")]);
    wire.pages = new Proxy([[listed("send")]], {
      get: (pages, key, all) => {
        if (key === "0") wire.connection.fromServer(changed);
        return Reflect.get(pages, key, all);
      },
    });
    wire.connection.fromClient(call(1, "send"));
    expect((await wire.reached("client", 4)).result).toMatchObject({
      content: [{ text: expect.stringContaining("present list of tools could not be read") }],
    });
    expect(wire.privateLists).toHaveLength(3);
  });
});

describe("a list of tools that is wrong by itself", () => {
  it("is not asked for again by the next call, but once the server has changed it", async () => {
    const wire = new Wire({ guardrails: [allowAll()] }, [listed("send")]);
    wire.pages = [[listed("send")], {} as never];
    for (const id of [1, 2]) await wire.refused(call(id, "send"));
    expect(wire.privateLists).toHaveLength(2);
    wire.pages = [[listed("send")]];
    wire.connection.fromServer(changed);
    await wire.forwarded(call(3, "send"));
  });

  it("ends at a cursor that comes again, and its tools can be used", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    wire.answersLists = false;
    wire.connection.fromClient(call(1, "send"));
    const page = { tools: [listed("send")], nextCursor: "2" };
    wire.connection.fromServer(answer(wire.privateLists[0]?.id, page));
    await expect.poll(() => wire.privateLists.length).toBe(2);
    wire.connection.fromServer(answer(wire.privateLists[1]?.id, page));
    await wire.reached("server", 1);
    expect(wire.privateLists).toHaveLength(2);
  });
});
