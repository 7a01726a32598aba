import { allowlist } from "@toolstile/allowlist";
import { allow, allowAll, deny, forTools, type ToolCall } from "@toolstile/core";
import { rateLimit } from "@toolstile/rate-limit";
import { schemaValidation } from "@toolstile/schema";
import { fakeClock } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { answer, call, listed, request, text, Wire } from "./support/wire.js";

const names = (message: { readonly result?: object | undefined }) =>
  ((message.result as { tools: { name: string }[] }).tools ?? []).map(({ name }) => name);

const list = (wire: Wire, id: number, tools: readonly unknown[], more: object = {}) =>
  wire.exchange(request(id, "tools/list"), { tools, ...more });

describe("a list of tools through a guarded connection", () => {
  const [send, read] = [listed("send"), listed("read")];

  it("is the server's own, member for member, where the guards take on all of it", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    await wire.forwarded(request(1, "tools/list"));
    const answered = answer(1, { tools: [send, read], ttlMs: 5 });
    wire.connection.fromServer(answered);
    expect(JSON.stringify(await wire.reached("client", 1))).toBe(JSON.stringify(answered));
    expect(wire.privateLists).toEqual([]);
  });

  it("P6 is what the guards were told, whatever the server makes of its object meanwhile", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    wire.answersLists = false;
    await wire.forwarded(request(1, "tools/list"));
    const tool = listed("send");
    wire.connection.fromServer(answer(1, { tools: [tool], nextCursor: "1" }));
    tool["description"] = "hunter2";
    wire.connection.fromServer(answer(wire.privateLists[0]?.id, { tools: [send] }));
    expect((await wire.reached("client", 1)).result).toMatchObject({ tools: [listed("send")] });
  });

  it("that is still read when its request is said to have failed is answered once", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    wire.answersLists = false;
    await wire.forwarded(request(1, "tools/list"));
    wire.connection.fromServer(answer(1, { tools: [send], nextCursor: "1" }));
    wire.connection.failed(1, new Error("socket closed"));
    wire.connection.fromServer(answer(wire.privateLists[0]?.id, { tools: [send] }));
    expect((await wire.reached("client", 1)).result).toMatchObject({ tools: [send] });
    await wire.exchange(request(2, "ping"), {});
    expect(wire.client.map(({ id }) => id)).toEqual([1, 2]);
  });

  it("leaves out what a guard refuses to take on, and the call of it is denied", async () => {
    const guard = {
      name: "g",
      register: ({ name }: { name: string }) => {
        if (name === "send") throw new Error("hunter2");
      },
      evaluate: () => allow(),
    };
    const wire = new Wire({ guardrails: [guard] });
    const told = await list(wire, 1, [send, read], { ttlMs: 5 });
    expect(told.result).toEqual({ tools: [read], ttlMs: 5 });
    const denied = JSON.stringify(await wire.refused(call(2, "send")));
    expect(denied).toContain("was refused when it was declared");
    expect(denied).not.toContain("hunter2");
    await wire.forwarded(call(3, "read"));
  });

  it("leaves out, as a courtesy, what is denied whatever the arguments", async () => {
    const guardrails = [allowlist(["read"]), schemaValidation()];
    const wire = new Wire({ guardrails, unchecked: false });
    expect(names(await list(wire, 1, [send, read]))).toEqual(["read"]);
    expect((await wire.refused(call(2, "send"))).result).toMatchObject({ isError: true });
    const whole = new Wire({ guardrails, unchecked: false, hideDenied: false });
    expect(names(await list(whole, 1, [send, read]))).toEqual(["send", "read"]);
    expect((await whole.refused(call(2, "send"))).result).toMatchObject({ isError: true });
  });

  it("shows what is denied for its arguments, on somebody's word, or for a price", async () => {
    let asked = 0;
    const guardrails = [
      { name: "args", evaluate: ({ args }: ToolCall) => (args["x"] === 1 ? allow() : deny("x")) },
      {
        name: "caught",
        evaluate: (call: ToolCall) => {
          try {
            return call.args["x"] === 1 ? allow() : deny("x");
          } catch {
            return deny("x");
          }
        },
      },
      {
        name: "asks",
        evaluate: async () => {
          asked++;
          return deny("no");
        },
      },
      {
        name: "human",
        evaluate: () => deny("ask", { approval: { summary: "A mail" } }),
      },
    ];
    const wire = new Wire({ guardrails });
    expect(names(await list(wire, 1, [send, read]))).toEqual(["send", "read"]);
    expect(names(await list(wire, 2, [send, read]))).toEqual(["send", "read"]);
    expect(asked).toBe(1);
  });

  it("shows what is denied for now only", async () => {
    const quota = rateLimit({ limit: 1, windowMs: 1_000, now: () => 0 });
    const wire = new Wire({ guardrails: [quota] });
    await wire.forwarded(call(1, "send"));
    expect((await wire.refused(call(2, "send"))).result).toMatchObject({ isError: true });
    expect(names(await list(wire, 3, [send, read]))).toEqual(["send", "read"]);
  });

  it("hides by what the host says of whoever lists", async () => {
    const wire = new Wire({
      guardrails: [allowlist({ principals: { ann: { allow: ["read"] } } })],
      describe: () => ({ context: { principal: "ann" } }),
    });
    expect(names(await list(wire, 1, [send, read]))).toEqual(["read"]);
  });

  it("refuses two tools of one name, on whichever pages", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    expect(names(await list(wire, 1, [send, read, listed("send", { title: "x" })]))).toEqual([
      "read",
    ]);
    expect((await wire.refused(call(2, "send"))).result).toMatchObject({
      content: [text(expect.stringContaining("two tools have its name") as never)],
    });
    const paged = new Wire({ guardrails: [allowAll()] });
    paged.pages = [[send], [read, listed("send", { title: "x" })]];
    expect(names(await list(paged, 1, [send], { nextCursor: "1" }))).toEqual([]);
    expect(paged.privateLists).toHaveLength(2);
  });

  it("is read whole before a page of it is shown, and later pages are held to it", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    wire.pages = [[send], [read]];
    const first = await list(wire, 1, [send], { nextCursor: "1" });
    expect(first.result).toEqual({ tools: [send], nextCursor: "1" });
    const second = request(2, "tools/list", { cursor: "1" });
    expect(names(await wire.exchange(second, { tools: [read] }))).toEqual(["read"]);
    expect(wire.privateLists).toHaveLength(2);
  });

  it("is not read on once it has more tools than are taken on", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    const page = Array.from({ length: 6_000 }, (_, index) => listed(`t${index}`));
    wire.pages = [page, page, page, page];
    expect((await wire.refused(call(1, "t0"))).result).toMatchObject({ isError: true });
    expect(wire.privateLists).toHaveLength(2);
  });

  it("never shows another definition than the one that the guards were told of", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    wire.pages = [[send], [read]];
    const lie = listed("send", { description: "Sends to everybody." });
    expect(names(await list(wire, 1, [lie], { nextCursor: "1" }))).toEqual([]);
    const second = request(2, "tools/list", { cursor: "1" });
    const other = listed("read", { annotations: { readOnlyHint: true } });
    expect(names(await wire.exchange(second, { tools: [other] }))).toEqual([]);
  });

  it("is asked for by a call of a tool that is not known, once for all who wait, and not again", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    wire.connection.fromClient(call(1, "send"));
    wire.connection.fromClient(call(2, "read"));
    await wire.reached("server", 2);
    await wire.forwarded(call(3, "send"));
    expect(wire.privateLists).toHaveLength(1);
    expect(wire.client).toEqual([]);
  });

  it("is read anew once the server says that it has changed", async () => {
    const seen: unknown[] = [];
    const guard = {
      name: "g",
      evaluate: ({ tool }: ToolCall) => {
        seen.push(tool?.description);
        return allow();
      },
    };
    const wire = new Wire({ guardrails: [guard], hideDenied: false });
    await wire.forwarded(call(1, "send"));
    wire.pages = [[listed("send", { description: "new" })]];
    await wire.forwarded(call(2, "send"));
    wire.connection.fromServer({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    await wire.forwarded(call(3, "send"));
    expect(seen).toEqual(["Does send.", "Does send.", "new"]);
    expect((await wire.refused(call(4, "read"))).result).toMatchObject({ isError: true });
  });

  it("is told to guards when it has changed, and not each time that it is looked at", async () => {
    const seen: string[] = [];
    const guard = { ...allowAll(), register: ({ name }: { name: string }) => void seen.push(name) };
    const wire = new Wire({ guardrails: [guard] });
    for (const id of [1, 2]) await list(wire, id, [send, read]);
    expect(seen).toEqual(["send", "read"]);
    await list(wire, 3, [send, listed("read", { title: "x" })]);
    expect(seen).toEqual(["send", "read", "send", "read"]);
  });

  it("that changes while it is read is read again by the next call", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    const changed = { jsonrpc: "2.0" as const, method: "notifications/tools/list_changed" };
    wire.connection.fromClient(call(1, "send"));
    wire.connection.fromServer(changed);
    await wire.reached("server", 1);
    await wire.forwarded(call(2, "send"));
    expect(wire.privateLists).toHaveLength(2);
  });

  it("P5 is answered by an error where no guard holds arguments to the tools' schemas", async () => {
    const wire = new Wire({ guardrails: [allowAll()], unchecked: false });
    const strict = listed("send", { inputSchema: { type: "object", required: ["to"] } });
    expect((await list(wire, 1, [strict])).error).toMatchObject({
      message: expect.stringContaining("schemaValidation()"),
    });
    wire.pages = [[strict]];
    expect((await wire.refused(call(2, "send", {}))).result).toMatchObject({ isError: true });
  });

  it("P5 is answered by an error where a guard names a tool that is not there, and no call runs", async () => {
    const wire = new Wire({
      guardrails: [allowAll(), forTools(["sned"], { name: "g", evaluate: () => allow() })],
    });
    expect((await list(wire, 1, [send, read])).error).toMatchObject({
      message: expect.stringContaining("'sned'"),
    });
    expect((await wire.refused(call(2, "send"))).result).toMatchObject({
      content: [text("Tool call denied: the server's tools could not be taken on")],
    });
  });

  it.each<[string, unknown]>([
    ["no list", { tools: {} }],
    ["a result and an error at once", undefined],
  ])("that is %s is answered by an error", async (_, result) => {
    const wire = new Wire({ guardrails: [allowAll()] });
    await wire.forwarded(request(1, "tools/list"));
    const answered = answer(1, (result as object) ?? { tools: [send] });
    wire.connection.fromServer(result === undefined ? { ...answered, error: {} } : answered);
    expect((await wire.reached("client", 1)).error).toMatchObject({ code: -32603 });
    expect((await wire.reached("client", 1)).result).toBeUndefined();
  });

  it("leaves out entries that are no tools", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    const entries = [null, {}, { name: 7 }, { name: "x", inputSchema: 5 }, [], "send", read];
    expect(names(await list(wire, 1, entries))).toEqual(["read"]);
  });

  it("P1 that cannot be had denies every call, and operators are told", async () => {
    const clock = fakeClock();
    const wire = new Wire({ guardrails: [allowAll()], clock, callTimeoutMs: 100 });
    wire.answersLists = false;
    const told = wire.refused(call(1, "send"));
    clock.advance(100);
    expect((await told).result).toMatchObject({ isError: true });
    expect(wire.faults).toContainEqual(expect.objectContaining({ phase: "tools/list" }));
    wire.answersLists = true;
    await wire.forwarded(call(2, "send"));
  });

  it("P17 that has no end is read no further than so far", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    wire.pages = new Proxy([], { get: (_, key) => (key === "length" ? Number.MAX_VALUE : [send]) });
    expect((await wire.refused(call(1, "send"))).result).toMatchObject({ isError: true });
    expect(wire.privateLists).toHaveLength(1_000);
  });

  it("P17 whose pages are long is read no further than 32 Mi characters", async () => {
    const faults: unknown[] = [];
    const wire = new Wire({
      guardrails: [allowAll()],
      onFault: ({ error }) => faults.push(error),
    });
    const long = { ...send, description: "x".repeat(8 * 1_024 * 1_024) };
    wire.pages = Array.from({ length: 9 }, () => [long]);
    expect((await wire.refused(call(1, "send"))).result).toMatchObject({ isError: true });
    expect(wire.privateLists).toHaveLength(4);
    expect(faults).toEqual([
      expect.objectContaining({ message: expect.stringContaining("list of tools is too long") }),
    ]);
  });

  it("of too many tools is not taken on", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    const many = Array.from({ length: 10_001 }, (_, index) => listed(`t${index}`));
    expect((await list(wire, 1, many)).error).toMatchObject({ code: -32603 });
  });

  it("that was cancelled, or comes after the end, goes to nobody", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    await wire.forwarded(request(1, "tools/list"));
    const requestId = 1;
    wire.connection.fromClient({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId },
    });
    wire.connection.fromServer(answer(1, { tools: [send] }));
    await wire.connection.close();
    expect(wire.client).toEqual([]);
  });
});
