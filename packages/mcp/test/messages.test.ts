import { allowAll, deny } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import type { JsonRpcMessage } from "../src/index.js";
import { answer, call, request, text, Wire } from "./support/wire.js";

const secret = { content: [text("hunter2")] };

/** Withholds every result. */
const withholding = () =>
  new Wire({ guardrails: [allowAll(), { name: "j", evaluateResult: () => deny("secret") }] });

describe("messages that nobody judges", () => {
  it.each<JsonRpcMessage>([
    request(1, "initialize", { capabilities: {} }),
    request(2, "resources/read", { uri: "file:///a" }),
    request(3, "completion/complete"),
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } },
    { jsonrpc: "2.0", id: 4, result: { role: "user" } },
    { jsonrpc: "2.0", id: "s", error: { code: 1, message: "no" } },
  ])("go to the server as they are: %j", (message) => {
    const wire = new Wire({ guardrails: [] });
    wire.connection.fromClient(message);
    expect(wire.server).toHaveLength(1);
    expect(wire.server[0]).toBe(message);
  });

  it.each<JsonRpcMessage>([
    request(1, "sampling/createMessage", { messages: [] }),
    { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x" } },
    { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
    { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } },
  ])("go to the client as they are: %j", (message) => {
    const wire = new Wire({ guardrails: [] });
    wire.connection.fromServer(message);
    expect(wire.client).toHaveLength(1);
    expect(wire.client[0]).toBe(message);
  });

  it("are answered by the server's own object", async () => {
    const wire = new Wire({ guardrails: [] });
    const answered = answer(1, { contents: [] });
    await wire.forwarded(request(1, "resources/read"));
    wire.connection.fromServer(answered);
    expect(wire.client[0]).toBe(answered);
  });

  it("carry along what came with them", () => {
    const seen: unknown[] = [];
    const wire = new Wire({ guardrails: [] }, [], {
      toServer: (_, extra) => void seen.push(extra),
      toClient: (_, extra) => void seen.push(extra),
    });
    wire.connection.fromClient(request(1, "ping"), "near");
    wire.connection.fromServer(answer(1, {}), "far");
    expect(seen).toEqual(["near", "far"]);
  });

  it("may cancel a call's twin of the server's: its ids are its own", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    await wire.forwarded(call(1, "send"));
    wire.connection.fromServer({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1 },
    });
    wire.connection.fromServer(answer(1, { content: [] }));
    expect(await wire.reached("client", 2)).toEqual(answer(1, { content: [] }));
  });
});

describe("messages that two readers would take for different things", () => {
  it.each<[string, unknown]>([
    ["null", null],
    ["text", "tools/call"],
    ["an empty batch", []],
    ["a batch in a batch", [[call(1, "send")]]],
    ["a request that is a response", { ...call(1, "send"), result: {} }],
    ["a request that is an error", { ...call(1, "send"), error: {} }],
    ["a method that is no text", { jsonrpc: "2.0", id: 1, method: ["tools/call"] }],
    ["an id that is null", { ...call(null, "send") }],
    ["an id that is a fraction", { ...call(1.5, "send") }],
    ["an id that is an object", { ...call({}, "send") }],
    ["nothing but a version", { jsonrpc: "2.0" }],
  ])("are answered by an error, and go no further: %s", async (_, message) => {
    const wire = new Wire({ guardrails: [allowAll()] });
    expect((await wire.refused(message as never)).error).toMatchObject({ code: -32600 });
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["a response that is a request", { ...answer(1, secret), method: "ping" }],
    ["a response for another id", answer(2, secret)],
    ["a response for the id as text", answer("1", secret)],
    ["a response for the id in a list", answer([1], secret)],
    ["a response for true", answer(true, secret)],
    ["a response without an id", { jsonrpc: "2.0", result: secret }],
    ["a result for null", answer(null, secret)],
  ])("never reach the client from the server: %s", async (_, message) => {
    const wire = withholding();
    await wire.forwarded(call(1, "send"));
    wire.connection.fromServer(message as never);
    expect(wire.client).toEqual([]);
    expect(wire.faults).toMatchObject([{ source: "mcp", phase: "fromServer" }]);
  });

  it("never reach the client: an error for null, where a client might read that as its open id 0", async () => {
    const wire = withholding();
    await wire.forwarded(call(0, "send"));
    wire.connection.fromServer({ jsonrpc: "2.0", id: null, error: { message: "hunter2" } });
    expect(wire.client).toEqual([]);
  });

  it("never reach the server: a call without an id, which nobody could be told of", () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    const { id: _, ...notification } = call(1, "send");
    wire.connection.fromClient(notification);
    expect([wire.server, wire.client]).toEqual([[], []]);
    expect(wire.faults).toHaveLength(1);
  });
});

