import { describe, expect, it } from "vitest";
import { definedFlows, flowName, knownFlows, readFlow } from "../../src/config/flows.js";
import { RailsConfig, unsupportedReason } from "../../src/config/rails-config.js";
import { main, problemsOf, withFlows } from "./load.js";

describe("the name of a flow", () => {
  it.each([
    ["self check input", "self check input", undefined],
    ["  self check input  ", "self check input", undefined],
    ["content safety check input $model=guard", "content safety check input", "guard"],
    ["content safety check input $model= guard ", "content safety check input", "guard"],
    ["regex(pattern=$x)", "regex", undefined],
    ["price $5 (x)", "price $5", undefined],
    ["Self Check Input", "Self Check Input", undefined],
    ["$model=x", "", "x"],
    ["x $model=", "x", undefined],
  ])("of %j is %j", (text, name, model) => {
    expect(readFlow(text)).toEqual({ text, name, model });
    expect(flowName(name)).toBe(name.includes("$") ? "price" : name);
  });
});

describe("the known flows", () => {
  it("each load, with what they need, for this engine", () => {
    for (const { name, family, needsModel } of knownFlows.values()) {
      const config = withFlows({ [family]: [needsModel ? `${name} $model=guard` : name] });
      expect(problemsOf({ config })).toEqual([]);
      expect(unsupportedReason(RailsConfig.fromContent({ config }))).toBeUndefined();
    }
  });

  it("P5 are each an error in any section but their own, which the message names", () => {
    for (const { name, family } of knownFlows.values()) {
      for (const other of ["input", "output", "tool_output", "tool_input"] as const) {
        if (other === family) continue;
        expect(problemsOf({ config: withFlows({ [other]: [name] }) })).toEqual([
          `<config>: rails.${other}.flows[0] names the flow '${name}', which belongs in rails.${family}.flows`,
        ]);
      }
    }
  });

  it("P5 are each named for a letter left out", () => {
    for (const { name, family } of knownFlows.values()) {
      const typo = name.slice(0, 3) + name.slice(4);
      expect(problemsOf({ config: withFlows({ [family]: [typo] }) })).toEqual([
        `<config>: rails.${family}.flows[0] names an unknown flow '${typo}'. Did you mean '${name}'?`,
      ]);
    }
  });
});

