import { MockMemory } from "@mastra/core/memory";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { guardTools } from "../src/index.js";
import { annOnly, mailer } from "./mail.js";
import { agentOf, saying } from "./scripted.js";

/** What a network's router says: the tool, and its arguments as text. */
const chosen = (to: string) => ({
  primitiveId: "send",
  primitiveType: "tool",
  prompt: JSON.stringify({ to }),
  selectionReason: "to send it",
});

/** Run a network whose router chooses these, one after the other. */
async function network(...choices: readonly object[]) {
  const { send, sent } = mailer();
  const observer = recordingObserver();
  const tools = guardTools({ send }, { guardrails: [annOnly], observers: [observer] });
  const agent = agentOf(saying(choices.map((choice) => JSON.stringify(choice))), {
    tools,
    memory: new MockMemory(),
  });
  const memory = { thread: "t1", resource: "ann" };
  const output = await agent.network("go", { memory, maxSteps: 2 });
  for await (const _ of output);
  return { sent, records: observer.records };
}

describe("a guarded tool of a network", () => {
  it("P6 P11 is run as rewritten", async () => {
    const over = { isComplete: true, completionReason: "sent", finalResult: "sent" };
    const { sent, records } = await network(chosen("bob"), over);
    expect(sent).toEqual([{ to: "ann" }]);
    expect(records.map(({ outcome }) => outcome?.status)).toEqual(["executed"]);
  });

  it("P11 is not run where it is denied, and the network's run ends", async () => {
    const { sent, records } = await network(chosen("thief"), chosen("ann"));
    expect(sent).toEqual([]);
    expect(records.map(({ outcome }) => outcome?.status)).toEqual(["denied"]);
  });
});
