import { allow, allowAll, deny, type GuardrailProvider, modify, rewrite } from "@toolstile/core";
import { schemaValidation } from "@toolstile/schema";
import { fakeClock, recordingObserver } from "@toolstile/testing";
import { jsonSchema } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type GuardToolsOptions, guardTools } from "../src/index.js";
import { readByModel, sdks, toolCall } from "./support/sdk.js";

const inputSchema = z.object({ q: z.string() });

function searchTool(answer: (input: object) => unknown = () => "found") {
  const ran: unknown[] = [];
  const execute = (input: object) => {
    ran.push(input);
    return answer(input);
  };
  return { ran, tools: { search: { inputSchema, execute } } };
}

const guard = (evaluate: unknown): GuardrailProvider => ({
  name: "guard",
  evaluate: evaluate as GuardrailProvider["evaluate"],
});

const idle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe.each(sdks)("guarded tools in ai $version", ({ ai, model, stopAfter, version }) => {
  async function ask(
    tools: object,
    calls = [toolCall("c1", "search", { q: "tea" })],
    more: object = {},
  ) {
    const mock = model(calls);
    const result = await ai.generateText({
      model: mock,
      tools: tools as Parameters<typeof ai.generateText>[0]["tools"],
      prompt: "go",
      stopWhen: stopAfter(3),
      maxRetries: 0,
      ...more,
    } as Parameters<typeof ai.generateText>[0]);
    return { result, read: readByModel(mock) };
  }

  it.each([
    [
      "throws",
      () => {
        throw new Error("hunter2");
      },
      "guardrail 'guard' failed",
    ],
    ["rejects", () => Promise.reject(new Error("hunter2")), "guardrail 'guard' failed"],
    ["answers true", () => true, ""],
    ["answers nothing", () => undefined, ""],
    ["misspells the decision", () => ({ decision: "ALLOW" }), ""],
  ])("P1 P2 do not run, and leak no cause, where a guard %s", async (_, evaluate, reason) => {
    const { tools, ran } = searchTool();
    const { read } = await ask(guardTools(tools, { guardrails: [guard(evaluate)] }));
    expect(ran).toEqual([]);
    expect(read).toMatchObject({ c1: { type: "error-text" } });
    expect(JSON.stringify(read)).toContain(reason);
    expect(JSON.stringify(read)).toContain("Tool call denied: ");
    expect(JSON.stringify(read)).not.toContain("hunter2");
  });

  it("P1 do not run where a guard hangs", async () => {
    const { tools, ran } = searchTool();
    const clock = fakeClock();
    let hangs = (): void => {};
    const hanging = new Promise<void>((resolve) => (hangs = resolve));
    const evaluate = () => {
      hangs();
      return new Promise(() => {});
    };
    const asked = ask(guardTools(tools, { guardrails: [guard(evaluate)], clock }));
    await hanging;
    await idle();
    clock.advance(5_000);
    expect((await asked).read).toMatchObject({ c1: { type: "error-text" } });
    expect(ran).toEqual([]);
  });

  it("P3 do not run where no guard judged the call", async () => {
    const { tools, ran } = searchTool();
    const { read } = await ask(guardTools(tools, { guardrails: [] }));
    expect(JSON.stringify(read)).toContain("allowAll()");
    expect(ran).toEqual([]);
  });

  it("leave a call whose arguments do not fit, or whose tool is not there, to the SDK, and run nothing", async () => {
    const { tools, ran } = searchTool();
    const observer = recordingObserver();
    const guarded = guardTools(tools, { guardrails: [allowAll()], observers: [observer] });
    const calls = [
      toolCall("c1", "search", { q: 7 }),
      toolCall("c2", "serch", { q: "tea" }),
      toolCall("c3", "constructor", {}),
      toolCall("c4", "search", "{"),
    ];
    const { read } = await ask(guarded, calls);
    expect(ran).toEqual([]);
    expect(observer.records).toEqual([]);
    for (const id of ["c1", "c2", "c3", "c4"]) {
      expect(read[id]).toMatchObject({ type: "error-text" });
    }
  });

  it("P6 give the tool a frozen copy, which a rewrite that breaks the schema never reaches", async () => {
    const { tools, ran } = searchTool();
    const rewritten = guardTools(tools, {
      guardrails: [
        guard(({ args }: { args: { q: unknown } }) => (args.q === 7 ? allow() : modify({ q: 7 }))),
      ],
    });
    const { read } = await ask(rewritten);
    expect(ran).toEqual([]);
    expect(read).toEqual({
      c1: {
        type: "error-text",
        value:
          "Tool call denied: arguments for tool 'search' do not match its schema at /q: expected string",
      },
    });
    await ask(guardTools(tools, { guardrails: [allowAll()] }));
    expect(ran).toEqual([{ q: "tea" }]);
    expect(Object.isFrozen(ran[0])).toBe(true);
  });

  it("P4 run nothing, and reject with the signal's reason, where the caller aborts while a guard decides", async () => {
    const { tools, ran } = searchTool();
    const controller = new AbortController();
    const evaluate = () => {
      controller.abort(new DOMException("enough", "AbortError"));
      return allow();
    };
    const guarded = guardTools(tools, { guardrails: [guard(evaluate)] });
    const asked = ask(guarded, undefined, { abortSignal: controller.signal });
    await expect(asked).rejects.toThrow("enough");
    expect(ran).toEqual([]);
  });

  it("P4 throw the signal's reason for a call that was aborted before, while or after its tool ran", async () => {
    const observer = recordingObserver();
    const controller = new AbortController();
    const reason = new DOMException("enough", "AbortError");
    const signals: unknown[] = [];
    const tools = {
      search: {
        inputSchema,
        execute: async (_input: object, { abortSignal }: { abortSignal?: AbortSignal }) => {
          signals.push(abortSignal);
          controller.abort(reason);
          return "late";
        },
      },
    };
    const { search } = guardTools(tools, { guardrails: [allowAll()], observers: [observer] });
    const options = { toolCallId: "c1", messages: [], abortSignal: controller.signal };
    await expect(search.execute({ q: "tea" }, options)).rejects.toBe(reason);
    await expect(search.execute({ q: "tea" }, options)).rejects.toBe(reason);
    expect(signals).toEqual([controller.signal]);
    expect(observer.records.map(({ outcome }) => [outcome?.status, outcome?.executed])).toEqual([
      ["aborted", "unknown"],
      ["aborted", false],
    ]);
  });

  it.each([
    ["undefined", undefined, { type: "json", value: null }],
    ["a Date", new Date(0), { type: "text", value: "1970-01-01T00:00:00.000Z" }],
    ["text", "found", { type: "text", value: "found" }],
    ["null", null, { type: "json", value: null }],
    ["a list", [1, { two: 2 }], { type: "json", value: [1, { two: 2 }] }],
  ])("pass on %s as the model reads it without guards", async (_, answer, expected) => {
    const { tools } = searchTool(() => answer);
    const { read } = await ask(guardTools(tools, { guardrails: [allowAll()] }));
    expect(read).toEqual({ c1: expected });
    // But for the Date, which is text already when the SDK gets it.
    const unguarded = (await ask(tools)).read;
    expect(unguarded).toMatchObject({ c1: { value: expected.value } });
  });

  it("P6 give toModelOutput what the judges made of the output, and no denial", async () => {
    const outputs: unknown[] = [];
    const { tools } = searchTool(() => ({ pin: "hunter2" }));
    const toModelOutput = ({ output }: { output: unknown }) => {
      outputs.push(output);
      return { type: "content" as const, value: [{ type: "text" as const, text: "seen" }] };
    };
    const shown = { search: { ...tools.search, toModelOutput } };
    const masks = {
      name: "masks",
      evaluateResult: () => rewrite({ content: "", structured: { pin: "***" } }),
    };
    const { read } = await ask(guardTools(shown, { guardrails: [allowAll(), masks] }));
    expect(read).toEqual({ c1: { type: "content", value: [{ type: "text", text: "seen" }] } });
    await ask(guardTools(shown, { guardrails: [guard(() => deny("no"))] }));
    expect(outputs).not.toEqual([]);
    expect(new Set(outputs.map((output) => JSON.stringify(output)))).toEqual(
      new Set(['{"pin":"***"}']),
    );
  });

  it("withhold a result, and say so as the tool's error", async () => {
    const { tools, ran } = searchTool(() => "hunter2");
    const judge = { name: "judge", evaluateResult: () => deny("it holds a secret") };
    const { read } = await ask(guardTools(tools, { guardrails: [allowAll(), judge] }));
    expect(ran).toHaveLength(1);
    expect(read).toEqual({
      c1: { type: "error-text", value: "Tool result withheld: it holds a secret" },
    });
  });

  it("let the model read what it would read of a tool that throws", async () => {
    const { tools } = searchTool(() => {
      throw new TypeError("no such index");
    });
    const { read } = await ask(guardTools(tools, { guardrails: [allowAll()] }));
    expect(read).toEqual((await ask(tools)).read);
  });

  it("let the model read a replacement, as text", async () => {
    const { tools } = searchTool();
    const replaced = (replacement: unknown) =>
      ask(
        guardTools(tools, {
          guardrails: [guard(() => ({ decision: "deny", reason: "x", replacement }))],
        }),
      );
    expect((await replaced("Ask Ann.")).read).toEqual({
      c1: { type: "error-text", value: "Ask Ann." },
    });
    const parts = [
      { type: "text", text: "Ask Ann." },
      { type: "text", text: "Or Bob." },
    ];
    expect((await replaced(parts)).read).toEqual({
      c1: { type: "error-text", value: "Ask Ann.\nOr Bob." },
    });
  });

  it("P11 guard a dynamic tool, whose JSON Schema somebody has to hold arguments to", async () => {
    const ran: unknown[] = [];
    const parameters = { type: "object", required: ["q"], properties: { q: { type: "string" } } };
    const dynamic = ai.dynamicTool({
      description: "Finds.",
      inputSchema: jsonSchema(parameters as never),
      execute: async (input) => {
        ran.push(input);
        return "found";
      },
    });
    expect(() => guardTools({ dynamic }, { guardrails: [allowAll()] })).toThrow(
      expect.objectContaining({ code: "ERR_UNCHECKED_TOOL" }),
    );
    const guarded = guardTools({ dynamic }, { guardrails: [schemaValidation(), allowAll()] });
    const { read } = await ask(guarded, [
      toolCall("c1", "dynamic", {}),
      toolCall("c2", "dynamic", { q: "tea" }),
    ]);
    expect(ran).toEqual([{ q: "tea" }]);
    expect(read).toMatchObject({
      c1: { type: "error-text" },
      c2: { type: "text", value: "found" },
    });
  });

  it("P10 deny a call id that comes twice in one turn, and not one that comes again in the next", async () => {
    const { tools, ran } = searchTool(async () => {
      await idle();
      return "found";
    });
    const guarded = guardTools(tools, { guardrails: [allowAll()] });
    const mock = model(
      [toolCall("c1", "search", { q: "1" }), toolCall("c1", "search", { q: "2" })],
      [toolCall("c1", "search", { q: "3" })],
    );
    await ai.generateText({ model: mock, tools: guarded, prompt: "go", stopWhen: stopAfter(3) });
    expect(ran).toEqual([{ q: "1" }, { q: "3" }]);
  });

  it("keep apart two runs at once whose models name their calls alike", async () => {
    const { tools, ran } = searchTool(idle);
    const guarded = guardTools(tools, { guardrails: [allowAll()] });
    await Promise.all([ask(guarded), ask(guarded)]);
    expect(ran).toEqual([{ q: "tea" }, { q: "tea" }]);
  });

  it("tell the guards what the host says of a call, and nothing that the model says", async () => {
    const { tools } = searchTool();
    const heads: unknown[] = [];
    const evaluate = ({
      agentName,
      context,
      callId,
    }: Parameters<GuardrailProvider["evaluate"]>[0]) => {
      heads.push([agentName, context.sessionId, callId]);
      return allow();
    };
    const options: GuardToolsOptions = {
      guardrails: [guard(evaluate)],
      describe: ({ context, experimental_context }) => ({
        agentName: "clerk",
        context: { sessionId: String(context ?? experimental_context) },
      }),
    };
    const facts =
      version === 6 ? { experimental_context: "s1" } : { toolsContext: { search: "s1" } };
    await ask(guardTools(tools, options), undefined, facts);
    expect(heads).toEqual([["clerk", "s1", "c1"]]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no session");
      },
    ],
    [
      "gives its facts by accessors",
      () =>
        new (class {
          get context() {
            return { principal: "mallory" };
          }
        })() as never,
    ],
    ["is a function", (() => () => ({})) as never],
    ["is a number", (() => 5) as never],
    ["is a promise", (async () => ({ agentName: "clerk" })) as never],
    ["says what nobody reads", () => ({ agent: "clerk" }) as never],
  ])("P5 run nothing where what the host says of a call %s", async (_, describeCall) => {
    const { tools, ran } = searchTool();
    const { read } = await ask(
      guardTools(tools, { guardrails: [allowAll()], describe: describeCall }),
    );
    expect(read).toMatchObject({ c1: { type: "error-text" } });
    expect(ran).toEqual([]);
  });

  it("decide on a call of a tool without execute before it is handed over, and reject the run where it is stopped", async () => {
    const confirm = { inputSchema, outputSchema: inputSchema };
    const calls = [toolCall("c1", "confirm", { q: "tea" })];
    const observer = recordingObserver();
    const guarded = (...guardrails: GuardrailProvider[]) =>
      guardTools({ confirm }, { guardrails, observers: [observer] });
    const { result } = await ask(guarded(allowAll()), calls);
    expect(result.toolCalls).toMatchObject([{ toolCallId: "c1", input: { q: "tea" } }]);
    await expect(ask(guarded(guard(() => deny("not now"))), calls)).rejects.toThrow("not now");
    const rewrites = guard(({ args }: { args: { q: string } }) =>
      args.q === "" ? allow() : modify({ q: "" }),
    );
    await expect(ask(guarded(rewrites), calls)).rejects.toThrow("its arguments were changed");
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual([
      "released",
      "denied",
      "aborted",
    ]);
  });
});
