import { describe, expect, it } from "vitest";
import { allowAll, chain, forTools, type GuardrailProvider, type Tool } from "../src/index.js";
import { restrictsArguments } from "../src/tool/definition.js";
import { error } from "./support/errors.js";
import { guard, made, spyTool } from "./support/runners.js";

describe("P5 a tool's schema", () => {
  const schema = { type: "object", properties: { to: { type: "string" } } };
  const checking = (tools?: string[]): GuardrailProvider =>
    guard("schema", { checksArguments: ({ name }) => tools?.includes(name) ?? true });
  const typed = (more: Partial<Tool> = {}): Tool => ({
    ...spyTool("send"),
    parameters: schema,
    ...more,
  });

  it("P5 that nobody holds arguments to is an error that says the two ways out", () => {
    expect(made({ tools: [typed()], guardrails: [allowAll()] })).toThrow(
      error("ERR_UNCHECKED_TOOL", "'send'", "schemaValidation()", "unchecked: true"),
    );
  });

  it.each<[string, object]>([
    ["a guardrail does", { guardrails: [checking()] }],
    ["a guardrail in a chain does", { guardrails: [chain([checking()])] }],
    ["a guardrail for this tool does", { guardrails: [forTools(["send"], checking())] }],
    ["a guardrail of the tool's own does", { tools: [typed({ guardrails: [checking()] })] }],
    ["the tool says it is unchecked", { tools: [typed({ unchecked: true })] }],
    ["the runner says all are unchecked", { unchecked: true }],
    ["the schema is true", { tools: [typed({ parameters: true })] }],
    ["the schema says any object", { tools: [typed({ parameters: { type: "object" } })] }],
    [
      "the schema says any object at length",
      {
        tools: [
          typed({
            parameters: {
              $schema: "x",
              $id: "i",
              $comment: "c",
              description: "d",
              title: "t",
              type: "object",
              properties: {},
              required: [],
              additionalProperties: true,
            },
          }),
        ],
      },
    ],
  ])("is fine where %s", (_what, options) => {
    expect(made({ tools: [typed()], guardrails: [allowAll()], ...options })).not.toThrow();
  });

  it.each<[string, object]>([
    ["the schema is false", { tools: [typed({ parameters: false })] }],
    ["the schema is of another type", { tools: [typed({ parameters: { type: "array" } })] }],
    [
      "the schema closes the object",
      { tools: [typed({ parameters: { type: "object", additionalProperties: false } })] },
    ],
    [
      "the schema has a keyword that is not known",
      { tools: [typed({ parameters: { type: "object", minProperties: 1 } })] },
    ],
    [
      "the guardrail is for another tool",
      { tools: [typed(), spyTool("other")], guardrails: [forTools(["other"], checking())] },
    ],
    ["the guardrail says no", { guardrails: [checking([])] }],
    [
      "the guardrail says yes by more than true",
      { guardrails: [guard("g", { checksArguments: (() => "yes") as never })] },
    ],
    [
      "the guardrail throws when asked",
      {
        guardrails: [
          guard("g", {
            checksArguments: () => {
              throw new Error("x");
            },
          }),
        ],
      },
    ],
  ])("P5 is an error where %s", (_what, options) => {
    expect(made({ tools: [typed()], guardrails: [allowAll()], ...options })).toThrow(
      error("ERR_UNCHECKED_TOOL"),
    );
  });
});

describe("a schema", () => {
  it.each<[string, object]>([
    ["a keyword that is not known and true", { propertyNames: true }],
    ["properties that are null", { properties: null }],
    ["an empty text for required", { required: "" }],
    ["an empty object under another keyword", { not: {} }],
    ["additional properties of a kind", { additionalProperties: {} }],
    ["a type in a list", { type: ["object"] }],
  ])("P5 restricts arguments by %s", (_, schema) => {
    expect(restrictsArguments({ type: "object", ...schema } as never)).toBe(true);
  });
});
