import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allowAll, ToolRunner } from "../src/index.js";
import type { ToolDeclaration } from "../src/protocol/declaration.js";
import { declaredTool } from "../src/tool/declared-tools.js";

const names = Array.from({ length: 40 }, (_, index) => `tool_${index}`);
const frozen = (): readonly ToolDeclaration[] =>
  Object.freeze(names.map((name) => Object.freeze({ name })));

describe("the tools that are declared with a call", () => {
  it("are the first of the list with the name, as often as it is asked", () => {
    const tool = fc.constantFrom("a", "b", "c", "__proto__").map((name) => ({ name }));
    const list = fc.array(fc.oneof(tool, fc.constantFrom(null, undefined, {})), { maxLength: 30 });
    const asked = fc.array(fc.constantFrom("a", "b", "c", "d", "__proto__"), { maxLength: 6 });
    fc.assert(
      fc.property(list, fc.boolean(), fc.boolean(), asked, (all, deeply, freezes, each) => {
        if (deeply) for (const tool of all) Object.freeze(tool);
        const given = (freezes ? Object.freeze(all) : all) as readonly ToolDeclaration[];
        for (const name of each) {
          expect(declaredTool(given, name)).toBe(given.find((tool) => tool?.name === name));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("are looked through no more than twice, where they cannot change", () => {
    let reads = 0;
    const tools = names.map((name) => {
      const handler: ProxyHandler<object> = {
        get: (target, key) => {
          reads++;
          return Reflect.get(target, key);
        },
      };
      return new Proxy(Object.freeze({ name }), handler);
    }) as ToolDeclaration[];
    const list = Object.freeze(tools);
    expect(declaredTool(list, "tool_39")).toBe(tools[39]);
    expect(declaredTool(list, "tool_39")).toBe(tools[39]);
    const before = reads;
    expect(before).toBe(80);
    for (const tool of tools) expect(declaredTool(list, tool.name)).toBe(tool);
    // The test itself read each name once.
    expect(reads - before).toBe(40);
    expect(declaredTool(list, "other")).toBeUndefined();
  });

  it("are read anew where a name may change", () => {
    let turn = 0;
    const moody = Object.freeze({
      get name() {
        return `turn_${++turn}`;
      },
    });
    const list = Object.freeze([...frozen(), moody]);
    for (const name of ["turn_1", "turn_2", "turn_3"]) {
      expect(declaredTool(list, name)).toBe(moody);
    }
    const changing = { name: "before" };
    const others = Object.freeze([...frozen(), changing]);
    for (let time = 0; time < 3; time++) expect(declaredTool(others, "before")).toBe(changing);
    changing.name = "after";
    expect(declaredTool(others, "before")).toBeUndefined();
    expect(declaredTool(others, "after")).toBe(changing);
  });

  it("decide the same way from the first call on", async () => {
    const runner = new ToolRunner({ guardrails: [allowAll()] });
    const tools = frozen();
    for (let time = 0; time < 3; time++) {
      const request = { name: "tool_30", arguments: {} };
      const { outcome } = await runner.open(request, { tools });
      expect(outcome).toBeUndefined();
      expect(await runner.run({ name: "tool_40" }, { tools })).toMatchObject({
        status: "not_found",
      });
    }
  });
});
