import { describe, expect, it } from "vitest";
import { definedFlows, flowName, knownFlows, readFlow } from "../../src/config/flows.js";
import { RailsConfig, unsupportedReason } from "../../src/engine/rails-config.js";
import { main, problemsOf, withFlows } from "./load.js";

describe("the name of a flow", () => {
  it.each([
    ["self check input", "self check input"],
    ["  self check input  ", "self check input"],
    ["content safety check input $model=guard", "content safety check input"],
    ["regex(pattern=$x)", "regex"],
    ["price $5 (x)", "price $5"],
    ["Self Check Input", "Self Check Input"],
    ["$model=x", ""],
  ])("of %j is %j", (text, name) => {
    expect(readFlow(text).name).toBe(name);
    expect(flowName(name)).toBe(name.includes("$") ? "price" : name);
  });
});

describe("the parameters of a flow", () => {
  it.each([
    ["x", {}],
    ["x $model=guard", { model: "guard" }],
    ["x   $model=a/b-1.5  $variant='two words' ", { model: "a/b-1.5", variant: "two words" }],
    ['x $argument="$query"', { argument: "$query" }],
    ["x $__proto__=y", { ["__proto__"]: "y" }],
  ])("of %j are %j", (text, parameters) => {
    const read = readFlow(text);
    expect(Object.entries(read.parameters)).toEqual(Object.entries(parameters));
    expect(read.fault).toBeUndefined();
  });

  it.each([
    ["self check input $tone", "more than a name"],
    ["self check input $variant=", "more than a name"],
    ["self check input $variant=''", "more than a name"],
    ["self check input $variant= tone", "more than a name"],
    ["self check input $variant =tone", "more than a name"],
    ["self check input $variant=a$model=b", "more than a name"],
    ["self check input $variant='a'$model=b", "more than a name"],
    ["self check input $variant=a b", "more than a name"],
    ["self check input$variant=a", "more than a name"],
    ["self check input ($variant=a)", "more than a name"],
    ["self check input $variant=a $variant=b", "has '$variant' twice"],
    ["self check input $variant=a\u0007", "has a control character"],
  ])("P5 written as in %j are an error", async (flow, fault) => {
    const problems = await problemsOf({ config: withFlows({ input: [flow] }) });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`<config>: rails.input.flows[0] is '${flow.slice(0, 16)}`);
    expect(problems[0]).toContain(fault);
  });
});

const ofSections = [...knownFlows.values()].filter(({ perTool }) => perTool === undefined);

describe("the known flows", () => {
  it("each load, with what they need, for this engine", async () => {
    for (const { name, family, parameters } of ofSections) {
      const needed = Object.keys(parameters).filter((key) => parameters[key] === true);
      const flow = [
        name,
        ...needed.map((key) => `$${key}=${key === "model" ? "guard" : "c"}`),
      ].join(" ");
      const config = withFlows({ [family]: [flow] });
      expect(await problemsOf({ config })).toEqual([]);
      expect(unsupportedReason(await RailsConfig.fromContent({ config }))).toBeUndefined();
    }
  });

  it("P5 are each an error in any section but their own, which the message names", async () => {
    for (const { name, family } of ofSections) {
      for (const other of ["input", "output", "tool_call", "tool_result"] as const) {
        if (other === family) continue;
        expect(await problemsOf({ config: withFlows({ [other]: [name] }) })).toEqual([
          `<config>: rails.${other}.flows[0] names the flow '${name}', which belongs in rails.${family}.flows`,
        ]);
      }
    }
  });

  it("P5 are each named for a letter left out", async () => {
    for (const { name, family } of ofSections) {
      const typo = name.slice(0, 3) + name.slice(4);
      expect(await problemsOf({ config: withFlows({ [family]: [typo] }) })).toEqual([
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
      "tool_call",
      "Tool Call Validation",
      "names an unknown flow 'Tool Call Validation'. Did you mean 'tool call validation'?",
    ],
    [
      "with one space too many",
      "tool_call",
      "tool  call validation",
      "names an unknown flow 'tool  call validation'. Did you mean 'tool call validation'?",
    ],
    [
      "unknown among the checks of calls",
      "tool_call",
      "anything",
      "names an unknown flow 'anything'. The one that belongs here is 'tool call validation'.",
    ],
    [
      "unknown among the checks of results",
      "tool_result",
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
      "names a model type 'x' that is not in models. There are: 'main', 'guard', 'llama_guard'.",
    ],
    [
      "of the other engine, of a model that is not there",
      "input",
      "clavata check input $model=guarb",
      "names a model type 'guarb' that is not in models. Did you mean 'guard'?",
    ],
  ])("P5 %s is an error", async (_, family, flow, problem) => {
    const problems = await problemsOf({ config: withFlows({ [family]: [flow] }) });
    expect(problems[0]).toBe(`<config>: rails.${family}.flows[0] ${problem}`);
  });

  it.each([
    ["tool_call", "tool call validation", "tool call validation "],
    ["tool_result", "tool result validation", " tool result validation"],
    ["input", "self check input", "self check input"],
    [
      "input",
      "content safety check input $model=guard",
      "content safety check input  $model=guard",
    ],
  ])("P5 twice in rails.%s is an error: %j", async (family, first, second) => {
    const problems = await problemsOf({ config: withFlows({ [family]: [first, second] }) });
    expect(problems).toEqual([
      `<config>: rails.${family}.flows[1] names the flow '${flowName(first)}' a second time`,
    ]);
  });

  it("may be asked of two models", async () => {
    const config = withFlows({
      input: ["self check input $model=main", "self check input $model=guard"],
    });
    expect(await problemsOf({ config })).toEqual([]);
  });

  it("without its prompt is an error that names the nearest task", async () => {
    const yaml = `
models: [{ type: guard, engine: nim, model: g }]
rails:
  input: { flows: [content safety check input $model=guard] }
  output: { flows: [self check facts] }
prompts: [{ task: content_safety_check_input, content: x }]
`;
    expect(await problemsOf({ yaml })).toEqual([
      "<yaml>: rails.input.flows[0]: Missing a `content_safety_check_input $model=guard` prompt template, which is required for the `content safety check input` rail. Did you mean 'content_safety_check_input'? (line 4, column 20)",
      "<yaml>: rails.output.flows[0]: Missing a `self_check_facts` prompt template, which is required for the `self check facts` rail. (line 5, column 21)",
    ]);
  });

  it("that checks for jailbreaks needs a service and an endpoint", async () => {
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
    expect(await problems({})).toEqual([
      "<config>: rails.input.flows[0]: The flow 'jailbreak detection model' needs rails.config.jailbreak_detection.nim_base_url or server_endpoint.",
    ]);
    expect(await problems({ nim_base_url: "http://x", nim_server_endpoint: "" })).toEqual([
      "<config>: rails.input.flows[0] needs rails.config.jailbreak_detection.nim_server_endpoint, which is empty",
    ]);
    expect(await problems({ nim_base_url: "http://x" })).toEqual([]);
    expect(await problems({ server_endpoint: "http://x" })).toEqual([]);
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
