import { describe, expect, it } from "vitest";
import { generated } from "./asked-once.js";
import { asks, question, scripted, toolRails, wireCall } from "./scripted.js";

describe("the rail on calls", () => {
  it("IO-004 asks nothing beyond the main model", async () => {
    const { engine } = await generated(asks(wireCall("get_weather", { city: "Paris" })));
    expect(engine.order()).toEqual(["m"]);
  });

  it("IO-005 runs on every request", async () => {
    const engine = await scripted({ models: { m: asks(wireCall("drop_table")) } });
    const ask = () => engine.rails.generate({ messages: [question] });
    const statuses = [await ask(), await ask(), ...(await Promise.all([ask(), ask()]))];
    expect(statuses.map(({ status }) => status)).toEqual(Array(4).fill("blocked"));
  });

  it("IO-032 runs without the one on results", async () => {
    const engine = await scripted({
      yaml: toolRails.replace(/.*tool_input.*\n/, ""),
      models: { m: asks(wireCall("drop_table")) },
    });
    const unlinked = { role: "tool", tool_call_id: "none", name: "x", content: "y" };
    const { violations } = await engine.rails.generate({ messages: [question, unlinked] });
    expect(violations.map(({ kind }) => kind)).toEqual(["tool_call"]);
  });

  it("IO-063 is off for the one request that says so", async () => {
    const call = wireCall("drop_table");
    const engine = await scripted({ models: { m: asks(call) } });
    const ask = (rails: { readonly tool_output?: boolean }) =>
      engine.rails.generate({ messages: [question], options: { rails } });
    expect((await ask({ tool_output: false })).message.tool_calls).toEqual([call]);
    expect((await ask({})).status).toBe("blocked");
  });
});
