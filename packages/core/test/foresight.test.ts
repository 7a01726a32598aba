import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  allow,
  allowAll,
  chain,
  deny,
  failOpen,
  forTools,
  type GuardrailProvider,
  liveChain,
  modify,
  parallel,
  shadow,
  ToolRunner,
  type ToolRunnerOptions,
  tool,
  when,
} from "../src/index.js";
import { approval } from "./support/approvals.js";
import { provider } from "./support/calls.js";
import { errorOf } from "./support/errors.js";
import { spyTool } from "./support/runners.js";

const runnerOf = (options: Partial<ToolRunnerOptions> = {}) =>
  new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()], ...options });

const tools = [
  tool({ name: "search", execute: () => "" }),
  tool({ name: "delete", execute: () => "" }),
];
const noDelete: GuardrailProvider = {
  name: "no-delete",
  evaluate: ({ toolName, args: _ }) =>
    toolName === "delete" ? deny("nothing is deleted", { code: "deletes" }) : allow(),
};
const looking: GuardrailProvider = {
  name: "looking",
  evaluate: ({ args }) => (args["force"] === true ? allow() : deny("force it")),
};

const isDelete = ({ toolName }: { readonly toolName: string }) => toolName === "delete";

function denialOf(guardrails: ToolRunnerOptions["guardrails"], toolName = "delete") {
  return new ToolRunner({ tools, guardrails }).denialOf(toolName);
}

