import { allow, allowAll, deny, type GuardrailProvider, modify, rewrite } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type GuardModelOptions, guardModel, guardTools } from "../src/index.js";
import { type Model, type Part, sdks, toolCall } from "./support/sdk.js";

const searched = toolCall(
  "p1",
  "web_search",
  { q: "tea" },
  { providerExecuted: true, dynamic: true },
);
const found = (result: unknown, more = {}): Part => ({
  type: "tool-result",
  toolCallId: "p1",
  toolName: "web_search",
  result,
  dynamic: true,
  providerExecuted: true,
  ...more,
});

const guard = (evaluate: unknown): GuardrailProvider => ({
  name: "guard",
  evaluate: evaluate as GuardrailProvider["evaluate"],
});
const judge = (evaluateResult: unknown) => ({
  name: "judge",
  evaluateResult: evaluateResult as never,
});

describe.each(sdks)("a guarded model in ai $version", ({ ai, model, stopAfter }) => {
  const ways = {
    generateText: async (options: object) => {
      const { content } = await ai.generateText(options as Parameters<typeof ai.generateText>[0]);
      return content as unknown as Part[];
    },
    streamText: async (options: object) => {
      const result = ai.streamText(options as Parameters<typeof ai.streamText>[0]);
      const parts: Part[] = [];
      for await (const part of result.fullStream) {
        if (part.type === "error") throw part.error;
        parts.push(part as unknown as Part);
      }
      return parts;
    },
  };
  const asked = (way: keyof typeof ways, content: readonly Part[], options: GuardModelOptions) =>
    ways[way]({ model: guardModel(model(content), options), prompt: "go", maxRetries: 0 });
  const results = (parts: readonly Part[]) =>
    parts
      .filter(({ type }) => type === "tool-result" || type === "tool-error")
      .map(({ output, error }) => output ?? error);

  describe.each(Object.keys(ways) as (keyof typeof ways)[])("with %s", (way) => {
    it("P11 passes on what the provider's tool found, where the guards allow it, and records it", async () => {
      const observer = recordingObserver();
      const parts = await asked(way, [searched, found({ title: "Tea" })], {
        guardrails: [allowAll()],
        observers: [observer],
      });
      expect(results(parts)).toEqual([{ title: "Tea" }]);
      expect(observer.records).toMatchObject([
        {
          callId: "p1",
          args: { q: "tea" },
          outcome: { status: "executed", value: { title: "Tea" } },
        },
      ]);
    });

    it.each([
      ["denies", guard(() => deny("no searching")), "Tool result withheld: no searching"],
      [
        "throws",
        guard(() => {
          throw new Error("hunter2");
        }),
        "Tool result withheld: guardrail 'guard' failed",
      ],
      ["answers nothing", guard(() => undefined), "Tool result withheld: "],
      ["judged nothing", judge(() => allow()), "allowAll()"],
      [
        "rewrites what has run already",
        guard(({ args }: { args: { q: string } }) => (args.q === "" ? allow() : modify({ q: "" }))),
        "its arguments were changed",
      ],
    ])(
      "P1 P2 withholds what the provider's tool found where a guard %s",
      async (_, guardrail, reason) => {
        const parts = await asked(way, [searched, found({ title: "secret" })], {
          guardrails: [guardrail],
        });
        const text = JSON.stringify(results(parts));
        expect(text).toContain(reason);
        expect(text).not.toContain("secret");
        expect(text).not.toContain("hunter2");
      },
    );

    it("P6 passes on a result as the judges left it, without what its provider could find the old one by", async () => {
      const masks = judge(() => rewrite({ content: "", structured: { title: "***" } }));
      const metadata = { providerMetadata: { x: { itemId: "i1" } } };
      const parts = await asked(way, [searched, found({ title: "secret" }, metadata)], {
        guardrails: [allowAll(), masks],
      });
      expect(results(parts)).toEqual([{ title: "***" }]);
      const result = parts.find(({ type }) => type === "tool-result");
      expect(result?.["providerMetadata"]).toBeUndefined();
    });

    it("P19 passes on no result that answers no call", async () => {
      const parts = await asked(way, [found({ title: "secret" })], {
        guardrails: [allowAll()],
      }).catch(String);
      expect(JSON.stringify(parts)).not.toContain("secret");
    });

    it("P19 passes on no result whose id two calls have, one of which was denied", async () => {
      const observer = recordingObserver();
      const more = { providerExecuted: true, dynamic: true };
      const again = toolCall("p1", "web_search", { q: "coffee" }, more);
      const parts = await asked(way, [searched, again, found("what was found of tea")], {
        guardrails: [
          guard(({ args }: { args: { q: string } }) => (args.q === "tea" ? deny("no") : allow())),
        ],
        observers: [observer],
      });
      expect(JSON.stringify(results(parts))).not.toContain("what was found");
      expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual([
        "denied",
        "released",
      ]);
    });

    it("keeps the model's error of a tool an error", async () => {
      const parts = await asked(way, [searched, found("no network", { isError: true })], {
        guardrails: [allowAll()],
      });
      expect(parts.find(({ type }) => type === "tool-error")).toMatchObject({
        error: "no network",
      });
    });

    it("P4 rejects, and passes on nothing, where the caller aborts while a guard decides", async () => {
      const controller = new AbortController();
      const aborts = guard(() => {
        controller.abort(new Error("enough"));
        return allow();
      });
      const guarded = guardModel(model([searched, found({ title: "secret" })]), {
        guardrails: [aborts],
      });
      const parts = await ways[way]({
        model: guarded,
        prompt: "go",
        abortSignal: controller.signal,
      }).catch(String);
      expect(JSON.stringify(parts)).not.toContain("secret");
    });

    it("puts the rewritten arguments into the calls and the history, and has them run once", async () => {
      const ran: unknown[] = [];
      const tools = {
        send: {
          inputSchema: z.object({ to: z.string() }),
          execute: async (input: object) => {
            ran.push(input);
            return "sent";
          },
        },
      };
      const rewrites = guard(({ args }: { args: { to: string } }) =>
        args.to === "ann" ? allow() : modify({ to: "ann" }),
      );
      const observer = recordingObserver();
      const mock = model([toolCall("c1", "send", { to: "thief" })]);
      const rules = { guardrails: [rewrites], observers: [observer] };
      await ways[way]({
        model: guardModel(mock, { ...rules, rewriteCalls: true, unchecked: true }),
        tools: guardTools(tools, rules),
        prompt: "go",
        stopWhen: stopAfter(2),
      });
      expect(ran).toEqual([{ to: "ann" }]);
      const { doGenerateCalls, doStreamCalls } = mock as unknown as Model;
      const history = JSON.stringify([...doGenerateCalls, ...doStreamCalls].at(-1)?.prompt);
      expect(history).toContain('{"to":"ann"}');
      expect(history).not.toContain("thief");
      expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["executed"]);
    });
  });
});

