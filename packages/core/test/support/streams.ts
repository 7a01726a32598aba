import { allowAll, type ResultGuardrail, type ToolOutcome, ToolRunner } from "../../src/index.js";
import { spyTool } from "./runners.js";

export const request = { name: "send", callId: "c1" };

export async function read(
  stream: AsyncGenerator<unknown, ToolOutcome>,
): Promise<[unknown[], ToolOutcome]> {
  const pieces: unknown[] = [];
  for (;;) {
    const step = await stream.next();
    if (step.done === true) return [pieces, step.value];
    pieces.push(step.value);
  }
}

export function runnerOf(
  act: () => unknown,
  judges: readonly ResultGuardrail[] = [],
  more: object = {},
): ToolRunner {
  return new ToolRunner({
    tools: [spyTool("send", act, more)],
    guardrails: [allowAll(), ...judges],
  });
}

export const words = async function* (): AsyncGenerator<string> {
  yield "one";
  yield "two";
  yield "three";
};
