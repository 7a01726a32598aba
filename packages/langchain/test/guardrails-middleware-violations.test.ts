import { MemorySaver } from "@langchain/langgraph";
import { type AgentMiddleware, AIMessage, HumanMessage } from "langchain";
import { describe, expect, it } from "vitest";
import {
  GuardrailViolation,
  guardrailsMiddleware,
  inputRailsMiddleware,
  outputRailsMiddleware,
  type RailsChecker,
} from "../src/rails/index.js";
import { scripted } from "./support/agents.js";
import { agentWith, blockedInput, blocking, say, shown } from "./support/rails.js";

describe("a conversation with a checkpointer", () => {
  it("goes on after a block, and the model is not shown what was blocked", async () => {
    const { rails, asked } = blocking("bomb");
    const model = scripted();
    model.respond(new AIMessage("Hello."));
    const agent = agentWith(guardrailsMiddleware({ rails }), model, [], new MemorySaver());
    const thread = { configurable: { thread_id: "t1" } };
    const both = [new HumanMessage("About a bomb:"), new HumanMessage("how?")];
    const first = await agent.invoke({ messages: both }, thread);
    expect(shown(first.messages)).toEqual([
      ["human", "About a bomb:"],
      ["human", "how?"],
      ["ai", blockedInput],
    ]);
    const { messages } = await agent.invoke({ messages: [new HumanMessage("Hi")] }, thread);
    expect(messages).toHaveLength(5);
    expect(shown(model.calls[0]?.messages ?? [])).toEqual([["human", "Hi"]]);
    expect(asked.at(-1)).toEqual(["output", "Hello."]);
  });
});

describe("rails that cannot be asked", () => {
  it.each<[string, () => unknown]>([
    [
      "throw",
      () => {
        throw new Error("hunter2");
      },
    ],
    ["reject", () => Promise.reject(new Error("hunter2"))],
    ["give no verdict", async () => ({ status: "PASSED", messages: [] })],
    ["give nothing", async () => undefined],
  ])("P1 block where they %s, and an operator is told", async (_, check) => {
    const faults: unknown[] = [];
    const model = scripted([]);
    const rails = { check } as RailsChecker;
    const onFault = (fault: unknown) => void faults.push(fault);
    const agent = agentWith(guardrailsMiddleware({ rails, onFault }), model);
    const { messages } = await agent.invoke(say("Hello"));
    expect(shown(messages).at(-1)).toEqual(["ai", blockedInput]);
    expect(JSON.stringify(messages)).not.toContain("hunter2");
    expect(model.callCount).toBe(0);
    expect(faults).toMatchObject([{ source: "GuardrailsMiddleware", phase: "check" }]);
  });

  it("P8 block where a verdict is planted, and none is given", async () => {
    const planted = { status: "passed", messages: [], content: "" };
    const uproot = () => {
      for (const key of Object.keys(planted)) delete (Object.prototype as never)[key];
    };
    // As short as can be: the framework itself reads such a member as its own.
    const check = async () => Object.assign(Object.prototype, planted) && ({} as never);
    const middleware = guardrailsMiddleware({ rails: { check }, onFault: uproot });
    try {
      const { messages } = await agentWith(middleware, scripted([])).invoke(say("Hello"));
      expect(shown(messages).at(-1)).toEqual(["ai", blockedInput]);
    } finally {
      uproot();
    }
  });

  it("P4 end the run where the caller has left", async () => {
    const caller = new AbortController();
    const rails: RailsChecker = {
      check: async () => {
        caller.abort(new Error("enough"));
        throw new Error("left");
      },
    };
    const agent = agentWith(guardrailsMiddleware({ rails }), scripted([]));
    await expect(agent.invoke(say("Hello"), { signal: caller.signal })).rejects.toThrow();
  });

  it("P5 throw what is wrong with a folder, in the first run", async () => {
    const agent = agentWith(guardrailsMiddleware({ configPath: "/nowhere/at/all" }), scripted([]));
    await expect(agent.invoke(say("Hello"))).rejects.toThrow(/neither a folder/);
  });
});

