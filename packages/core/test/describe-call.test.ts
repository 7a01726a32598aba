import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { describeCall } from "../src/host/index.js";
import {
  allow,
  allowAll,
  type Fault,
  type RunOptions,
  type ToolCall,
  ToolRunner,
} from "../src/index.js";
import { spyTool } from "./support/runners.js";

const request = { name: "send", callId: "c1" };

/** The call that a guard is asked about, where the host says this of it; nothing, where it is denied before. */
async function askedWith(say: (() => unknown) | undefined, known?: RunOptions) {
  let asked: ToolCall | undefined;
  const evaluate = (call: ToolCall) => {
    asked = call;
    return allow();
  };
  const runner = new ToolRunner({
    tools: [{ name: "search", execute: () => "found" }],
    guardrails: [{ name: "noting", evaluate }],
  });
  const options = describeCall(say as (() => RunOptions) | undefined, known);
  const outcome = await runner.run({ name: "search" }, options);
  return { asked, outcome };
}

const later = () => Promise.reject(new Error("hunter2"));

class Facts {
  tenant = "t1";
  get principal() {
    return "mallory";
  }
}

class Agent {
  get agentName() {
    return "clerk";
  }
}

describe("what a host says of a call", () => {
  it("takes the place of what is known without, member by member", async () => {
    const known = { agentName: "support", context: { sessionId: "s1" } };
    const { asked } = await askedWith(() => ({ context: { principal: "ann" } }), known);
    expect(asked).toMatchObject({ agentName: "support", context: { principal: "ann" } });
    expect(asked?.context.sessionId).toBeUndefined();
    expect((await askedWith(undefined, known)).asked?.context.sessionId).toBe("s1");
  });

  it.each([
    ["without a prototype", () => Object.assign(Object.create(null), { agentName: "clerk" })],
    ["of another realm", () => runInNewContext("({ agentName: 'clerk' })")],
  ])("is read from an object %s", async (_, say) => {
    expect((await askedWith(say)).asked?.agentName).toBe("clerk");
  });

  it("P6 is read once: what a getter says later is nobody's word", async () => {
    let readings = 0;
    const context = {
      get principal() {
        return ++readings === 1 ? "ann" : "mallory";
      },
    };
    const options = describeCall(() => ({ context }));
    expect([options.context?.principal, options.context?.principal]).toEqual(["ann", "ann"]);
    expect((await askedWith(() => options)).asked?.context.principal).toBe("ann");
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("hunter2");
      },
    ],
    ["is a promise", async () => ({ agentName: "clerk" })],
    ["is a promise that rejects", later],
    ["is nothing", () => undefined],
    ["is a list", () => [{ agentName: "clerk" }]],
    ["is a map", () => new Map([["agentName", "clerk"]])],
    ["is text", () => "clerk"],
    ["is given by accessors of a class", () => new Agent()],
    ["is inherited", () => Object.create({ agentName: "clerk" })],
    ["is hidden", () => Object.defineProperty({}, "agentName", { value: "clerk" })],
    [
      "hides a fact of its context",
      () => ({ context: Object.defineProperty({}, "principal", { value: "ann" }) }),
    ],
    ["promises the agent and the context", () => ({ agentName: later(), context: later() })],
    ["has attributes in a map", () => ({ context: { attributes: new Map([["room", 7]]) } })],
    ["has attributes given by accessors", () => ({ context: { attributes: new Facts() } })],
    ["has a context with some facts given by accessors", () => ({ context: new Facts() })],
  ])("P1 P2 stops the call, and no process, where it %s", async (_, say) => {
    const { asked, outcome } = await askedWith(say);
    expect(asked).toBeUndefined();
    expect(outcome).toMatchObject({ status: "invalid", code: "unreadable_context" });
    expect(JSON.stringify(outcome)).not.toContain("hunter2");
  });

  it("is told to operators where it cannot be read, with what `describe` threw", async () => {
    const faults: Fault[] = [];
    const runner = new ToolRunner({
      guardrails: [allowAll()],
      onFault: (fault) => void faults.push(fault),
    });
    const error = new Error("no session");
    const throwing = () => {
      throw error;
    };
    await runner.run({ name: "send" }, describeCall(throwing));
    await runner.run({ name: "send" }, describeCall((async () => ({})) as never));
    expect(faults).toMatchObject([
      { source: "core", phase: "context", error },
      {
        source: "core",
        phase: "context",
        error: { message: "`describe` must return a plain object without promises, at once." },
      },
    ]);
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
