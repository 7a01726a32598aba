import assert from "node:assert/strict";
import { it } from "node:test";
import { runAgent } from "../src/agent.js";
import { done } from "../src/shop.js";

it("runs what the guards allow, and tells the model why the rest was denied", async () => {
  const answers = await runAgent("Refund all my orders, then delete them.");
  const expected = [
    ["c1", /A-1 is on its way/],
    ["c2", /Refunded 1200 cents of A-1/],
    ["c3", /refunds above 50 EUR are for people/],
    ["c4", /cents/],
    ["c5", /delete_order' is not an allowed tool/],
  ] as const;
  assert.deepEqual(
    answers.map(({ callId }) => callId),
    expected.map(([callId]) => callId),
  );
  for (const [index, [, text]] of expected.entries())
    assert.match(answers[index]?.text ?? "", text);
  assert.deepEqual(done, ["refund A-1 1200"]);
});
