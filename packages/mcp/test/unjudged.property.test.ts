import { allow, allowAll, rewrite, type ToolResult } from "@toolstile/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMessage } from "../src/message/read-message.js";
import { answer, call, request, text, Wire } from "./support/wire.js";

const canary = "c4nary";

/** A place in a message: the path to an object or a list in it. */
function places(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, each]) =>
    places(each, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [[...path], ...inner];
}

/** A copy with the canary as one more member, or entry, at a place. */
function withCanary(value: object, path: readonly (string | number)[], name: string, at: unknown) {
  const copy = structuredClone(value) as Record<string | number, unknown>;
  let target: Record<string | number, unknown> = copy;
  for (const key of path) target = target[key] as Record<string | number, unknown>;
  if (Array.isArray(target)) target.push(at);
  else Object.defineProperty(target, name, { value: at, enumerable: true, configurable: true });
  return copy;
}

/** Whatever can hold text, at a place that nobody foresaw. */
const carriers = fc.constantFrom<unknown>(
  canary,
  { type: "video", data: canary },
  { type: "text", text: canary },
  { type: "resource", resource: { uri: "a:b", text: canary } },
  [{ [canary]: 1 }],
  { deep: [{ deeper: { deepest: canary } }] },
);
const names = fc.oneof(
  fc.constantFrom("output", "text", "_meta", "data", "results", "toolCalls", "annotations", "x"),
  fc.string({ minLength: 1, maxLength: 8 }).filter((name) => !(name in {})),
);

const results: readonly object[] = [
  { content: [text("ok")] },
  { content: [text("ok")], structuredContent: { a: { b: [1] } }, isError: false, _meta: { k: {} } },
  { content: [{ type: "resource", resource: { uri: "a:b", text: "x" } }] },
  { content: [{ type: "image", data: "", mimeType: "image/png", annotations: {} }], isError: true },
  { resultType: "input_required", inputRequests: { a: { method: "m", params: {} } } },
];

describe("P6 nothing that a server answers a call with passes unless a judge saw it", () => {
  it("whatever more there is in a result, at any place", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...results),
        fc.nat(),
        names,
        carriers,
        async (result, nth, name, carrier) => {
          const all = places(result);
          const path = all[nth % all.length] ?? [];
          await expectJudged(answer(1, withCanary(result, path, name, carrier)));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("whatever more there is in an error, or beside the result", async () => {
    const error = { jsonrpc: "2.0" as const, id: 1, error: { code: 1, message: "m", data: {} } };
    const result = answer(1, { content: [text("ok")] });
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.nat(), names, carriers, async (fails, nth, name, at) => {
        const message = fails ? error : result;
        const all = places(message);
        await expectJudged(withCanary(message, all[nth % all.length] ?? [], name, at));
      }),
      { numRuns: 200 },
    );
  });
});

/** The client is told of nothing that the judge was not shown. */
async function expectJudged(message: object): Promise<void> {
  const seen: string[] = [];
  const judge = {
    name: "j",
    evaluateResult: (_: unknown, { content, structured }: ToolResult) => {
      seen.push(JSON.stringify([content, structured]));
      return allow();
    },
  };
  const wire = new Wire({ guardrails: [allowAll(), judge] });
  await wire.forwarded(call(1, "send"));
  wire.connection.fromServer(message as never);
  if (wire.faults.length > 0) return expect(wire.client).toEqual([]);
  const told = JSON.stringify(await wire.reached("client", 1));
  if (told.includes(canary)) expect(seen.join()).toContain(canary);
  return undefined;
}

describe("P6 nothing that a client sends beside what guards know reaches the server", () => {
  it("with a call, or beside its params", async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), names, carriers, async (isBeside, name, carrier) => {
        if (["_meta", "task", "inputResponses", "requestState"].includes(name)) return;
        const asked = call(1, "send", {});
        const wire = new Wire({ guardrails: [allowAll()] });
        const sent = withCanary(asked, isBeside ? [] : ["params"], name, carrier);
        expect((await wire.refused(sent as never)).error).toBeDefined();
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    "tools/run",
    "tools/callMany",
    "Tools/Call",
    "tasks/result",
    "x",
    "rpc.call",
    "sampling/createMessage",
  ])("by the method %s, asked or told", async (method) => {
    const wire = new Wire({ guardrails: [allowAll()] });
    expect((await wire.refused(request(1, method))).error).toMatchObject({ code: -32601 });
    wire.connection.fromClient({ jsonrpc: "2.0", method });
    expect([wire.server, wire.faults.length]).toEqual([[], 1]);
  });

  it("by a method of the host's own, unless the host passes it on", async () => {
    const wire = new Wire({ guardrails: [allowAll()], passMethods: ["acme/find"] });
    await wire.forwarded(request(1, "acme/find"));
    wire.connection.fromServer({ jsonrpc: "2.0", id: 7, method: "acme/find" });
    expect(wire.client).toHaveLength(1);
  });
});

describe("P6 nothing that a server asks or tells by an unknown method reaches the client", () => {
  it.each(["tools/call", "x", "notifications/acme", "sampling/run"])("%s", async (method) => {
    const answers: unknown[] = [];
    const refused = (answer: unknown): void => void answers.push(answer);
    const wire = new Wire({ guardrails: [allowAll()] }, [], { refused });
    wire.connection.fromServer({ jsonrpc: "2.0", id: 7, method });
    wire.connection.fromServer({ jsonrpc: "2.0", method });
    expect(answers).toMatchObject([{ id: 7, error: { code: -32601 } }]);
    expect([wire.client, wire.faults.length]).toEqual([[], 2]);
  });
});

it("a judge that rewrites what is beside a result takes it away", async () => {
  const judge = {
    name: "j",
    evaluateResult: (_: unknown, { content }: ToolResult) => {
      const clean = JSON.stringify(content).replaceAll(canary, "***");
      return rewrite({ content: JSON.parse(clean) });
    },
  };
  const wire = new Wire({ guardrails: [allowAll(), judge] });
  const told = await wire.exchange(call(1, "send"), { content: [text("ok")], more: canary });
  expect(told.result).toEqual({ content: [text("ok")] });
});

it("a receipt is of what passes: with a judge, no other member does", async () => {
  const judge = { name: "j", evaluateResult: () => allow() };
  const receiptSigner = { name: "s", sign: () => "signed" };
  const wire = new Wire({ guardrails: [allowAll(), judge], receiptSigner });
  const told = await wire.exchange(call(1, "send"), {
    content: [text("ok")],
    more: canary,
    _meta: { a: canary },
  });
  expect(told.result).toEqual({
    content: [text("ok")],
    _meta: { "toolstile/receipt": "signed" },
  });
});

it("a message with another member than JSON-RPC's is refused where bytes are read", () => {
  const bytes = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{},"extra":1}');
  expect(readMessage(bytes, 1_000)).toMatchObject({
    ok: false,
    reason: expect.stringContaining("none of JSON-RPC"),
  });
});
