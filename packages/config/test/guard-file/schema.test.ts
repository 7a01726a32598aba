import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { guardFileJsonSchema } from "../../src/guard-file/schema.js";

describe("guard.schema.json", () => {
  // Write it anew: npx vitest run -u packages/config/test/guard-file/schema.test.ts
  it("is the schema that a guard.yaml is held to", async () => {
    const text = `${JSON.stringify(guardFileJsonSchema(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot("../../guard.schema.json");
  });

  const validate = new Ajv().compile(guardFileJsonSchema());
  const guard = { use: "./a.js" };

  it.each<[string, object]>([
    ["the least", { version: 1, guards: [] }],
    [
      "everything",
      {
        version: 1,
        policyVersion: "1",
        mode: "shadow",
        guards: [
          {
            ...guard,
            with: { x: [1] },
            tools: ["a"],
            mode: "enforce",
            failOpen: true,
            timeoutMs: 1,
          },
        ],
        agents: { a: { guards: [guard] } },
        observers: [{ use: "b", with: {} }],
        tools: "./tools.json",
      },
    ],
    ["tools in place", { version: 1, guards: [], tools: [{ name: "x" }] }],
  ])("takes %s", (_, data) => {
    expect(validate(data)).toBe(true);
  });

  it.each<[string, object]>([
    ["another version", { version: 2, guards: [] }],
    ["no guards", { version: 1 }],
    ["an unknown key", { version: 1, guards: [], guard: [] }],
    ["an unknown key of a guard", { version: 1, guards: [{ ...guard, tool: "x" }] }],
    ["no tools of a guard", { version: 1, guards: [{ ...guard, tools: [] }] }],
    ["an unknown mode", { version: 1, guards: [], mode: "off" }],
    ["no time at all", { version: 1, guards: [{ ...guard, timeoutMs: 0 }] }],
    [
      "an observer with a mode",
      { version: 1, guards: [], observers: [{ ...guard, mode: "shadow" }] },
    ],
  ])("refuses %s", (_, data) => {
    expect(validate(data)).toBe(false);
  });
});