describe("denialOf", () => {
  it("gives the denial that a call to the tool would meet whatever its arguments", async () => {
    const runner = new ToolRunner({ tools, guardrails: [allowAll(), noDelete] });
    const denial = runner.denialOf("delete");
    expect(denial).toEqual({
      basis: "policy",
      decidedBy: "no-delete",
      code: "deletes",
      reason: "nothing is deleted",
    });
    expect(await runner.run({ name: "delete" })).toMatchObject({ ...denial });
    expect(runner.denialOf("search")).toBeUndefined();
  });

  it("says of one tool after another what it says of each, with facts that are read once", () => {
    const ofBob: GuardrailProvider = {
      name: "of-bob",
      evaluate: ({ context, agentName }) =>
        deny(`${agentName} for ${context.principal}`, { code: "nobody" }),
    };
    const runner = new ToolRunner({ tools, guardrails: [when(isDelete, ofBob), allowAll()] });
    let reads = 0;
    const context = {
      get principal() {
        reads += 1;
        return reads === 1 ? "bob" : "eve";
      },
    };
    const denialOfEach = runner.denials({ agentName: "clerk", context });
    for (const name of ["delete", "search", "none", "delete"]) {
      const options = { agentName: "clerk", context: { principal: "bob" } };
      expect(denialOfEach(name)).toEqual(runner.denialOf(name, options));
    }
    expect(denialOfEach("delete")).toMatchObject({ reason: "clerk for bob" });
    expect(reads).toBe(1);
  });

  it("asks the guards that are there when it is asked, not those of when it began", () => {
    const guards = liveChain([allowAll()]);
    const denialOfEach = new ToolRunner({ tools, guardrails: [guards.guardrail] }).denials();
    expect(denialOfEach("delete")).toBeUndefined();
    guards.replace([allowAll(), noDelete]);
    expect(denialOfEach("delete")).toMatchObject({ code: "deletes" });
  });

  it("refuses an option that nobody reads, for a list as for one tool", () => {
    const runner = new ToolRunner({ tools, guardrails: [allowAll()] });
    expect(errorOf(() => runner.denials({ agent: "clerk" } as object))).toMatchObject({
      code: "ERR_UNKNOWN_OPTION",
      message: expect.stringContaining("denials()"),
    });
  });

  it.each<[string, ToolRunnerOptions["guardrails"]]>([
    ["inside a chain", [chain([allowAll(), noDelete])]],
    ["among guards that are asked at once", [parallel([allowAll(), noDelete])]],
    ["whose failures allow", [failOpen(noDelete)]],
    ["for this tool only", [forTools(["delete"], noDelete)]],
    ["behind a condition on the tool", [when(({ toolName }) => toolName === "delete", noDelete)]],
    ["behind a guard that looks at arguments", [looking, noDelete]],
  ])("finds a guard %s", (_, guardrails) => {
    expect(denialOf(guardrails)).toMatchObject({ decidedBy: "no-delete" });
  });

  const catching: GuardrailProvider = {
    name: "catching",
    evaluate: ({ args }) => {
      try {
        return args["x"] === 1 ? allow() : deny("x is not 1");
      } catch {
        return deny("x cannot be read");
      }
    },
  };
  const spread: GuardrailProvider = { name: "spread", evaluate: ({ args }) => modify({ ...args }) };
  it.each<[string, ToolRunnerOptions["guardrails"]]>([
    ["looks at arguments", [looking]],
    ["looks at arguments and catches what that throws", [catching]],
    ["makes others", [spread]],
    [
      "throws",
      [
        provider("throwing", () => {
          throw new Error("no");
        }),
      ],
    ],
    ["gives no decision", [provider("malformed", () => ({ decision: "DENY" }) as never)]],
    ["answers by a promise", [provider("slow", () => Promise.resolve(deny("no")))]],
    ["takes something when a call is admitted", [{ ...noDelete, admit: () => allow() }]],
    ["is told how calls end", [{ ...noDelete, settle: () => {} }]],
    ["would let a human lift its denial", [provider("gate", () => deny("ask", { approval }))]],
    ["is behind a condition on arguments", [when(({ args }) => args["x"] === 1, noDelete)]],
    ["is shadowed, beside one that allows", [allowAll(), shadow(noDelete)]],
    ["is for other tools, beside one that allows", [allowAll(), forTools(["search"], looking)]],
  ])("says nothing where a guard %s", (_, guardrails) => {
    expect(denialOf(guardrails)).toBeUndefined();
  });

  it("leaves no timer, and asks a guard that answered by a promise never again", () => {
    let asked = 0;
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => timers.mockRestore());
    const slow = provider("slow", () => {
      asked++;
      return new Promise(() => {});
    });
    const runner = new ToolRunner({ tools, guardrails: [slow] });
    runner.denialOf("delete");
    runner.denialOf("delete");
    expect(asked).toBe(1);
    expect(timers).not.toHaveBeenCalled();
  });

  it("P3 says that nobody would judge the call", () => {
    for (const guardrails of [[], [shadow(allowAll())], [forTools(["search"], allowAll())]]) {
      expect(denialOf(guardrails)).toMatchObject({ basis: "no_provider", decidedBy: "core" });
    }
  });

  it("says that a tool was refused when it was declared", () => {
    const picky = {
      ...allowAll(),
      register: () => {
        throw new Error("no");
      },
    };
    const runner = new ToolRunner({ guardrails: [picky] });
    runner.setTools(tools);
    expect(runner.denialOf("delete")).toMatchObject({
      code: "tool_refused",
      decidedBy: "allow-all",
    });
  });

  it("is told who would call, and for whom", () => {
    const guard: GuardrailProvider = {
      name: "own",
      evaluate: ({ agentName, context }) =>
        agentName === "a" && context.principal === "ann" ? allow() : deny("no"),
    };
    const runner = new ToolRunner({ tools, guardrails: [guard] });
    const context = { principal: "ann" };
    expect(runner.denialOf("search")).toMatchObject({ reason: "no" });
    expect(runner.denialOf("search", { agentName: "a", context })).toBeUndefined();
    expect(runner.forAgent("a").denialOf("search", { context })).toBeUndefined();
    expect(errorOf(() => runner.denialOf("search", { agent: "a" } as never)).code).toBe(
      "ERR_UNKNOWN_OPTION",
    );
  });

  it("knows a tool by its other names", () => {
    const guardrails = [noDelete];
    const runner = new ToolRunner({ tools, guardrails, aliases: { rm: "delete" } });
    expect(runner.denialOf("rm")).toMatchObject({ decidedBy: "no-delete" });
  });
});

describe("the denial that a call would get with any arguments", () => {
  const denies: GuardrailProvider = { name: "own", evaluate: () => deny("never", { code: "no" }) };

  it("is found in a guard that the tool has of its own", () => {
    const guarded = tool({ name: "send", guardrails: [denies], execute: () => "" });
    expect(runnerOf({ tools: [guarded] }).denialOf("send")).toMatchObject({ decidedBy: "own" });
  });

  it("cannot be told behind a condition that fails", () => {
    const failing = (): never => {
      throw new Error("no");
    };
    expect(runnerOf({ guardrails: [when(failing, denies)] }).denialOf("send")).toBeUndefined();
  });
});
