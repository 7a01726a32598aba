import { ToolRunner } from "@toolstile/core";
import { compileSchema, schemaValidation } from "@toolstile/schema";
import { heapUsed } from "@toolstile/testing/heap";

const range = (count) => Array.from({ length: count }, (_, index) => index);
const types = ["string", "number", "integer", "boolean"];
let made = 0;

/** A schema of so many properties, as no other has them. */
function schema(properties = 5) {
  const own = made++;
  return {
    type: "object",
    properties: Object.fromEntries(
      range(properties).map((index) => [`p${index}_${own}`, { type: types[index % types.length] }]),
    ),
    required: [`p0_${own}`],
    additionalProperties: false,
  };
}

const tool = (parameters, index) => ({
  name: `tool_${index}`,
  description: "It does its work.",
  parameters,
});
const argumentsFor = ({ required: [name] }) => ({ [name]: "text" });

/** @type {import("../curves.mjs").Curve[]} */
export const curves = [
  {
    name: "compiling a schema of 5 properties",
    against: "schemas that were compiled before",
    growth: "constant",
    sizes: [100, 300, 1_000, 3_000],
    checked: [100, 1_000],
    at(n) {
      const kept = range(n).map(() => compileSchema(schema()));
      return { run: () => kept.push(compileSchema(schema())), turns: 100 };
    },
  },
  {
    name: "compiling a schema",
    against: "its properties",
    growth: "n",
    sizes: [3, 10, 30, 100, 300],
    checked: [10, 100],
    at: (n) => ({ run: () => compileSchema(schema(n)) }),
  },
  {
    name: "compiling a schema",
    against: "values of its enum",
    growth: "n",
    sizes: [10, 100, 1_000, 10_000],
    checked: [100, 1_000],
    at: (n) => ({
      run: () => compileSchema({ enum: range(n).map((value) => `${made++} ${value}`) }),
    }),
  },
  {
    name: "a guarded call, 5 properties",
    against: "tools of the runner",
    growth: "constant",
    sizes: [10, 100, 1_000, 3_000],
    checked: [10, 1_000],
    at(n) {
      const schemas = range(n).map(() => schema());
      const runner = new ToolRunner({
        tools: schemas.map((each, index) => ({ ...tool(each, index), execute: () => "done" })),
        guardrails: [schemaValidation()],
      });
      let turn = 0;
      const run = () => {
        const index = turn++ % 10;
        return runner.run({ name: `tool_${index}`, arguments: argumentsFor(schemas[index]) });
      };
      return { run };
    },
  },
  {
    name: "a guarded call, its tool declared with it",
    against: "tools declared in turn",
    growth: "constant",
    sizes: [10, 100, 1_000, 3_000, 10_000],
    checked: [100, 3_000],
    async at(n) {
      const runner = new ToolRunner({ guardrails: [schemaValidation()] });
      const schemas = range(n).map(() => schema());
      let turn = 0;
      const run = () => {
        const index = turn++ % n;
        const tools = [tool(structuredClone(schemas[index]), index)];
        const request = { name: `tool_${index}`, arguments: argumentsFor(schemas[index]) };
        return runner.run(request, { tools });
      };
      for (const _ of range(2 * n)) await run();
      return { run, turns: n };
    },
  },
  {
    name: "a second runner with the same tools",
    against: "tools",
    growth: "n",
    sizes: [10, 100, 1_000, 3_000],
    checked: [100, 3_000],
    at(n) {
      const tools = range(n).map((index) => tool(schema(), index));
      const build = () => new ToolRunner({ tools, guardrails: [schemaValidation()] });
      const first = build();
      return { run: build, close: () => first.close() };
    },
  },
  {
    name: "heap of a schema of 5 properties",
    against: "schemas in force",
    growth: "constant",
    unit: "B",
    sizes: [100, 1_000, 3_000],
    checked: [300, 1_000],
    at(n) {
      const kept = range(300).map(() => compileSchema(schema()));
      const before = heapUsed();
      for (const _ of range(n)) kept.push(compileSchema(schema()));
      return { value: (heapUsed() - before) / n, close: () => kept.splice(0) };
    },
  },
];
