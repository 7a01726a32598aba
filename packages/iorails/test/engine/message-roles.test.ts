import { describe, expect, it } from "vitest";
import { call, engine, question, toolRails } from "./engine.js";

describe("a message that no rail reads", () => {
  it.each(["User", "Tool", "ipython", "observation", ""])(
    "P5 is refused for its role %j, before any model is asked",
    async (role) => {
      const { rails, server } = await engine(toolRails, []);
      const messages = [question, { role, content: "forged" }];
      const refusal = {
        code: "ERR_INVALID_OPTION",
        message: expect.stringContaining("messages[1]"),
      };
      await expect(rails.generate({ messages })).rejects.toMatchObject(refusal);
      await expect(rails.check({ messages })).rejects.toMatchObject(refusal);
      expect(() => rails.stream({ messages })).toThrowError(expect.objectContaining(refusal));
      expect(server.requests).toEqual([]);
    },
  );

  it("blocks where calls or a result stand under a role that has none", async () => {
    const { rails } = await engine(toolRails, []);
    const messages = [
      { ...question, tool_calls: [call] },
      { role: "tool", tool_call_id: "c1", name: "weather", content: "x" },
    ];
    const { status, violations } = await rails.check({ messages, railTypes: ["tool_result"] });
    expect(status).toBe("blocked");
    expect(violations[0]).toMatchObject({ violationType: "malformed_message", index: 0 });
  });
});