describe("raiseOnViolation", () => {
  it.each<["input" | "output", string, string]>([
    ["input", "a bomb", "Input blocked by no words"],
    ["output", "hello", "Output blocked by no words"],
  ])("throws a violation of %s that names the rail", async (railType, words, message) => {
    const { rails } = blocking("bomb");
    const model = scripted();
    model.respond(new AIMessage("a bomb"));
    const agent = agentWith(guardrailsMiddleware({ rails, raiseOnViolation: true }), model);
    const thrown: unknown = await agent.invoke(say(words)).catch((error: unknown) => error);
    expect(GuardrailViolation.isInstance(thrown)).toBe(true);
    expect(thrown).toMatchObject({
      railType,
      message,
      result: { rail: "no words", status: "blocked" },
    });
  });

  it("throws where rails cannot be asked, with the cause", async () => {
    const rails = { check: () => Promise.reject(new Error("down")) };
    const agent = agentWith(guardrailsMiddleware({ rails, raiseOnViolation: true }), scripted([]));
    await expect(agent.invoke(say("Hello"))).rejects.toMatchObject({
      message: "Input blocked by rails that failed",
      cause: { message: "down" },
    });
  });
});

describe("what is judged", () => {
  const model = () => {
    const saying = scripted();
    saying.respond(new AIMessage("a bomb"));
    return saying;
  };
  it.each<[string, () => AgentMiddleware, string]>([
    [
      "inputRailsMiddleware()",
      () => inputRailsMiddleware({ rails: blocking("bomb").rails }),
      "a bomb",
    ],
    [
      "enableOutputRails: false",
      () => guardrailsMiddleware({ rails: blocking("bomb").rails, enableOutputRails: false }),
      "a bomb",
    ],
  ])("is not the output with %s", async (_, middleware, said) => {
    const { messages } = await agentWith(middleware(), model()).invoke(say("hello"));
    expect(shown(messages).at(-1)).toEqual(["ai", said]);
  });

  it("is not the input with outputRailsMiddleware(), whose words can be chosen", async () => {
    const { rails } = blocking("bomb");
    const middleware = outputRailsMiddleware({ rails, blockedOutputMessage: "No." });
    const { messages } = await agentWith(middleware, model()).invoke(say("about a bomb"));
    expect(shown(messages).at(-1)).toEqual(["ai", "No."]);
  });
});

describe("options of guardrailsMiddleware()", () => {
  it.each<[string, object, RegExp]>([
    ["no rails", {}, /'rails'.*'configPath' or 'configYaml'/],
    ["a misspelt option", { configYml: "" }, /Did you mean 'configYaml'\?/],
    ["NeMo's spelling", { config_path: "x" }, /'config_path'/],
    [
      "text for a switch",
      { configPath: "x", raiseOnViolation: "no" },
      /'raiseOnViolation' must be a boolean/,
    ],
    ["rails that judge nothing", { rails: {} }, /check\(\)/],
  ])("P5 are refused with %s", (_, options, message) => {
    expect(() => guardrailsMiddleware(options as never)).toThrow(message);
  });

  it("P5 are refused with YAML that is wrong, when the model is first asked", async () => {
    const configYaml = "rails: { input: { flows: [self chek input] } }";
    const model = scripted([]);
    const agent = agentWith(guardrailsMiddleware({ configYaml }), model);
    await expect(agent.invoke(say("hello"))).rejects.toThrow(/self chek input/);
  });

  it("P5 of one side do not take the other's switch", () => {
    const { rails } = blocking("bomb");
    expect(() => inputRailsMiddleware({ rails, enableInputRails: false } as never)).toThrow(
      /enableInputRails/,
    );
  });
});
