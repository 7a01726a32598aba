import {
  allow,
  allowAll,
  type CallRecord,
  deny,
  type ResultDecision,
  rewrite,
  type ToolResult,
} from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { deferred } from "./support/deferred.js";
import { answer, call, listed, text, Wire } from "./support/wire.js";

/** Judges that see each result, and answer the same to all. */
function judging(decision: ResultDecision = allow()) {
  const seen: ToolResult[] = [];
  const judge = {
    name: "j",
    evaluateResult: (_: unknown, result: ToolResult) => {
      seen.push(result);
      return decision;
    },
  };
  const tools = [listed("send"), listed("count", { outputSchema: { type: "object" } })];
  return { seen, wire: new Wire({ guardrails: [allowAll(), judge] }, tools) };
}

const shapes: [string, object][] = [
  ["text", { content: [text("ok")] }],
  ["no content at all", {}],
  ["a structured half", { content: [text("1")], structuredContent: { n: 1.5, s: ["ü\u2028"] } }],
  ["an error", { content: [text("no")], isError: true }],
  ["isError false", { isError: false, content: [] }],
  [
    "every kind of part",
    {
      content: [
        { type: "image", data: "aGk=", mimeType: "image/png", annotations: { audience: ["user"] } },
        { type: "resource", resource: { uri: "file:///a", text: "x", _meta: {} } },
        { type: "of the future", any: { thing: [null] } },
      ],
    },
  ],
  ["members that nobody knows", { zebra: 1, content: [text("x")], _meta: { a: {} }, alpha: [] }],
  ["the word complete", { resultType: "complete", content: [text("x")] }],
];

