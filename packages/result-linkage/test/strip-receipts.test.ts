import { describe, expect, it } from "vitest";
import { stripReceipts } from "../src/index.js";

const user = { role: "user", content: "x" };
const call = { id: "a", type: "function", function: { name: "t", arguments: '{"receipt":1}' } };

describe("stripReceipts", () => {
  it("gives back the same list where no call or result has a receipt", () => {
    const messages = [user, { role: "assistant", tool_calls: [call, null] }, { role: "tool" }, 7];
    expect(stripReceipts(messages)).toBe(messages);
    for (const other of [undefined, null, "x", {}]) expect(stripReceipts(other)).toBe(other);
  });

  it("copies only the messages that have some, and changes none", () => {
    const asks = {
      role: "assistant",
      content: null,
      tool_calls: [{ ...call, receipt: "r1" }, call],
    };
    const answers = { role: "tool", tool_call_id: "a", content: "x", receipt: null };
    const messages = Object.freeze([user, Object.freeze(asks), answers]);
    const stripped = stripReceipts(messages);
    expect(stripped).toEqual([
      user,
      { role: "assistant", content: null, tool_calls: [call, call] },
      { role: "tool", tool_call_id: "a", content: "x" },
    ]);
    expect(stripped[0]).toBe(user);
    expect(Object.keys(stripped[2] as object)).not.toContain("receipt");
    expect(asks.tool_calls[0]).toHaveProperty("receipt", "r1");
  });

  it("takes them from where clients put them by mistake, too", () => {
    const receipt = "r";
    const messages = [
      { role: "user", content: "x", receipt },
      { role: "function", name: "t", content: "x", receipt },
      { role: "assistant", function_call: { name: "t", arguments: "{}", receipt } },
      {
        role: "assistant",
        tool_calls: [{ id: "a", function: { name: "t", arguments: "{}", receipt } }],
      },
    ];
    expect(JSON.stringify(stripReceipts(messages))).not.toContain("receipt");
  });

  it("keeps a member called __proto__ a member", () => {
    const messages = JSON.parse('[{"role":"tool","receipt":"r","__proto__":{"content":"x"}}]');
    const [stripped] = stripReceipts(messages);
    expect(Object.keys(stripped)).toEqual(["role", "__proto__"]);
    expect(stripped.content).toBeUndefined();
  });
});
