import { describe, expect, it } from "vitest";
import { z } from "zod";
import { allow, allowAll, forTools, ToolRunner, tool } from "../src/index.js";
import { errorOf } from "./support/errors.js";

const search = tool({ name: "search" });

/** Builds a runner with this, as JavaScript lets anyone. */
function build({
  tools = [search],
  guardrails = [allowAll()],
}: Record<string, unknown>): ToolRunner {
  return new ToolRunner({ tools, guardrails } as never);
}

describe("P5 a likely slip is answered with the way out:", () => {
  it.each<[string, () => unknown, string]>([
    [
      "an object of schemas in place of one schema",
      () => build({ tools: [{ name: "t", parameters: { q: z.string() } }] }),
      "Make one schema of it: z.object({ … }).",
    ],
    [
      "an object with a schema and something else",
      () => build({ tools: [{ name: "t", parameters: { type: "object", q: z.string() } }] }),
      "received an object of schemas.",
    ],
    [
      "a number in place of a schema",
      () => build({ tools: [{ name: "t", parameters: 7 }] }),
      "Tool 't': `parameters` must be a JSON Schema or a Standard Schema.",
    ],
    [
      "a schema that was not called",
      () => build({ tools: [{ name: "t", parameters: z.object }] }),
      "Was it passed uncalled",
    ],
    [
      "a tool as OpenAI declares it",
      () => build({ tools: [{ type: "function", function: { name: "t" } }] }),
      "Pass what is under its `function`.",
    ],
    [
      "a function in place of a guard",
      () => build({ guardrails: [() => allow()] }),
      "A function that decides goes under evaluate: { name, evaluate }.",
    ],
    [
      "a guard with AutoGen's parameters",
      () =>
        build({ guardrails: [{ name: "g", evaluate: (_name: string, _args: object) => allow() }] }),
      "Guardrail 'g': `evaluate` must take one argument, the call: ({ toolName, args }) => ….",
    ],
    [
      "an admit with AutoGen's parameters",
      () =>
        build({
          guardrails: [{ ...allowAll(), admit: (_name: string, _args: object) => allow() }],
        }),
      "`admit` must take one argument, the call",
    ],
    [
      "a tool in place of its name",
      () => forTools([search] as never, allowAll()),
      "Write tool.name.",
    ],
  ])("%s", (_, slip, way) => {
    expect(errorOf(slip).message).toContain(way);
  });
});
