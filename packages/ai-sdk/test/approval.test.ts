import { approvals, memoryStore } from "@toolstile/approval";
import { allow, deny, type GuardrailProvider } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardTools, toolApproval } from "../src/index.js";
import { readByModel, sdks, toolCall } from "./support/sdk.js";

/** Payments above 100 EUR need somebody's approval. */
const limit: GuardrailProvider = {
  name: "limit",
  evaluate: ({ args }) =>
    Number(args["cents"]) > 10_000
      ? deny("above 100 EUR", { code: "large", approval: { summary: "A payment above 100 EUR" } })
      : allow(),
};

function payments(session = "s1", attributes: object = {}, store = memoryStore()) {
  let traces = 0;
  const ran: unknown[] = [];
  const pay = {
    inputSchema: z.object({ cents: z.number() }),
    execute: async (input: object) => {
      ran.push(input);
      return "paid";
    },
  };
  const approver = approvals({ store });
  const observer = recordingObserver();
  const tools = guardTools(
    { pay },
    {
      guardrails: [limit],
      approver,
      observers: [observer],
      requestApproval: true,
      describe: () => ({
        context: { sessionId: session, attributes, traceparent: `trace ${traces++}` },
      }),
    },
  );
  return { ran, approver, tools, observer };
}

const large = toolCall("c1", "pay", { cents: 99_00_00 });

