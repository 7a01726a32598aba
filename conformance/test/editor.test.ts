import { describe, expect, it } from "vitest";
import { Editor } from "./editor.js";

const known = `
import { allowlist } from "@toolstile/allowlist";
import { allow, allowAll, deny, forTool, forTools, type GuardrailProvider, tool, type ToolName, ToolRunner } from "@toolstile/core";
import { rules } from "@toolstile/rules";
import { z } from "zod";
const search = tool({ name: "search", parameters: z.object({ q: z.string() }), execute: ({ q }) => q });
const refund = tool({
  name: "refund",
  parameters: { type: "object", properties: { cents: { type: "integer" }, why: { enum: ["late", "broken"] } }, required: ["cents"] },
  execute: ({ cents }) => cents,
});
const tools = [search, refund];
type Name = ToolName<typeof tools>;
`;

const editor = new Editor();

describe("an editor", { tags: "long" }, () => {
  it.each([
    ["allowlist()", `allowlist<Name>(["‸"]);`],
    ["a list of allowlist()", `allowlist<Name>({ allow: ["search"], deny: ["‸"] });`],
    ["the rules of an agent", `allowlist<Name>({ agents: { support: { allow: ["‸"] } } });`],
    ["forTools()", `forTools<Name>(["‸"], allowAll());`],
    ["rules()", `rules<Name>({ rules: [{ id: "one", tools: ["‸"], deny: "no" }] });`],
  ])("offers the names of the tools in %s", (_, code) => {
    expect(editor.completionsIn(known + code)).toEqual(["search", "refund"]);
  });

  it.each([
    [
      "a Standard Schema",
      `forTool(search, { name: "g", evaluate: ({ args }) => allow(args.‸) });`,
      "q",
    ],
    [
      "a JSON Schema",
      `forTool(refund, { name: "g", evaluate: ({ args }) => allow(args.‸) });`,
      "cents,why",
    ],
    [
      "a JSON Schema, in the tool itself",
      `tool({ name: "t", parameters: { type: "object", properties: { to: { type: "string" } } }, execute: (args) => args.‸ });`,
      "to",
    ],
  ])("offers the arguments that %s declares", (_, code, names) => {
    expect(editor.completionsIn(known + code).join()).toBe(names);
  });

  it.each([
    [
      "a value of an enum",
      `forTool(refund, { name: "g", evaluate: ({ args }) => (args.why === "‸" ? deny("no") : allow()) });`,
    ],
  ])("offers %s", (_, code) => {
    expect(editor.completionsIn(known + code)).toEqual(["late", "broken"]);
  });
});

describe("the compiler", { tags: "long" }, () => {
  it("accepts names that it does not know, where nobody asked for known ones", () => {
    const code = `
const given: string[] = [];
allowlist(given);
allowlist(new Set(["serach"]));
forTools(["serach", { pattern: "github_*" }], allowAll());
rules({ rules: [{ id: "one", tools: ["serach"], deny: "no" }] });
allowlist<Name>([{ pattern: "sea*" }, "search"]);
export {};`;
    expect(editor.complaintsAbout(known + code)).toEqual([]);
  });

  it.each([
    ["a misspelt name in allowlist()", `allowlist<Name>(["serach"]);`, `Did you mean '"search"'?`],
    [
      "a misspelt name in a rule",
      `allowlist<Name>({ deny: ["serach"] });`,
      `Did you mean '"search"'?`,
    ],
    [
      "a misspelt name in forTools()",
      `forTools<Name>(["serach"], allowAll());`,
      `Did you mean '"search"'?`,
    ],
    [
      "a misspelt name in rules()",
      `rules<Name>({ rules: [{ id: "one", tools: ["serach"], deny: "no" }] });`,
      `Did you mean '"search"'?`,
    ],
    [
      "a misspelt argument",
      `forTool(refund, { name: "g", evaluate: ({ args }) => allow(args.cnts) });`,
      "Did you mean 'cents'?",
    ],
    [
      "an argument of another type",
      `forTool(search, { name: "g", evaluate: ({ args }) => (args.q === 1 ? deny("no") : allow()) });`,
      "no overlap",
    ],
    [
      "an object of schemas",
      `tool({ name: "t", parameters: { q: z.string() }, execute: () => 1 });`,
      "`parameters` must be one schema, as in z.object({ … })",
    ],
    [
      "an object of schemas, where the function reads it",
      `tool({ name: "t", parameters: { q: z.string() }, execute: ({ q }) => q });`,
      "`parameters` must be one schema, as in z.object({ … })",
    ],
    [
      "a schema that is called",
      `tool({ name: "t", parameters: z.string()(), execute: () => 1 });`,
      "not callable",
    ],
    [
      "a function in place of a guard",
      `new ToolRunner({ tools, guardrails: [() => allow()] });`,
      "not assignable to type 'Guardrail'",
    ],
    [
      "a factory that was not called",
      `new ToolRunner({ tools, guardrails: [allowAll] });`,
      "not assignable to type 'Guardrail'",
    ],
    [
      "a guard in place of a list",
      `new ToolRunner({ tools, guardrails: allowAll() });`,
      "readonly Guardrail[]",
    ],
    ["no guards", `new ToolRunner({ tools });`, "Property 'guardrails' is missing"],
    [
      "an object of tools",
      `new ToolRunner({ tools: { search }, guardrails: [allowAll()] });`,
      "'search' does not exist in type 'readonly Tool",
    ],
    [
      "a name in place of a call",
      `new ToolRunner({ guardrails: [] }).run("search");`,
      "parameter of type 'CallRequest'",
    ],
    [
      "args in place of arguments",
      `new ToolRunner({ guardrails: [] }).run({ name: "search", args: {} });`,
      "'args' does not exist in type 'CallRequest'",
    ],
    [
      "a guard that answers true",
      `const g: GuardrailProvider = { name: "g", evaluate: () => true };`,
      "Awaitable<GuardrailResult>",
    ],
    [
      "a denial without a reason",
      `const g: GuardrailProvider = { name: "g", evaluate: () => deny() };`,
      "Expected 1-2 arguments",
    ],
    [
      "a guard with AutoGen's parameters",
      `const g: GuardrailProvider = { name: "g", evaluate: (name: string, args: object) => allow() };`,
      "Target signature provides too few arguments",
    ],
    [
      "a guard without a name",
      `new ToolRunner({ guardrails: [{ evaluate: () => allow() }] });`,
      "Property 'name' is missing",
    ],
    [
      "a misspelt evaluate",
      `new ToolRunner({ guardrails: [{ name: "g", evalute: () => allow() }] });`,
      "'evalute' does not exist in type 'Guardrail'",
    ],
    ["a tool in place of its name", `allowlist([search]);`, "not assignable to type 'ToolRule"],
  ])("says what is wrong with %s", (_, code, hint) => {
    const complaints = editor.complaintsAbout(known + code);
    expect(complaints.map(({ line }) => line)).toContain(code);
    expect(complaints.map(({ says }) => says).join("\n")).toContain(hint);
  });
});
