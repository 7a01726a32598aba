import { type GuardrailProvider, modify } from "@toolstile/core";
import { completionBody } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import type { GuardrailsOptions } from "../../src/index.js";
import { engine, question, toolRails } from "./engine.js";

const input = 'print("{"); x = [1, 2';
const call = { id: "c1", type: "custom", custom: { name: "run_python", input } };
const declared = { type: "custom", custom: { name: "run_python", format: { type: "text" } } };

const answered = async (
  rails: string,
  tools: readonly object[],
  calls: readonly object[] = [call],
  options: GuardrailsOptions = {},
) => {
  const body = completionBody({ content: null, tool_calls: calls });
  const made = await engine(rails, [{ body }, { body }], options);
  return made.rails.generate({ messages: [question], options: { llm_params: { tools } } });
};

describe("a call of a custom tool, whose free text is no JSON", () => {
  it("leaves as it came where no rail is configured", async () => {
    const { status, message } = await answered("", [declared]);
    expect(status).toBe("passed");
    expect(message.tool_calls).toEqual([call]);
  });

  it("is let through by its name", async () => {
    const { status, message } = await answered(toolRails, [declared]);
    expect(status).toBe("passed");
    expect(message.tool_calls).toEqual([call]);
  });

  it.each<[string, object[]]>([
    ["nobody declared", []],
    ["another name has", [{ type: "custom", custom: { name: "other" } }]],
    ["a function has", [{ type: "function", function: { name: "run_python" } }]],
    ["a hosted tool has", [{ type: "run_python" }]],
    ["no name is said of", [{ type: "custom" }]],
  ])("blocks where its tool is one that %s", async (_, tools) => {
    const { status, violations } = await answered(toolRails, tools);
    expect(status).toBe("blocked");
    expect(violations[0]?.reason).toBe("tool call 'run_python' is not an allowed tool");
  });

  it("is judged as `input`, and leaves as text what a guard makes of it", async () => {
    const seen: unknown[] = [];
    const trim: GuardrailProvider = {
      name: "trim",
      evaluate: ({ args }) => {
        seen.push(args);
        return modify({ input: "pass" }, { reason: "shorter" });
      },
    };
    const { status, message, violations } = await answered(toolRails, [declared], [call], {
      providers: { toolCall: [trim] },
    });
    expect(violations).toEqual([]);
    expect(seen).toEqual([{ input }]);
    expect(status).toBe("modified");
    expect(message.tool_calls).toEqual([
      { ...call, custom: { name: "run_python", input: "pass" } },
    ]);
  });

  it("blocks where a guard makes of it what is no text", async () => {
    for (const args of [{}, { input: 7 }, { text: "x" }]) {
      const odd: GuardrailProvider = {
        name: "odd",
        evaluate: () => modify(args, { reason: "odd" }),
      };
      const { violations } = await answered("", [declared], [call], {
        providers: { toolCall: [odd] },
      });
      expect(violations).toMatchObject([{ violationType: "rail_failed", toolName: "run_python" }]);
    }
  });
});

describe("tools of two kinds that have one name", () => {
  const named = (kind: "function" | "custom") => ({ type: kind, [kind]: { name: "web_search" } });
  const tools = [named("function"), named("custom"), { type: "web_search" }];

  it.each<[string, object]>([
    [
      "the function's",
      { id: "a", type: "function", function: { name: "web_search", arguments: "{}" } },
    ],
    ["the custom tool's", { id: "a", type: "custom", custom: { name: "web_search", input: "x" } }],
    ["the hosted tool's", { id: "a", type: "web_search" }],
  ])("do not stand in each other's way: %s call", async (_, its) => {
    const { status, message } = await answered(toolRails, tools, [its]);
    expect({ status, calls: message.tool_calls }).toEqual({ status: "passed", calls: [its] });
  });

  it("still block where one kind has two definitions of it", async () => {
    const other = { type: "custom", custom: { name: "web_search", description: "x" } };
    const { violations } = await answered(toolRails, [...tools, other]);
    expect(violations[0]?.violationType).toBe("invalid_toolset");
  });
});
