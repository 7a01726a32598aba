import { describe, expect, it } from "vitest";
import { knownFlows } from "../../src/config/flows.js";
import { problemsOf } from "./load.js";

const tool = {
  type: "function",
  function: {
    name: "pay",
    parameters: { type: "object", properties: { amount: { type: "number" } } },
  },
};
const models = [{ type: "main", engine: "openai", model: "m", parameters: { tools: [tool] } }];

/** The problems of one flow of the tool `pay`, each without its place. */
async function problemsOfFlow(flow: string, section = "tool_call", config: object = {}) {
  const rails = { [section]: { per_tool: { pay: [flow] } }, config };
  const found = await problemsOf({ config: { models, rails } });
  return found.map((line) => line.replace(`<config>: rails.${section}.per_tool.pay[0] `, ""));
}

const patterns = (section: string) => ({
  regex_detection: { [section]: { pay: { patterns: ["x"] } } },
});

describe("a flow of one tool", () => {
  it("may have each of the names that NeMo's releases have for it", async () => {
    const names = [...knownFlows.values()].filter(({ perTool }) => perTool === "regex");
    expect(names).toHaveLength(4);
    for (const { name, family } of names) {
      expect(await problemsOfFlow(name, family, patterns(family))).toEqual([]);
    }
  });

  it.each([
    [
      "misspelt",
      "regex chek tool call",
      "names an unknown flow 'regex chek tool call'. Did you mean 'regex check tool call'?",
    ],
    [
      "for results",
      "cel check tool result",
      "names the flow 'cel check tool result', which belongs in rails.tool_result.per_tool",
    ],
    [
      "for the whole section",
      "tool call validation",
      "names the flow 'tool call validation', which belongs in rails.tool_call.flows",
    ],
    [
      "with a parameter that it does not take",
      "cel check tool call $argument=amount",
      "gives the flow 'cel check tool call' a parameter '$argument', which it does not take.",
    ],
    [
      "without its model",
      "tool safety check call $variant=v",
      "needs a model: write 'tool safety check call $model=…' with the type of one of the models",
    ],
    [
      "of patterns that are not there",
      "regex check tool call",
      "needs patterns: rails.config.regex_detection.tool_call has none for the tool 'pay'",
    ],
    [
      "of expressions that are not there",
      "cel check tool call",
      "needs expressions: rails.config.cel.tool_call has none for the tool 'pay'",
    ],
  ])("P5 is an error if it is %s", async (_, flow, problem) => {
    expect(await problemsOfFlow(flow)).toEqual([problem]);
  });

  it("P5 is an error where a flow of a tool stands among those of the section", async () => {
    const rails = { tool_call: { flows: ["regex check tool call"] } };
    expect(await problemsOf({ config: { models, rails } })).toEqual([
      "<config>: rails.tool_call.flows[0] names the flow 'regex check tool call', which belongs in rails.tool_call.per_tool",
    ]);
  });

  it("P5 is an error if it stands twice", async () => {
    const flow = "regex check tool call";
    const rails = { tool_call: { per_tool: { pay: [flow, flow] } }, config: patterns("tool_call") };
    expect(await problemsOf({ config: { models, rails } })).toEqual([
      "<config>: rails.tool_call.per_tool.pay[1] names the flow 'regex check tool call' a second time",
    ]);
  });
});

describe("an expression of rails.config.cel", () => {
  const problemsOfExpression = (text: string, name = "pay", section = "tool_call") =>
    problemsOf({
      config: {
        models,
        rails: { config: { cel: { [section]: { [name]: { expressions: [text] } } } } },
      },
    });

  it("P5 is an error if it is not CEL, told at its place", async () => {
    const yaml = "rails: {config: {cel: {tool_call: {pay: {expressions: ['args.a ==']}}}}}";
    const [problem] = await problemsOf({ yaml });
    expect(problem).toContain(
      "rails.config.cel.tool_call.pay.expressions[0]: 'args.a ==' cannot be run",
    );
    expect(problem).toContain("(line 1, column 56)");
  });

  it("P5 is checked against the schema of a tool that the configuration declares", async () => {
    const [misspelt] = await problemsOfExpression("args.amout > 5");
    expect(misspelt).toMatch(/'amout'.*'amount'/);
    const [typed] = await problemsOfExpression("args.amount == 'x'");
    expect(typed).toContain("cannot be run: line 1");
    expect(await problemsOfExpression("args.amount > 5.0")).toEqual([]);
  });

  it("of a tool that is declared elsewhere may name any argument", async () => {
    expect(await problemsOfExpression("args.anything == 'x'", "other")).toEqual([]);
  });

  it("P5 of calls cannot have the result, and of results can", async () => {
    expect(await problemsOfExpression("result == 'x'")).toHaveLength(1);
    expect(await problemsOfExpression("result == 'x'", "pay", "tool_result")).toEqual([]);
  });
});

describe("a pattern of rails.config.regex_detection", () => {
  it.each(["input", "output", "tool_call.pay", "tool_result.pay"])(
    "P5 of %s is an error if no engine without backtracking can run it, with its index",
    async (place) => {
      const [section = "", name] = place.split(".");
      const options = { patterns: ["ok", "(a)\\1"] };
      const regex_detection = { [section]: name === undefined ? options : { [name]: options } };
      const [problem] = await problemsOf({ config: { rails: { config: { regex_detection } } } });
      expect(problem).toContain(`rails.config.regex_detection.${place}.patterns has at index 1 a `);
    },
  );
});
