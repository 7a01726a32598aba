import { approvals, memoryStore } from "@toolstile/approval";
import { allowAll, deny, type GuardrailProvider } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardModel, guardTools, toolApproval } from "../src/index.js";
import { readByModel, sdks, toolCall } from "./support/sdk.js";

const secret = "hunter2 of the host";
const ways: readonly [string, () => unknown][] = [
  [
    "throws",
    () => {
      throw new Error(secret);
    },
  ],
  ["is async", async () => ({ context: { sessionId: "s1" } })],
  ["rejects", () => Promise.reject(new Error(secret))],
  ["answers what is no fact", () => ({ context: { sessionId: 7 } })],
];
const asking: GuardrailProvider = {
  name: "asking",
  evaluate: () => deny("it needs a yes", { approval: { summary: "Send it" } }),
};

describe.each(sdks)("describe() of a host, in ai $version", ({ ai, model, stopAfter }) => {
  const scene = (says: () => unknown, more: object = {}) => {
    const ran: unknown[] = [];
    const observer = recordingObserver();
    const send = { inputSchema: z.object({}), execute: async () => ran.push("ran") };
    const stream = {
      inputSchema: z.object({}),
      execute: async function* () {
        yield ran.push("ran");
      },
    };
    const guarding = { guardrails: [allowAll()], observers: [observer], onFault: () => {} };
    const tools = guardTools({ send, stream }, { ...guarding, describe: says as never, ...more });
    const mock = model([toolCall("c1", "send", {}), toolCall("c2", "stream", {})]);
    const options = { model: mock, tools, prompt: "go", stopWhen: stopAfter(3), ...more };
    return { ran, observer, tools, mock, options };
  };

  it.each(ways)(
    "that %s denies each call, on record, and the model reads none of the host's text",
    async (_, says) => {
      const { ran, observer, mock, options } = scene(says);
      await ai.generateText(options as never);
      expect(ran).toEqual([]);
      expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual([
        "invalid",
        "invalid",
      ]);
      const read = JSON.stringify(readByModel(mock));
      expect(read).not.toContain("hunter2");
      expect(read).not.toContain("describe");
      expect(read.match(/Tool call denied/g)).toHaveLength(2);
    },
  );

  it.each(ways)(
    "that %s when it is asked once more denies a call that was approved, on record",
    async (_, says) => {
      let asked = 0;
      const observer = recordingObserver();
      const approver = approvals({ store: memoryStore() });
      const guarding = { guardrails: [asking], observers: [observer], approver, onFault: () => {} };
      const facts = () => (asked++ < 3 ? { context: { sessionId: "s1" } } : says());
      const { ran, tools } = scene(facts, guarding);
      const execute = tools.send.execute as (input: object, call: object) => Promise<unknown>;
      const call = { toolCallId: "c1", messages: [] };
      await execute({}, call).catch(() => {});
      const [record] = (await approver.list()).records;
      await approver.answer(record?.id ?? "", { decision: "approved", by: "ann" });
      const error = await execute({}, call).catch((thrown: unknown) => thrown);
      expect(String(error)).toContain("Tool call denied");
      expect(String(error)).not.toMatch(/hunter2|describe/);
      expect(ran).toEqual([]);
      expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["denied", "invalid"]);
    },
  );

  it.each(ways)(
    "that %s asks nobody for an approval, and says nothing to the SDK's user",
    async (_, says) => {
      const approver = approvals({ store: memoryStore() });
      const { tools } = scene(says, { guardrails: [asking], approver, requestApproval: true });
      const toolCallOf = { toolCallId: "c1", toolName: "send", input: {} };
      const answer = await toolApproval(tools)({ toolCall: toolCallOf, messages: [] });
      expect(answer).toEqual({ type: "not-applicable" });
      expect((await approver.list()).records).toEqual([]);
    },
  );

  it.each(ways)("that %s withholds what a provider's tool found", async (_, says) => {
    const more = { providerExecuted: true, dynamic: true };
    const observer = recordingObserver();
    const found = {
      type: "tool-result",
      toolCallId: "p1",
      toolName: "find",
      result: secret,
      ...more,
    };
    const guarded = guardModel(model([toolCall("p1", "find", {}, more), found]), {
      guardrails: [allowAll()],
      observers: [observer],
      describe: says as never,
      onFault: () => {},
    });
    const answer = await guarded.doGenerate({ prompt: [] } as never);
    expect(JSON.stringify(answer)).not.toContain("hunter2");
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["invalid"]);
  });
});
