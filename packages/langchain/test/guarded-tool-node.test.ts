import { ToolNode } from "@langchain/langgraph/prebuilt";
import { allow, allowAll, deny, type GuardrailProvider, rewrite } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { AIMessage, type ToolMessage } from "langchain";
import { describe, expect, it } from "vitest";
import { GuardedToolNode } from "../src/index.js";
import { asks } from "./support/agents.js";
import { mailTools, toolOf } from "./support/tools.js";

const asking = (...calls: ReturnType<typeof asks>[]) =>
  new AIMessage({ content: "", tool_calls: calls as never });
const mail = asks("c1", "send", { to: "ann" });
const no: GuardrailProvider = { name: "no", evaluate: () => deny("no") };

describe("GuardedToolNode", () => {
  it.each<[string, (message: AIMessage) => unknown, (given: never) => readonly ToolMessage[]]>([
    ["a state", (message) => ({ messages: [message] }), ({ messages }) => messages],
    ["a list of messages", (message) => [message], (messages) => messages],
    [
      "a call that is sent to it alone",
      ({ tool_calls = [] }) => ({ lg_tool_call: tool_calls[0] }),
      ({ messages }) => messages,
    ],
  ])("decides on the calls of %s, also without a graph", async (_, stateOf, messagesOf) => {
    const { ran, tools } = mailTools();
    const state = stateOf(asking(mail));
    const allowed = await new GuardedToolNode(tools, { guardrails: [allowAll()] }).invoke(state);
    expect(messagesOf(allowed as never)).toMatchObject([
      { content: "Sent to ann.", tool_call_id: "c1", status: "success" },
    ]);
    const denied = await new GuardedToolNode(tools, { guardrails: [no] }).invoke(state);
    expect(messagesOf(denied as never)).toMatchObject([
      { content: "Tool call denied: no", tool_call_id: "c1", status: "error" },
    ]);
    expect(ran).toHaveLength(1);
  });

  it("is a ToolNode, of the name and tags that it is given", () => {
    const options = { guardrails: [no], name: "acts", tags: ["guarded"] };
    const node = new GuardedToolNode(mailTools().tools, options);
    expect(node).toBeInstanceOf(ToolNode);
    expect(node.getName()).toBe("acts");
    expect(node).toMatchObject({ config: { tags: ["guarded"] } });
  });

  it("P3 does not run a tool that is added to it later", async () => {
    const ran: unknown[] = [];
    const node = new GuardedToolNode(mailTools().tools, { guardrails: [allowAll()] });
    node.tools.push(toolOf("late", async () => ran.push("late")));
    const { messages } = await node.invoke({ messages: [asking(asks("c1", "late"))] });
    expect(messages).toMatchObject([{ content: "Tool 'late' not found.", status: "error" }]);
    expect(ran).toEqual([]);
  });

  it("P6 does not run a tool that is put in the place of a guarded one, also while the guards are asked", async () => {
    const ran: unknown[] = [];
    const guarded = toolOf("act", async () => ran.push("guarded"));
    const swapping: GuardrailProvider = {
      name: "swapping",
      evaluate: () => {
        node.tools = [toolOf("act", async () => ran.push("other"))];
        return allow();
      },
    };
    const node = new GuardedToolNode([guarded], { guardrails: [swapping] });
    const run = node.invoke({ messages: [asking(asks("c1", "act"))] });
    await expect(run).rejects.toMatchObject({ code: "ERR_PERMIT" });
    expect(ran).toEqual([]);
  });

  it.each<[string, GuardrailProvider["evaluateResult"], RegExp | undefined]>([
    ["passed on", () => ({ decision: "allow" }), /^out of order$/],
    ["thrown in a judge's words", () => rewrite({ content: "It failed." }), /^It failed\.$/],
    [
      "kept back by a judge, and told the model in place of that",
      () => deny("it tells"),
      undefined,
    ],
  ])(
    "with handleToolErrors: false, what a tool throws is %s",
    async (_, evaluateResult, thrown) => {
      const failing = toolOf("act", async () => {
        throw new Error("out of order");
      });
      const observer = recordingObserver();
      const node = new GuardedToolNode([failing], {
        guardrails: [{ ...allowAll(), evaluateResult }],
        observers: [observer],
        handleToolErrors: false,
      });
      const answered = node.invoke({ messages: [asking(asks("c1", "act"))] });
      if (thrown !== undefined) await expect(answered).rejects.toThrow(thrown);
      else
        expect((await answered).messages).toMatchObject([
          { content: "Tool result withheld: it tells" },
        ]);
      const status = thrown === undefined ? "withheld" : "failed";
      expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual([status]);
    },
  );

  it("P4 runs nothing for a caller that has left", async () => {
    const { ran, tools } = mailTools();
    const node = new GuardedToolNode(tools, { guardrails: [allowAll()] });
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);
    await expect(node.invoke({ messages: [asking(mail)] }, { signal })).rejects.toThrow("enough");
    expect(ran).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ["is denied", { to: "bob" }, ["success", "error"]],
    ["is denied, as the first is where both are alike", { to: "ann" }, ["error", "error"]],
  ])(
    "P10 the second call of an id that is sent to it alone %s, though the first is over",
    async (_, args, statuses) => {
      const { tools } = mailTools();
      const observer = recordingObserver();
      const options = { guardrails: [allowAll()], observers: [observer] };
      const node = new GuardedToolNode(tools, options);
      const message = asking(mail, asks("c1", "send", args as never));
      const answered: ToolMessage[] = [];
      for (const call of message.tool_calls ?? []) {
        const sent = { messages: [message], lg_tool_call: structuredClone(call) };
        answered.push(...(await node.invoke(sent)).messages);
      }
      expect(answered.map(({ status }) => status)).toEqual(statuses);
      expect(observer.records.at(-1)?.outcome).toMatchObject({ basis: "duplicate" });
    },
  );

  it("answers a call that the model gave no id, of which two are two", async () => {
    const { ran, tools } = mailTools();
    const node = new GuardedToolNode(tools, { guardrails: [allowAll()] });
    const { id: _, ...nameless } = mail;
    const { messages } = await node.invoke({
      messages: [asking(nameless as never, nameless as never)],
    });
    expect(messages).toMatchObject([{ tool_call_id: "" }, { tool_call_id: "" }]);
    expect(ran).toHaveLength(2);
  });
});
