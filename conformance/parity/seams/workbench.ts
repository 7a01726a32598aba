import { allowAll, type ToolResult } from "@toolstile/core";
import {
  type GuardedWorkbench,
  guardWorkbench,
  StaticWorkbench,
  type WorkbenchCallOptions,
} from "@toolstile/core/workbench";
import { approvedIn, each, readOf, statesFacts, toolsOf } from "../playing.js";
import type { AskedCall, Report, Seam, Turn } from "../seam.js";

async function onBench(
  turn: Turn,
  bench: GuardedWorkbench,
  play: (call: AskedCall) => Promise<ToolResult>,
): Promise<Report> {
  await bench.start();
  const { values, ...rest } = await each(turn, play);
  const resume = async (): Promise<Report> => {
    const result = await bench.resume(await approvedIn(turn.approver));
    return { read: new Map([readOf(result)]) };
  };
  return { read: new Map(values.map(readOf)), ...rest, resume };
}

function workbenchOptions({ guardrails, observers, approver, timeoutMs }: Turn) {
  return { guardrails, observers, approver, timeoutMs };
}

function callOptions({ describe, signal }: Turn, { callId }: AskedCall): WorkbenchCallOptions {
  return { ...(describe?.() as WorkbenchCallOptions), signal, callId };
}

const benches = {
  StaticWorkbench: (turn: Turn) => new StaticWorkbench(toolsOf(turn.tools), workbenchOptions(turn)),
  guardWorkbench: (turn: Turn) =>
    guardWorkbench(
      new StaticWorkbench(toolsOf(turn.tools), { guardrails: [allowAll()], unchecked: true }),
      workbenchOptions(turn),
    ),
};

export const workbenchSeams: readonly Seam[] = Object.entries(benches).flatMap(
  ([name, make]): Seam[] => [
    {
      name: `${name}, callTool`,
      cannot: statesFacts,
      play: (turn) => {
        const bench = make(turn);
        return onBench(turn, bench, (call) =>
          bench.callTool(call.name, call.arguments, callOptions(turn, call)),
        );
      },
    },
    {
      name: `${name}, callToolStream`,
      cannot: statesFacts,
      play: (turn) => {
        const bench = make(turn);
        return onBench(turn, bench, async (call) => {
          let last: unknown;
          const pieces = bench.callToolStream(call.name, call.arguments, callOptions(turn, call));
          for await (const piece of pieces) last = piece;
          return last as ToolResult;
        });
      },
    },
  ],
);