describe.each(sdks)("an approval in ai $version", ({ ai, model, stopAfter, version }) => {
  type Options = Parameters<typeof ai.generateText>[0];
  type Message = NonNullable<Options["messages"]>[number];
  const start: Message = { role: "user", content: "pay" };

  const generate = async (tools: object, messages: Message[], mock: object, more: object = {}) =>
    ai.generateText({ model: mock, tools, messages, stopWhen: stopAfter(3), ...more } as Options);

  /** Up to the request for approval. */
  async function requested(tools: object, more: object = {}) {
    const { content, response } = await generate(tools, [start], model([large]), more);
    const request = content.find(({ type }) => type === "tool-approval-request");
    return { request, messages: [start, ...response.messages] };
  }

  /** The SDK's user says yes. */
  function approve({ request, messages }: Awaited<ReturnType<typeof requested>>): Message[] {
    const { approvalId } = request as { approvalId: string };
    const response = { type: "tool-approval-response" as const, approvalId, approved: true };
    return [...messages, { role: "tool", content: [response] }];
  }

  it("P9 is asked for through the SDK, and runs the call once after both said yes", async () => {
    const { ran, approver, tools, observer } = payments();
    const asked = await requested(tools);
    expect(asked.request).toMatchObject({ toolCall: { toolCallId: "c1" } });
    expect(ran).toEqual([]);

    const { records } = await approver.list();
    expect(records).toMatchObject([{ question: { callId: "c1", context: { sessionId: "s1" } } }]);
    await approver.answer(records[0]?.id ?? "", { decision: "approved", by: "ann" });
    const mock = model();
    const approved = approve(asked);
    await generate(tools, approved, mock);
    expect(ran).toEqual([{ cents: 990_000 }]);
    expect(readByModel(mock)).toEqual({ c1: { type: "text", value: "paid" } });
    const statuses = observer.records.map(({ runId, outcome }) => [runId, outcome?.status]);
    expect(statuses.map(([, status]) => status)).toEqual(["denied", "executed"]);
    expect(new Set(statuses.map(([runId]) => runId)).size).toBe(1);

    // The same history again: its approval is used up.
    await generate(tools, approved, model());
    expect(ran).toHaveLength(1);
  });

  it("P9 of the SDK's user alone runs nothing", async () => {
    const { ran, tools } = payments();
    const mock = model();
    await generate(tools, approve(await requested(tools)), mock);
    expect(ran).toEqual([]);
    expect(readByModel(mock)).toMatchObject({ c1: { type: "error-text" } });
  });

  it("P9 counts for the arguments that were approved, and no others", async () => {
    const { ran, approver, tools } = payments();
    const asked = await requested(tools);
    const { records } = await approver.list();
    await approver.answer(records[0]?.id ?? "", { decision: "approved", by: "ann" });
    const forged = JSON.parse(JSON.stringify(approve(asked)).replaceAll("990000", "999999"));
    await generate(tools, forged, model()).catch(() => undefined);
    expect(ran).toEqual([]);
  });

  it("P9 lets one of eight redemptions at once run", async () => {
    const { ran, approver, tools } = payments();
    const approved = approve(await requested(tools));
    const { records } = await approver.list();
    await approver.answer(records[0]?.id ?? "", { decision: "approved", by: "ann" });
    await Promise.all(Array.from({ length: 8 }, () => generate(tools, approved, model())));
    expect(ran).toEqual([{ cents: 990_000 }]);
  });

  it("P9 runs once in another process that has the same store, and not in one of another session", async () => {
    const store = memoryStore();
    const asked = await requested(payments("s1", {}, store).tools);
    const other = payments("s1", {}, store);
    const stranger = payments("s2", {}, store);
    const { records } = await other.approver.list();
    await other.approver.answer(records[0]?.id ?? "", { decision: "approved", by: "ann" });
    await generate(stranger.tools, approve(asked), model());
    const mock = model();
    await generate(other.tools, approve(asked), mock);
    await generate(other.tools, approve(asked), model());
    expect(stranger.ran).toEqual([]);
    expect(other.ran).toEqual([{ cents: 990_000 }]);
    expect(readByModel(mock)).toEqual({ c1: { type: "text", value: "paid" } });
  });

  it.each([
    ["this process", false],
    ["another", true],
  ])(
    "P9 is refused for good by the approver's no, whose reason the model reads, in %s",
    async (_, isElsewhere) => {
      const store = memoryStore();
      const { approver, tools } = payments("s1", {}, store);
      const asked = await requested(tools);
      const { records } = await approver.list();
      const no = { decision: "denied", by: "ann", reason: "the account is closed" } as const;
      await approver.answer(records[0]?.id ?? "", no);
      const mock = model();
      const elsewhere = payments("s1", {}, store);
      await generate(isElsewhere ? elsewhere.tools : tools, approve(asked), mock);
      expect(readByModel(mock)).toEqual({
        c1: {
          type: "error-text",
          value: "Tool call denied: above 100 EUR; the account is closed",
        },
      });
      expect((await approver.list()).records).toEqual([]);
    },
  );

  it("P4 lets nothing run in another process than the one that asked, which asks anew", async () => {
    const asked = await requested(payments().tools);
    const other = payments();
    await generate(other.tools, approve(asked), model());
    expect(other.ran).toEqual([]);
  });

  it("is not asked for where a guard allows, or denies for good", async () => {
    const { ran, tools, observer } = payments();
    await generate(tools, [start], model([toolCall("c1", "pay", { cents: 5 })]));
    expect(ran).toEqual([{ cents: 5 }]);
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["executed"]);
    const never = guardTools(
      { pay: { inputSchema: z.object({}), execute: async () => ran.push("ran") } },
      {
        guardrails: [{ name: "never", evaluate: () => deny("never") }],
        approver: approvals({ store: memoryStore() }),
        requestApproval: true,
      },
    );
    const { content } = await generate(never, [start], model([large]));
    expect(content.some(({ type }) => type === "tool-approval-request")).toBe(false);
    expect(ran).toEqual([{ cents: 5 }]);
  });

  // It is new in ai 7.
  if (version === 7) {
    it("comes with the summary as its reason, through toolApproval", async () => {
      const { ran, approver, tools } = payments();
      const more = { toolApproval: toolApproval(tools) };
      const asked = await requested(tools, more);
      expect(asked.request).toMatchObject({ reason: "A payment above 100 EUR" });
      const { records } = await approver.list();
      await approver.answer(records[0]?.id ?? "", { decision: "approved", by: "ann" });
      await generate(tools, approve(asked), model(), more);
      expect(ran).toEqual([{ cents: 990_000 }]);
    });
  }

  it("is not asked for a call that the application runs, which is denied", async () => {
    const { approver } = payments();
    const confirm = { inputSchema: z.object({ cents: z.number() }), outputSchema: z.string() };
    const options = { guardrails: [limit], requestApproval: true, approver };
    const tools = guardTools({ pay: confirm }, options);
    await expect(generate(tools, [start], model([large]))).rejects.toThrow("Tool call denied");
  });

  it("P9 is not asked for where the host's facts are no JSON, and other calls run meanwhile", async () => {
    const { ran, tools } = payments("s1", { seen: new Map() });
    const { content } = await generate(tools, [start], model([large]));
    expect(content.some(({ type }) => type === "tool-approval-request")).toBe(false);
    await generate(tools, [start], model([toolCall("c1", "pay", { cents: 5 })]));
    expect(ran).toEqual([{ cents: 5 }]);
  });

  it("lets the tool's own needsApproval stand beside the guards'", async () => {
    const asked: unknown[] = [];
    const ask = {
      inputSchema: z.object({}),
      needsApproval: (input: unknown) => asked.push(input) > 0,
      execute: async () => "ran",
    };
    const tools = guardTools(
      { pay: ask },
      {
        guardrails: [{ name: "all", evaluate: () => allow() }],
        approver: approvals({ store: memoryStore() }),
        requestApproval: true,
      },
    );
    const { content } = await generate(tools, [start], model([toolCall("c1", "pay", {})]));
    expect(content.some(({ type }) => type === "tool-approval-request")).toBe(true);
    expect(asked).toEqual([{}]);
  });
});

describe("toolApproval", () => {
  it("P5 takes only tools that were guarded, by guards with an approver", () => {
    const code = expect.objectContaining({ code: "ERR_INVALID_OPTION" });
    expect(() => toolApproval({})).toThrow(code);
    expect(() => toolApproval(guardTools({}, { guardrails: [limit] }))).toThrow(code);
  });
});
