import type { CallRecord } from "@toolstile/core";
import { schemaValidation } from "@toolstile/schema";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { Guards } from "../src/replay/guards.js";
import { replayConversation } from "../src/replay/replay-conversation.js";
import { readConversation } from "../src/traffic/conversation.js";
import { requestedCalls } from "../src/traffic/requested-calls.js";
import { water } from "./conversations.js";

const name = fc.constantFrom("water_bed", "burn_bed", "__proto__", "", null, 7);
const id = fc.constantFrom("a", "b", "", null, 3);
const args = fc.oneof(
  fc.constantFrom('{"bed":"x"}', "{}", "{", "[]", '{"a":1,"a":2}', "", null),
  fc.json(),
  fc.jsonValue(),
);
const call = fc.oneof(
  fc.record({ id, function: fc.record({ name, arguments: args }) }, { requiredKeys: [] }),
  fc.jsonValue(),
);
const message = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ role: fc.constant("assistant"), tool_calls: fc.array(call) }),
  },
  {
    weight: 3,
    arbitrary: fc.record(
      { role: fc.constant("tool"), tool_call_id: id, name, content: fc.jsonValue() },
      { requiredKeys: ["role"] },
    ),
  },
  fc.record({ role: fc.constant("function"), name, content: fc.string() }),
  fc.jsonValue(),
);
const tool = fc.oneof(
  fc.constant(water),
  fc.record({ function: fc.record({ name, parameters: fc.jsonValue() }) }),
  fc.jsonValue(),
);
const conversation = fc.record({ tools: fc.array(tool), messages: fc.array(message) });

describe("replaying whatever a line may hold", () => {
  it("counts every call, records each once, and finds something in each that was stopped", {
    tags: "longer",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async (value) => {
        const reading = readConversation(JSON.stringify(value));
        if ("fault" in reading) throw new Error(reading.fault);
        const records: CallRecord[] = [];
        const guards = new Guards({
          schema: schemaValidation(),
          observers: [{ name: "list", settle: (record) => void records.push(record) }],
          onUnrecorded: (error) => {
            throw error;
          },
        });
        const report = await replayConversation(reading.conversation, "s", guards, {});
        const { messages } = reading.conversation;
        const asked = messages.flatMap((each, index) =>
          requestedCalls(each).map(({ callIndex }) => `${index}/${callIndex}`),
        );
        expect([report.calls, records.length]).toEqual([asked.length, asked.length]);
        const stopped = records.filter(({ outcome }) => outcome?.executed === false);
        const found = new Set(
          report.findings.map(({ messageIndex, callIndex }) => `${messageIndex}/${callIndex}`),
        );
        expect(asked.filter((place) => found.has(place)).length).toBeGreaterThanOrEqual(
          stopped.length,
        );
        for (const { code, reason } of report.findings) {
          expect([code, reason]).toEqual([expect.stringMatching(/^[a-z_]+$/), expect.any(String)]);
        }
      }),
      { numRuns: inject("long") ? 150 : 40 },
    );
  });
});