describe("a result through a guarded connection", () => {
  it.each(shapes)(
    "with %s is byte for byte what the server sent, judged or not",
    async (_, result) => {
      for (const wire of [new Wire({ guardrails: [allowAll()] }), judging().wire]) {
        const told = await wire.exchange(call(1, "send"), structuredClone(result));
        expect(JSON.stringify(told)).toBe(JSON.stringify(answer(1, result)));
      }
    },
  );

  it("is shown to judges with its parts, its structured half and whether it is an error", async () => {
    const { seen, wire } = judging();
    const result = { content: [text("no")], structuredContent: { a: 1 }, isError: true };
    await wire.exchange(call(1, "send"), result);
    expect(seen[0]).toMatchObject({
      content: [text("no")],
      structured: { a: 1 },
      isError: true,
      name: "send",
    });
  });

  it("that a judge withholds is an error result of which nothing is left", async () => {
    const { wire } = judging(deny("secret"));
    const result = { content: [text("hunter2")], _meta: { s: "hunter2" }, x: "hunter2" };
    expect(await wire.exchange(call(1, "send"), result)).toEqual(
      answer(1, { content: [text("Tool result withheld: secret")], isError: true }),
    );
  });

  it("that a judge rewrites holds nothing but what the judge gave", async () => {
    const { wire } = judging(rewrite({ content: [text("***")], structured: { n: 0 } }));
    const result = {
      content: [text("hunter2")],
      structuredContent: { n: 1 },
      _meta: { s: "hunter2" },
    };
    expect(await wire.exchange(call(1, "send"), result)).toEqual(
      answer(1, { content: [text("***")], structuredContent: { n: 0 } }),
    );
  });

  it("of a tool with an output schema is an error once a judge has taken its structured half", async () => {
    const { wire } = judging(rewrite({ content: "***" }));
    const result = { content: [text("1")], structuredContent: { n: 1 } };
    expect(await wire.exchange(call(1, "count"), result)).toEqual(
      answer(1, { content: [text("***")], isError: true }),
    );
    expect(await wire.exchange(call(2, "send"), result)).toEqual(
      answer(2, { content: [text("***")] }),
    );
  });

  it("P6 is what judges saw, whatever the server makes of its object meanwhile", async () => {
    const judged = deferred<void>();
    const gate = deferred<void>();
    const wire = new Wire({
      guardrails: [
        allowAll(),
        {
          name: "j",
          evaluateResult: async () => {
            judged.resolve();
            await gate.promise;
            return allow();
          },
        },
      ],
    });
    await wire.forwarded(call(1, "send"));
    const result = { content: [text("fine")], other: { a: 1 } };
    wire.connection.fromServer(answer(1, result));
    await judged.promise;
    Object.assign(result.content[0] as object, { text: "hunter2" });
    Object.assign(result.other, { a: "hunter2" });
    gate.resolve();
    expect(await wire.reached("client", 1)).toEqual(
      answer(1, { content: [text("fine")], other: { a: 1 } }),
    );
  });

  it.each(["observers", "receiptSigner"] as const)(
    "P6 is what was given to %s, whatever the server makes of its object meanwhile",
    async (option) => {
      const told = deferred<ToolResult>();
      const gate = deferred<void>();
      const settle = async ({ outcome }: CallRecord) => {
        if (outcome === undefined) return;
        told.resolve(outcome.result);
        await gate.promise;
      };
      const sign = async (_: unknown, result: ToolResult) => {
        told.resolve(result);
        await gate.promise;
        return "signed";
      };
      const given = { observers: [{ name: "o", settle }], receiptSigner: { name: "s", sign } };
      const wire = new Wire({ guardrails: [allowAll()], [option]: given[option] });
      await wire.forwarded(call(1, "send"));
      const result = { content: [text("fine")] };
      wire.connection.fromServer(answer(1, result));
      const { content } = await told.promise;
      Object.assign(result.content[0] as object, { text: "hunter2" });
      gate.resolve();
      expect((await wire.reached("client", 1)).result).toMatchObject({ content });
    },
  );

  it.each<[string, object]>([
    ["a content that is no list", { content: { type: "text", text: "hunter2" } }],
    ["a part without a type", { content: [{ text: "hunter2" }] }],
    ["an isError that is no boolean", { content: [text("hunter2")], isError: "no" }],
    ["a task", { task: { taskId: "hunter2" } }],
    ["a result of the oldest revision", { toolResult: "hunter2" }],
    ["a task beside content", { content: [], task: { taskId: "hunter2" } }],
    ["a result of the oldest revision beside content", { content: [], toolResult: "hunter2" }],
    ["content for readers that ignore case", { content: [], Content: [text("hunter2")] }],
    ["a structured half for such readers", { content: [], structuredcontent: { a: "hunter2" } }],
    ["a prototype for readers that assign", JSON.parse('{"content":[],"__proto__":"hunter2"}')],
    ["a text in place of a result", "hunter2" as never],
    ["a list in place of a result", [text("hunter2")]],
    ["a kind of result that nobody knows", { resultType: "task", content: [text("hunter2")] }],
  ])("with %s is kept back", async (_, result) => {
    for (const wire of [new Wire({ guardrails: [allowAll()] }), judging().wire]) {
      const told = await wire.exchange(call(1, "send"), result);
      expect(told.result).toMatchObject({ isError: true });
      expect(JSON.stringify(told)).not.toContain("hunter2");
    }
  });

  it("P6 of an error, nothing passes that only readers which ignore case would find", async () => {
    const { wire } = judging();
    const { id } = await wire.forwarded(call(1, "send"));
    const error = { code: 1, message: "no", Message: "hunter2" };
    wire.connection.fromServer({ jsonrpc: "2.0", id: id as number, error });
    const told = await wire.reached("client", 1);
    expect(told.result).toMatchObject({ isError: true });
    expect(JSON.stringify(told)).not.toContain("hunter2");
  });

  it.each<[string, unknown]>([
    ["a text", "hunter2"],
    ["a list", ["hunter2"]],
    ["a message that is no text", { code: 1, message: { text: "hunter2" } }],
    ["a code that is no number", { code: "hunter2", message: "no" }],
  ])("of an error that is or has %s is kept back", async (_, error) => {
    for (const wire of [new Wire({ guardrails: [allowAll()] }), judging().wire]) {
      const { id } = await wire.forwarded(call(1, "send"));
      wire.connection.fromServer({ jsonrpc: "2.0", id: id as number, error: error as object });
      const told = await wire.reached("client", 1);
      expect(told.result).toMatchObject({ isError: true });
      expect(JSON.stringify(told)).not.toContain("hunter2");
    }
  });

  it("that asks for input passes once it is judged, and is withheld whole", async () => {
    const result = { resultType: "input_required", inputRequests: { a: { method: "x" } } };
    const { seen, wire } = judging();
    expect(await wire.exchange(call(1, "send"), result)).toEqual(answer(1, result));
    expect(seen[0]?.structured).toEqual({ a: { method: "x" } });
    const { wire: closed } = judging(deny("no questions"));
    expect((await closed.exchange(call(1, "send"), result)).result).toMatchObject({
      isError: true,
      content: [text("Tool result withheld: no questions")],
    });
  });

  describe("that is an error of the protocol", () => {
    const failed = {
      jsonrpc: "2.0" as const,
      id: 1,
      error: { code: -32000, message: "no hunter2", data: { table: "users" } },
    };
    const told = async (wire: Wire) => {
      await wire.forwarded(call(1, "send"));
      wire.connection.fromServer(failed);
      return wire.reached("client", 1);
    };

    it("passes as it is, and judges see all of its text", async () => {
      const { seen, wire } = judging();
      expect(await told(wire)).toEqual(failed);
      expect(seen[0]).toMatchObject({ content: 'no hunter2 {"table":"users"}', isError: true });
      const plain = new Wire({ guardrails: [allowAll()] });
      expect(await told(plain)).toBe(failed);
    });

    it("is an error result where a judge withholds or rewrites it", async () => {
      for (const decision of [deny("secret"), rewrite({ content: "no ***" })]) {
        const answered = await told(judging(decision).wire);
        expect(answered.result).toMatchObject({ isError: true });
        expect(JSON.stringify(answered)).not.toContain("hunter2");
      }
    });

    it("and a result at once is kept back", async () => {
      const wire = new Wire({ guardrails: [allowAll()] });
      await wire.forwarded(call(1, "send"));
      wire.connection.fromServer({ ...failed, result: { content: [text("hunter2")] } });
      expect(JSON.stringify(await wire.reached("client", 1))).not.toContain("hunter2");
    });
  });

  it("bears the signer's receipt in its metadata, and no other", async () => {
    const receiptSigner = { name: "s", sign: () => "signed" };
    const wire = new Wire({ guardrails: [allowAll()], receiptSigner });
    const told = await wire.exchange(call(1, "send"), {
      content: [text("ok")],
      _meta: { a: 1, "toolstile/receipt": "forged" },
    });
    expect(told.result).toMatchObject({ _meta: { a: 1, "toolstile/receipt": "signed" } });
  });
});
