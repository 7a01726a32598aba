import { expect, it } from "vitest";
import { allowAll } from "../src/guard/combinators.js";
import { ToolRunner } from "../src/index.js";

it("tells a tool of its call what ToolContext names, and nothing else", async () => {
  let told: object = {};
  const runner = new ToolRunner({
    guardrails: [allowAll()],
    tools: [
      {
        name: "read",
        execute: (_, context) => {
          told = context;
        },
      },
    ],
  });
  await runner.run({ name: "read", callId: "c1", receipt: "secret" }, { agentName: "clerk" });
  expect(Object.keys(told).sort()).toEqual([
    "agentName",
    "callId",
    "context",
    "permit",
    "requestedName",
    "toolName",
  ]);
  const members = Object.getOwnPropertyNames(Object.getPrototypeOf(told));
  expect(members.sort()).toEqual(["constructor", "runId", "signal"]);
});
