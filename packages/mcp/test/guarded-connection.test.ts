import { getEventListeners } from "node:events";
import { allow, allowAll, deny, modify, type ToolCall, type ToolOutcome } from "@toolstile/core";
import { fakeClock } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import type { GuardedConnectionOptions } from "../src/index.js";
import { deferred } from "./support/deferred.js";
import { answer, call, denied, text, Wire } from "./support/wire.js";

/** Allows, and keeps what became of each call. */
function watched(options: Partial<GuardedConnectionOptions> = {}) {
  const outcomes: ToolOutcome[] = [];
  const observers = [
    {
      name: "o",
      settle: ({ outcome }: { outcome?: ToolOutcome | undefined }) => {
        if (outcome !== undefined) outcomes.push(outcome);
      },
    },
  ];
  return { outcomes, options: { guardrails: [allowAll()], observers, ...options } };
}

describe("a call through a guarded connection", () => {
  it("reaches the server under its id with all its members, and its answer is the server's own object", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    const asked = call(
      1,
      "send",
      { to: "ada" },
      { _meta: { progressToken: 7 }, requestState: "s" },
    );
    expect(await wire.forwarded(asked)).toEqual(asked);
    const answered = answer(1, { content: [text("ok")], _meta: { x: 1 }, other: { y: null } });
    wire.connection.fromServer(answered);
    expect(await wire.reached("client", 1)).toBe(answered);
  });

  it("without arguments stays without them", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    expect(await wire.forwarded(call(1, "send"))).toEqual(call(1, "send"));
  });

  it("that is denied is answered by an error result, and never reaches the server", async () => {
    const wire = new Wire({ guardrails: [{ name: "g", evaluate: () => deny("not today") }] });
    expect(await wire.refused(call(1, "send"))).toEqual(denied(1, "not today"));
  });

  it("of the revision of 2026-07-28 is denied by a complete result", async () => {
    const wire = new Wire({ guardrails: [{ name: "g", evaluate: () => deny("not today") }] });
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", trace: 1 };
    expect((await wire.refused(call(1, "send", {}, { _meta }))).result).toMatchObject({
      resultType: "complete",
      isError: true,
    });
    // What we ask the server ourselves says the same of itself.
    expect(wire.privateLists[0]?.params).toEqual({
      _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
    });
  });

  it("P3 that no guard has judged is denied", async () => {
    const wire = new Wire({ guardrails: [] });
    expect((await wire.refused(call(1, "send"))).result).toMatchObject({
      content: [text(expect.stringContaining("no guardrail judged tool 'send'") as never)],
    });
  });

  it("P6 is passed on with the arguments that were decided, whatever becomes of the client's object", async () => {
    const gate = deferred<void>();
    const asking = deferred<unknown>();
    const guard = {
      name: "g",
      evaluate: async ({ args }: ToolCall) => {
        asking.resolve(args);
        await gate.promise;
        return allow();
      },
    };
    const wire = new Wire({ guardrails: [guard] });
    const asked = call(1, "send", { to: "ada" });
    const forwarded = wire.forwarded(asked);
    const judged = await asking.promise;
    Object.assign((asked.params as { arguments: object }).arguments, { to: "thief" });
    Object.assign(asked.params as object, { name: "read", arguments: { to: "thief" }, task: {} });
    Object.assign(asked, { id: 9, method: "ping" });
    gate.resolve();
    expect(await forwarded).toEqual(call(1, "send", judged));
    expect(JSON.stringify(wire.server)).not.toContain("thief");
  });

  it("P6 is passed on as a guard rewrote it", async () => {
    const wire = new Wire({
      guardrails: [{ name: "g", evaluate: () => modify({ to: "bob" }) }],
    });
    const sent = await wire.forwarded(call(1, "send", { to: "ada" }));
    expect(sent).toEqual(call(1, "send", { to: "bob" }));
  });

  it.each(["constructor", "__proto__", "toString", "absent"])(
    "P8 of a tool named %s that the server does not list is not passed on",
    async (name) => {
      const wire = new Wire({ guardrails: [allowAll()] });
      expect((await wire.refused(call(1, name))).result).toMatchObject({
        content: [text(`Tool '${name}' not found.`)],
        isError: true,
      });
    },
  );

  it.each([
    ["text that is no JSON", "{"],
    ["a list", [1]],
    ["a __proto__", JSON.parse('{"__proto__":{"to":"x"}}')],
    ["an unsafe number", { cents: 2 ** 60 }],
  ])("with %s for arguments is not passed on", async (_, args) => {
    const wire = new Wire({ guardrails: [allowAll()] });
    expect((await wire.refused(call(1, "send", args))).result).toMatchObject({ isError: true });
  });

  it.each([undefined, {}, { name: 7 }, [], "send"])(
    "whose params are %j is answered by an error",
    async (params) => {
      const wire = new Wire({ guardrails: [allowAll()] });
      const asked = { ...call(1, "send"), params: params as object };
      expect((await wire.refused(asked)).error).toMatchObject({ code: -32602 });
    },
  );

  it("that is to run as a task is denied, and on record", async () => {
    const { outcomes, options } = watched();
    const wire = new Wire(options);
    const told = await wire.refused(call(1, "send", {}, { task: { ttl: 1 } }));
    expect(told.result).toMatchObject({
      content: [text(expect.stringContaining("as a task") as never)],
    });
    expect(outcomes).toMatchObject([{ status: "denied", decidedBy: "mcp-connection" }]);
    await wire.forwarded(call(1, "send"));
  });

  it("P4 that is cancelled while guards decide never reaches the server, and nobody is answered", async () => {
    const asked = deferred<void>();
    const gate = deferred<void>();
    const { outcomes, options } = watched({
      guardrails: [
        {
          name: "g",
          evaluate: async () => {
            asked.resolve();
            await gate.promise;
            return allow();
          },
        },
      ],
    });
    const wire = new Wire(options);
    wire.connection.fromClient(call(1, "send"));
    await asked.promise;
    wire.connection.fromClient({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1 },
    });
    gate.resolve();
    await wire.connection.close();
    expect(outcomes).toMatchObject([{ status: "aborted", executed: false }]);
    expect([wire.server, wire.client]).toEqual([[], []]);
  });

  it("P4 that is cancelled under way is cancelled at the server, and its late answer goes to nobody", async () => {
    const { outcomes, options } = watched();
    const wire = new Wire(options);
    await wire.forwarded(call(1, "send"));
    const cancelled = {
      jsonrpc: "2.0" as const,
      method: "notifications/cancelled",
      params: { requestId: 1 },
    };
    wire.connection.fromClient(cancelled);
    expect(await wire.reached("server", 2)).toBe(cancelled);
    // Until the server has answered, its id is nobody else's.
    expect((await wire.refused(call(1, "send"))).error).toMatchObject({ code: -32600 });
    wire.connection.fromServer(answer(1, { content: [] }));
    await wire.connection.close();
    expect(outcomes).toMatchObject([{ status: "aborted", executed: "unknown" }]);
    expect(wire.client).toHaveLength(1);
  });

  it("that the server does not answer in time is an error result, is cancelled, and its outcome is unknown", async () => {
    const clock = fakeClock();
    const { outcomes, options } = watched({ clock, callTimeoutMs: 500 });
    const wire = new Wire(options);
    await wire.forwarded(call(1, "send"));
    clock.advance(499);
    expect(wire.client).toEqual([]);
    clock.advance(1);
    expect((await wire.reached("client", 1)).result).toMatchObject({
      content: [text(expect.stringContaining("did not answer in time") as never)],
      isError: true,
    });
    expect(wire.server[1]).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: 1 },
    });
    expect(outcomes).toMatchObject([{ status: "unknown", executed: "unknown" }]);
    wire.connection.fromServer(answer(1, { content: [text("late")] }));
    expect(wire.client).toHaveLength(1);
    expect(clock.waiting()).toBe(0);
  });

  it("leaves no timer when it is answered", async () => {
    const clock = fakeClock();
    const wire = new Wire({ guardrails: [allowAll()], clock });
    await wire.exchange(call(1, "send"), { content: [] });
    expect(clock.waiting()).toBe(0);
  });

  it("leaves nothing behind on a signal of the host's that outlives it", async () => {
    const { signal } = new AbortController();
    const wire = new Wire({ guardrails: [allowAll()], describe: () => ({ signal }) });
    await wire.exchange(call(1, "send"), { content: [] });
    await wire.connection.close();
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("that the host has aborted before never reaches the server", async () => {
    const wire = new Wire({
      guardrails: [allowAll()],
      describe: () => ({ signal: AbortSignal.abort() }),
    });
    expect((await wire.refused(call(1, "send"))).result).toMatchObject({ isError: true });
  });

  it("that a port throws for is an error, is on record, and leaves no timer", async () => {
    const clock = fakeClock();
    const { outcomes, options } = watched({ clock });
    const wire: Wire = new Wire(options, undefined, {
      toServer: (message) => {
        if (message.method !== "tools/list") throw new Error("hunter2");
        wire.connection.fromServer(answer(message.id, { tools: wire.pages[0] }));
      },
    });
    const told = await wire.refused(call(1, "send"));
    expect(told.error).toMatchObject({ code: -32603, message: "The call could not be judged." });
    expect(outcomes).toMatchObject([{ status: "unknown" }]);
    expect(clock.waiting()).toBe(0);
  });

  it("that is out of time is an error result also where the server cannot be told", async () => {
    const clock = fakeClock();
    const sent = deferred<void>();
    const wire: Wire = new Wire({ guardrails: [allowAll()], clock }, undefined, {
      toServer: (message) => {
        if (message.method === "notifications/cancelled") throw new Error("hunter2");
        if (message.method === "tools/call") sent.resolve();
        else wire.connection.fromServer(answer(message.id, { tools: wire.pages[0] }));
      },
    });
    wire.connection.fromClient(call(1, "send"));
    await sent.promise;
    clock.advance(60_000);
    expect((await wire.reached("client", 1)).result).toMatchObject({ isError: true });
  });

  it("that the host aborts is cancelled at the server, and the client is told", async () => {
    const stop = new AbortController();
    const wire = new Wire({
      guardrails: [allowAll()],
      describe: () => ({ signal: stop.signal }),
    });
    await wire.forwarded(call(1, "send"));
    stop.abort();
    expect((await wire.reached("client", 1)).result).toMatchObject({
      content: [text("Tool call aborted.")],
    });
    expect(wire.server[1]).toMatchObject({ method: "notifications/cancelled" });
  });

  it("is settled when the connection closes, and nothing is sent any more", async () => {
    const { outcomes, options } = watched();
    const wire = new Wire(options);
    await wire.forwarded(call(1, "send"));
    await wire.connection.close();
    expect(outcomes).toMatchObject([{ status: "aborted", executed: "unknown" }]);
    wire.connection.fromClient(call(2, "send"));
    wire.connection.fromServer(answer(1, { content: [] }));
    await wire.connection.close();
    expect([wire.server.length, wire.client.length]).toEqual([1, 0]);
  });

  it("that could not be sent is an error, or what the guards make of it", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    await wire.forwarded(call(1, "send"));
    wire.connection.failed(1, new Error("socket closed"));
    expect((await wire.reached("client", 1)).error).toMatchObject({
      message: "The request could not be sent to the server.",
    });
    const judged = new Wire({
      guardrails: [allowAll(), { name: "j", evaluateResult: () => deny("withheld") }],
    });
    await judged.forwarded(call(1, "send"));
    judged.connection.failed(1, new Error("password=hunter2"));
    expect((await judged.reached("client", 1)).result).toMatchObject({
      content: [text("Tool result withheld: withheld")],
    });
  });

  it("P17 is refused where as many are under way as may be", async () => {
    const wire = new Wire({ guardrails: [allowAll()], maxOpenCalls: 2 });
    await wire.forwarded(call(1, "send"));
    await wire.forwarded({ jsonrpc: "2.0", id: 2, method: "ping" });
    expect((await wire.refused(call(3, "send"))).error).toMatchObject({
      message: "Too many requests are under way.",
    });
    wire.connection.fromServer(answer(2, {}));
    await wire.forwarded(call(3, "send"));
  });
});
