import { describe, expect, it } from "vitest";
import { callKey, conversationIn, describeCall, isRewritten } from "../../src/host/index.js";
import { allow, allowAll, type Fault, ToolRunner } from "../../src/index.js";
import { spyTool } from "../support/runners.js";

const request = { name: "send", callId: "c1" };

describe("the key of a call", () => {
  class Tags {
    plan = "free";
  }

  it("is that of its attributes, of whatever class they are", () => {
    const keyOf = (attributes: object | undefined) => callKey(request, { context: { attributes } });
    expect(keyOf(new Tags())).toBe(keyOf({ plan: "free" }));
    expect(keyOf({})).not.toBe(keyOf(undefined));
    expect(keyOf(undefined)).toBe(callKey(request, {}));
  });
});

describe("the host's description of a call", () => {
  const run = async (described: object) => {
    const faults: string[] = [];
    const principals: unknown[] = [];
    const tool = spyTool("send", (_args, { context }) => principals.push(context.principal));
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [allowAll()],
      onFault: ({ error }: Fault) => void faults.push((error as Error).message),
    });
    const options = describeCall(() => described);
    const { status } = await runner.run(request, options);
    return { status, faults, principals };
  };

  it("may have a context of a class whose members are its own", async () => {
    class Context {
      principal = "ada";
    }
    expect(await run({ context: new Context() })).toEqual({
      status: "executed",
      faults: [],
      principals: ["ada"],
    });
  });

  it("P1 is refused for a promise in its context, in the words for what `describe` returns", async () => {
    expect(await run({ context: { principal: Promise.resolve("ada") } })).toEqual({
      status: "invalid",
      faults: ["`describe` must return a plain object without promises, at once."],
      principals: [],
    });
  });

  it.each([[[]], ["text"], [7], [() => ({})], [null], [undefined]])(
    "P1 is refused where it is no plain object: %s",
    async (said) => {
      expect((await run(said as never)).status).toBe("invalid");
    },
  );
});

describe("a result", () => {
  it("counts as rewritten where a guard changed it, and not where one allowed it", async () => {
    const judge = { name: "judge", evaluateResult: () => allow() };
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll(), judge] });
    expect(isRewritten(await runner.run(request))).toBe(false);
  });
});

describe("a conversation that is read from messages", () => {
  it.each([[null], [""], [undefined]])("has what the user said, whose name is %j", (name) => {
    expect(conversationIn([{ role: "user", content: "hello", name }])).toEqual({
      userTexts: ["hello"],
      hasResults: false,
      resultIds: [],
    });
  });

  it("has a result without an id where it is none that is known", () => {
    for (const messages of ["text", 7, {}, null]) {
      expect(conversationIn(messages)).toEqual({
        userTexts: [],
        hasResults: true,
        resultIds: [""],
      });
    }
    expect(conversationIn(undefined)).toEqual({ userTexts: [], hasResults: false, resultIds: [] });
  });

  it.each(["tool", "function"])("has the result in a message of the role %s", (role) => {
    expect(conversationIn([{ role, tool_call_id: "c1", content: "x" }])).toEqual({
      userTexts: [],
      hasResults: true,
      resultIds: ["c1"],
    });
  });
});
