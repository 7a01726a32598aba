import type { CallRecord, ToolObserver } from "@toolstile/core";
import { completionBody, completionChunk } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { call, engine, question, toolRails, weather } from "./engine.js";

const options = { llm_params: { tools: [weather] } };
const calls = [call, { ...call, id: "c2" }, { ...call, id: "c3" }];

/** Cannot put the call of this id on record. */
function failingLog(id: string, required: boolean) {
  const told: (readonly [string, string])[] = [];
  const log: ToolObserver = {
    name: "audit-log",
    required,
    settle: ({ callId, outcome }: CallRecord) => {
      told.push([callId, String(outcome?.status)]);
      if (callId === id) throw new Error("the disk is full");
    },
  };
  return { log, told };
}

describe("a call that an observer has to record, and cannot", () => {
  it.each(["c1", "c2", "c3"])("P15 does not leave, nor do those beside it (%s)", async (id) => {
    const { log, told } = failingLog(id, true);
    const body = completionBody({ content: null, tool_calls: calls });
    const { rails } = await engine(toolRails, [{ body }], { observers: [log] });
    const { status, message, violations } = await rails.generate({ messages: [question], options });
    expect(status).toBe("blocked");
    expect(message.tool_calls).toBeUndefined();
    expect(violations).toMatchObject([
      { kind: "tool_call", violationType: "rail_failed", toolCallId: id, rail: "audit-log" },
    ]);
    // Each is told once, and those after it never left.
    const failed = calls.findIndex((each) => each.id === id);
    expect(told).toEqual(
      calls.map((each, index) => [each.id, index <= failed ? "released" : "aborted"]),
    );
  });

  it("P15 ends a stream with a violation in place of the calls", async () => {
    const { log } = failingLog("c2", true);
    const deltas = calls.map((each, index) =>
      completionChunk({ tool_calls: [{ index, ...each }] }),
    );
    const events = [...deltas, completionChunk({}, "tool_calls")];
    const { rails } = await engine(toolRails, [{ events }], { observers: [log] });
    const chunks = [];
    for await (const chunk of rails.stream({ messages: [question], options })) chunks.push(chunk);
    expect(chunks).toMatchObject([
      { type: "violation", violations: [{ violationType: "rail_failed", toolCallId: "c2" }] },
    ]);
  });

  it("leaves where the observer does not have to", async () => {
    const { log } = failingLog("c2", false);
    const body = completionBody({ content: null, tool_calls: calls });
    const { rails } = await engine(toolRails, [{ body }], { observers: [log] });
    const { message } = await rails.generate({ messages: [question], options });
    expect(message.tool_calls).toHaveLength(3);
  });
});
