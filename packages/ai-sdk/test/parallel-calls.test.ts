import { allow, deny, type GuardrailProvider, modify } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardTools } from "../src/index.js";
import { readByModel, sdks, toolCall } from "./support/sdk.js";

/** Mail goes to the customer, and nothing is deleted. */
const houseRules: GuardrailProvider = {
  name: "house-rules",
  evaluate: ({ toolName, args }) => {
    if (toolName === "delete") return deny("nothing is deleted here");
    return args["to"] === "ann" ? allow() : modify({ ...args, to: "ann" });
  },
};

const recorder = (asked: unknown[][]): GuardrailProvider => ({
  name: "recorder",
  evaluate: ({ callId, args }) => {
    asked.push([callId, args]);
    return allow();
  },
});

function mailTools() {
  const ran: unknown[] = [];
  const run =
    (name: string) =>
    (input: object, { toolCallId }: { toolCallId: string }) => {
      ran.push([name, input, toolCallId]);
      return { done: name };
    };
  return {
    ran,
    tools: {
      send: { inputSchema: z.object({ to: z.string() }), execute: run("send") },
      delete: { inputSchema: z.object({ path: z.string() }), execute: run("delete") },
    },
  };
}

const turn = [toolCall("c1", "send", { to: "thief" }), toolCall("c2", "delete", { path: "/" })];

describe.each(sdks)("two calls of one turn, in ai $version", ({ ai, model, stopAfter }) => {
  it.each([
    [
      "generateText",
      async (options: Parameters<typeof ai.generateText>[0]) => {
        await ai.generateText(options);
      },
    ],
    [
      "streamText",
      async (options: Parameters<typeof ai.generateText>[0]) => {
        await ai.streamText(options as Parameters<typeof ai.streamText>[0]).consumeStream();
      },
    ],
  ])(
    "P11 with %s, one runs with the rewritten arguments and the model reads why the other did not",
    async (_, run) => {
      const { tools, ran } = mailTools();
      const asked: unknown[][] = [];
      const observer = recordingObserver();
      const guarded = guardTools(tools, {
        guardrails: [recorder(asked), houseRules],
        observers: [observer],
      });
      const mock = model(turn);
      await run({ model: mock, tools: guarded, prompt: "go", stopWhen: stopAfter(3) });

      expect(ran).toEqual([["send", { to: "ann" }, "c1"]]);
      expect(asked.filter(([id]) => id === "c1").at(-1)).toEqual(["c1", { to: "ann" }]);
      expect(readByModel(mock)).toEqual({
        c1: { type: "json", value: { done: "send" } },
        c2: { type: "error-text", value: "Tool call denied: nothing is deleted here" },
      });
      const records = observer.records.map(({ callId, outcome }) => [callId, outcome?.status]);
      expect(records.sort()).toEqual([
        ["c1", "executed"],
        ["c2", "denied"],
      ]);
      const [first, second] = observer.records.map(({ turnId }) => turnId);
      expect(first).toEqual(expect.any(String));
      expect(second).toBe(first);
    },
  );
});
