import { expect } from "vitest";
import type { StandardSchema } from "../../src/host/index.js";
import { allowAll, ToolRunner } from "../../src/index.js";
import { spyTool } from "./runners.js";

/** The words that the model reads of arguments that a schema refuses, after the words that are always the same. */
export async function wordsFor(parameters: StandardSchema, args: object): Promise<string> {
  const pay = spyTool("pay");
  const runner = new ToolRunner({ tools: [{ ...pay, parameters }], guardrails: [allowAll()] });
  const outcome = await runner.run({ name: "pay", arguments: args });
  expect(outcome).toMatchObject({ status: "denied", code: "schema", basis: "policy" });
  expect(pay.runs).toEqual([]);
  const before = "Tool call denied: arguments for tool 'pay' do not match its schema";
  expect(outcome.result.content).toMatch(new RegExp(`^${before}`));
  return String(outcome.result.content).slice(before.length);
}