describe("guardModel", () => {
  const [, seven] = sdks;
  const asked = (
    content: readonly Part[],
    prompt: unknown[],
    guardrails: GuardModelOptions["guardrails"],
  ) => guardModel(seven.model(content), { guardrails }).doGenerate({ prompt } as never);

  it("judges a result that comes with a later answer by its call in the history", async () => {
    const input = { q: "tea" };
    const call = {
      type: "tool-call",
      toolCallId: "p1",
      toolName: "web_search",
      input,
      providerExecuted: true,
    };
    const history = [{ role: "assistant", content: [call] }];
    const rules = [
      guard(({ args }: { args: object }) =>
        JSON.stringify(args) === '{"q":"tea"}' ? allow() : deny("other arguments"),
      ),
    ];
    const late = await asked([found("late")], history, rules);
    expect(late.content).toMatchObject([{ result: "late" }]);
    const forged = [{ role: "assistant", content: [{ ...call, input: {} }] }];
    const { content } = await asked([found("secret")], forged, rules);
    expect(content).toMatchObject([
      { result: "Tool result withheld: other arguments", isError: true },
    ]);
  });

  it("takes no call that the application ran for the provider's", async () => {
    const call = { type: "tool-call", toolCallId: "p1", toolName: "web_search", input: {} };
    const history = [{ role: "assistant", content: [call] }];
    const { content } = await asked([found("secret")], history, [allowAll()]);
    expect(content).toMatchObject([{ result: "Tool result withheld: it answers no call" }]);
  });

  it("P15 settles a call whose result does not come with it", async () => {
    const observer = recordingObserver();
    const options = { guardrails: [allowAll()], observers: [observer] };
    await guardModel(seven.model([searched]), options).doGenerate({ prompt: [] } as never);
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["released"]);
  });

  it("answers a denied call in place of the request to approve it", async () => {
    const request = { type: "tool-approval-request", approvalId: "a1", toolCallId: "p1" };
    const denied = await asked([searched, request], [], [guard(() => deny("not now"))]);
    expect(denied.content).toMatchObject([
      { type: "tool-call" },
      { type: "tool-result", toolCallId: "p1", result: "Tool call denied: not now", isError: true },
    ]);
    const allowed = await asked([searched, request], [], [allowAll()]);
    expect(allowed.content).toMatchObject([{ type: "tool-call" }, request]);
  });

  it("keeps preliminary results back until the final one is judged", async () => {
    const { content } = await asked(
      [searched, found("half", { preliminary: true }), found("all")],
      [],
      [allowAll()],
    );
    expect(content).toMatchObject([{ type: "tool-call" }, { result: "all" }]);
  });

  it("P15 settles a call once whose result never comes, also where the reader leaves", async () => {
    const observer = recordingObserver();
    const guarded = guardModel(seven.model([searched, { type: "text", text: "…" }]), {
      guardrails: [allowAll()],
      observers: [observer],
    });
    const { stream } = await guarded.doStream({ prompt: [] } as never);
    const reader = stream.getReader();
    for (let part = await reader.read(); part.value?.type !== "tool-call"; )
      part = await reader.read();
    await reader.cancel();
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["released"]);
  });

  it("P5 refuses what is no model, and options that it cannot mean", () => {
    expect(() => guardModel("openai/gpt" as never, { guardrails: [] })).toThrow(
      "must be a model object",
    );
    expect(() => guardModel(seven.model(), { guardrails: [], rewriteCall: true } as never)).toThrow(
      "Did you mean 'rewriteCalls'?",
    );
  });

  it("says what the model says of itself", () => {
    const mock = seven.model();
    const { specificationVersion, provider, modelId, supportedUrls } = mock;
    expect(guardModel(mock, { guardrails: [] })).toMatchObject({
      specificationVersion,
      provider,
      modelId,
      supportedUrls,
    });
  });
});
