import { ToolRunner } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { declaredTools } from "../src/index.js";

describe("declaredTools", () => {
  it.each(["constructor", "__proto__", "toString", ""])(
    "P8 denies a call of the undeclared tool %j",
    async (name) => {
      const runner = new ToolRunner({ guardrails: [declaredTools()] });
      const opened = await runner.open({ name }, { tools: [{ name: "search" }] });
      expect(opened.outcome).toMatchObject({ status: "denied", code: "not_allowed" });
    },
  );

  it("lets through a tool that the call itself declares, and names no other in its reason", async () => {
    const runner = new ToolRunner({ guardrails: [declaredTools()] });
    const tools = [{ name: "search" }];
    expect((await runner.open({ name: "search" }, { tools })).outcome).toBeUndefined();
    const { outcome } = await runner.open({ name: "delete_database" }, { tools });
    expect(outcome).toMatchObject({
      reason: "tool call 'delete_database' is not an allowed tool",
    });
  });

  it.each([{ nmae: "x" }, { name: "" }, { name: 7 }, null])(
    "P5 refuses the options %j at load",
    (options) => {
      expect(() => declaredTools(options as never)).toThrowError(
        expect.objectContaining({ code: expect.stringMatching(/^ERR_(UNKNOWN|INVALID)_OPTION$/) }),
      );
    },
  );
});