describe("a flow", () => {
  it.each([
    [
      "misspelt and in the wrong section",
      "input",
      "content safety check outptu $model=guard",
      "names an unknown flow 'content safety check outptu'. Did you mean 'content safety check output', in rails.output.flows?",
    ],
    [
      "short of a word",
      "input",
      "content safety input $model=guard",
      "names an unknown flow 'content safety input'. Did you mean 'content safety check input'?",
    ],
    [
      "with its last word cut",
      "output",
      "self check out",
      "names an unknown flow 'self check out'. Did you mean 'self check output'?",
    ],
    [
      "with other marks between its words",
      "input",
      "self_check-input",
      "names an unknown flow 'self_check-input'. Did you mean 'self check input'?",
    ],
    [
      "of another case",
      "tool_output",
      "Tool Call Validation",
      "names an unknown flow 'Tool Call Validation'. Did you mean 'tool call validation'?",
    ],
    [
      "with one space too many",
      "tool_output",
      "tool  call validation",
      "names an unknown flow 'tool  call validation'. Did you mean 'tool call validation'?",
    ],
    [
      "unknown among the checks of calls",
      "tool_output",
      "anything",
      "names an unknown flow 'anything'. The one that belongs here is 'tool call validation'.",
    ],
    [
      "unknown among the checks of results",
      "tool_input",
      "constructor",
      "names an unknown flow 'constructor'. The one that belongs here is 'tool result validation'.",
    ],
    ["without a name", "input", "$model=guard", "names no flow"],
    ["empty", "output", "", "names no flow"],
    [
      "without the model that it needs",
      "input",
      "content safety check input",
      "needs a model: write 'content safety check input $model=…' with the type of one of the models",
    ],
    [
      "with a parameter that it does not take",
      "input",
      "content safety check input $modle=guard",
      "gives the flow 'content safety check input' a parameter '$modle', which it does not take. Did you mean '$model'?",
    ],
    [
      "of a misspelt model",
      "input",
      "content safety check input $model=gaurd",
      "names a model type 'gaurd' that is not in models. Did you mean 'guard'?",
    ],
    [
      "of a model that is not there",
      "output",
      "self check output $model=x",
      "names a model type 'x' that is not in models. There are: 'main', 'guard'.",
    ],
    [
      "of the other engine, of a model that is not there",
      "input",
      "llama guard check input $model=guarb",
      "names a model type 'guarb' that is not in models. Did you mean 'guard'?",
    ],
  ])("P5 %s is an error", (_, family, flow, problem) => {
    const problems = problemsOf({ config: withFlows({ [family]: [flow] }) });
    expect(problems[0]).toBe(`<config>: rails.${family}.flows[0] ${problem}`);
  });

  it.each([
    ["tool_output", "tool call validation", "tool call validation $x"],
    ["tool_input", "tool result validation", " tool result validation (x)"],
    ["input", "self check input", "self check input"],
    [
      "input",
      "content safety check input $model=guard",
      "content safety check input  $model=guard",
    ],
  ])("P5 twice in rails.%s is an error: %j", (family, first, second) => {
    const problems = problemsOf({ config: withFlows({ [family]: [first, second] }) });
    expect(problems).toEqual([
      `<config>: rails.${family}.flows[1] names the flow '${flowName(first)}' a second time`,
    ]);
  });

  it("may be asked of two models", () => {
    const config = withFlows({
      input: ["self check input $model=main", "self check input $model=guard"],
    });
    expect(problemsOf({ config })).toEqual([]);
  });

  it("without its prompt is an error that names the nearest task", () => {
    const yaml = `
models: [{ type: guard, engine: nim, model: g }]
rails:
  input: { flows: [content safety check input $model=guard] }
  output: { flows: [self check facts] }
prompts: [{ task: content_safety_check_input, content: x }]
`;
    expect(problemsOf({ yaml })).toEqual([
      "<yaml>: rails.input.flows[0]: Missing a `content_safety_check_input $model=guard` prompt template, which is required for the `content safety check input` rail. Did you mean 'content_safety_check_input'? (line 4, column 20)",
      "<yaml>: rails.output.flows[0]: Missing a `self_check_facts` prompt template, which is required for the `self check facts` rail. (line 5, column 21)",
    ]);
  });

  it("that checks for jailbreaks needs a service and an endpoint", () => {
    const problems = (jailbreak_detection: object) =>
      problemsOf({
        config: {
          models: [main],
          rails: {
            input: { flows: ["jailbreak detection model"] },
            config: { jailbreak_detection },
          },
        },
      });
    expect(problems({})).toEqual([
      "<config>: rails.input.flows[0] needs rails.config.jailbreak_detection.nim_base_url, which is not set",
    ]);
    expect(problems({ nim_base_url: "http://x", nim_server_endpoint: "" })).toEqual([
      "<config>: rails.input.flows[0] needs rails.config.jailbreak_detection.nim_server_endpoint, which is empty",
    ]);
    expect(problems({ nim_base_url: "http://x" })).toEqual([]);
  });
});

describe("the flows that a Colang file defines", () => {
  it("are read in both versions of Colang", () => {
    const colang = `
define user ask
  "flow"
define flow
define flow check blocked terms
  stop
  define  subflow   my check
define extension flow later
flow input rails $text
define bot refuse
`;
    expect(definedFlows(colang)).toEqual([
      "",
      "check blocked terms",
      "my check",
      "later",
      "input rails",
    ]);
  });
});