describe("ids", () => {
  it("1 and '1' are two requests", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    await wire.forwarded(call(1, "send"));
    await wire.forwarded(call("1", "read"));
    wire.connection.fromServer(answer("1", { content: [text("text")] }));
    expect(await wire.reached("client", 1)).toEqual(answer("1", { content: [text("text")] }));
    wire.connection.fromServer(answer(1, { content: [] }));
    expect(await wire.reached("client", 2)).toEqual(answer(1, { content: [] }));
  });

  it("P10 of a request that is under way are refused a second time", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    await wire.forwarded(call(1, "send"));
    for (const again of [call(1, "send"), request(1, "ping"), request(1, "tools/list")]) {
      expect((await wire.refused(again)).error).toMatchObject({ code: -32600 });
    }
    await wire.forwarded(request(2, "ping"));
    expect((await wire.refused(call(2, "send"))).error).toMatchObject({ code: -32600 });
  });

  it("are answered once: a second answer, or one before the call was passed on, is nobody's", async () => {
    const wire = withholding();
    wire.connection.fromClient(call(1, "send"));
    wire.connection.fromServer(answer(1, secret));
    await wire.reached("server", 1);
    wire.connection.fromServer(answer(1, { content: [text("first")] }));
    wire.connection.fromServer(answer(1, secret));
    expect((await wire.reached("client", 1)).result).toMatchObject({ isError: true });
    wire.connection.fromServer(answer(1, secret));
    await wire.connection.close();
    expect(JSON.stringify(wire.client)).not.toContain("hunter2");
    expect(wire.client).toHaveLength(1);
  });

  it("are answered by the first answer, also where a second comes before that is judged", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    await wire.forwarded(call(1, "send"));
    const first = answer(1, { content: [text("first")] });
    wire.connection.fromServer(first);
    wire.connection.fromServer(answer(1, secret));
    expect(await wire.reached("client", 1)).toBe(first);
  });

  it("of our own are refused a client, and their answers go to nobody", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    await wire.forwarded(call(1, "send"));
    const ours = wire.privateLists[0]?.id;
    expect((await wire.refused(call(ours, "send"))).error).toMatchObject({ code: -32600 });
    wire.connection.fromServer(answer(ours, secret));
    expect(wire.client).toHaveLength(1);
  });

  it("of a batch are answered one by one", async () => {
    const wire = new Wire({
      guardrails: [
        {
          name: "g",
          evaluate: ({ toolName }) => (toolName === "send" ? deny("no") : { decision: "allow" }),
        },
      ],
    });
    const ping = request(3, "ping");
    wire.connection.fromClient([call(1, "send"), call(2, "read"), ping]);
    expect((await wire.reached("client", 1)).id).toBe(1);
    await wire.reached("server", 2);
    expect(wire.server.map(({ id }) => id)).toEqual([3, 2]);
    wire.connection.fromServer([answer(3, {}), answer(2, { content: [] }), answer(1, secret)]);
    await wire.reached("client", 3);
    expect(wire.client.map(({ id }) => id)).toEqual([1, 3, 2]);
    expect(wire.server[0]).toBe(ping);
  });

  it.each(["tasks/result", "tasks/get", "tasks/list"])(
    "of %s are answered by an error: it would give results that no guard has judged",
    async (method) => {
      const wire = new Wire({ guardrails: [allowAll()] });
      const told = await wire.refused(request(1, method, { taskId: "t" }));
      expect(told.error).toMatchObject({ code: -32601 });
    },
  );
});

describe("a message that JSON would write otherwise than it was read", () => {
  const otherwise = (value: object) => ({ toJSON: () => value });

  it("P6 is not passed on to the server, whether it is a call or its params", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    const hidden = call(1, "read", { to: "thief" });
    for (const asked of [
      { ...request(1, "ping"), ...otherwise(hidden) },
      { ...call(1, "send"), ...otherwise(hidden) },
      call(1, "send", {}, otherwise(hidden.params as object)),
    ]) {
      const { id, error } = await wire.refused(asked);
      expect([id, typeof error]).toEqual([1, "object"]);
    }
  });

  it("P6 does not answer another call than it was judged for", async () => {
    const wire = withholding();
    await wire.forwarded(call(1, "send"));
    wire.connection.fromServer({ ...answer(1, secret), ...otherwise(answer(2, secret)) });
    expect(wire.faults).toMatchObject([{ phase: "fromServer" }]);
    wire.connection.fromServer(answer(1, secret));
    expect((await wire.reached("client", 1)).id).toBe(1);
  });
});
