import { type RunOptions, type ToolOutcome, ToolRunner, ToolstileError } from "@toolstile/core";
import { guardExecutor } from "@toolstile/core/executor";
import {
  drained,
  each,
  lastOf,
  readOf,
  reportedError,
  statesFacts,
  textOf,
  toolsOf,
} from "../playing.js";
import type { AskedCall, Report, Seam, Turn } from "../seam.js";

function runnerOf({ tools, guardrails, observers, approver, timeoutMs }: Turn): ToolRunner {
  return new ToolRunner({ tools: toolsOf(tools), guardrails, observers, approver, timeoutMs });
}

function optionsOf({ describe, signal }: Turn): RunOptions {
  return { ...describe?.(), signal };
}

function requestOf({ callId, name, arguments: args }: AskedCall) {
  return { callId, name, arguments: args };
}

/** The report of some outcomes, which can go on with one that waits for an approval. */
function report(outcomes: readonly ToolOutcome[], runner: ToolRunner): Report {
  const waiting = outcomes.find(
    (outcome) => outcome.status === "denied" && outcome.approvalId !== undefined,
  );
  const approvalId = waiting?.status === "denied" ? waiting.approvalId : undefined;
  return {
    read: new Map(outcomes.map(({ result }) => readOf(result))),
    resume:
      approvalId === undefined
        ? undefined
        : async () => report([await runner.resume(approvalId)], runner),
  };
}

async function outcomesOf(
  turn: Turn,
  runner: ToolRunner,
  play: (call: AskedCall) => Promise<ToolOutcome>,
): Promise<Report> {
  const { values, ...rest } = await each(turn, play);
  return { ...report(values, runner), ...rest };
}

/** A call that this side runs, between `open` and `close`. */
async function openAndClose(runner: ToolRunner, turn: Turn, call: AskedCall): Promise<ToolOutcome> {
  const opened = await runner.open(requestOf(call), optionsOf(turn));
  if (opened.outcome !== undefined) return opened.outcome;
  const own = turn.tools.find(({ name }) => name === opened.call.toolName);
  try {
    return await opened.close({
      value: await lastOf(own?.execute(opened.call.args, opened.call.signal)),
    });
  } catch (error) {
    if (ToolstileError.isInstance(error)) throw error;
    return opened.close({ error });
  }
}

/** The text that an executor answers in; what reports an error stays as it is. */
function answered(value: unknown): string {
  if (reportedError(value) !== undefined) return value as string;
  return value === undefined ? "" : textOf(value);
}

async function executed(turn: Turn): Promise<Report> {
  const { tools, guardrails, observers, approver, timeoutMs } = turn;
  const byName = new Map(tools.map((each) => [each.name, each]));
  const outcomes: ToolOutcome[] = [];
  const guarded = guardExecutor<[string], string>(
    async (name, args) => answered(await lastOf(byName.get(name)?.execute(args, turn.signal))),
    {
      tools: tools.map(({ execute: _, ...declared }) => declared),
      guardrails,
      observers,
      approver,
      timeoutMs,
      describe: (callId) => {
        const facts = turn.describe?.() ?? {};
        return facts instanceof Promise ? facts : { ...facts, signal: turn.signal, callId };
      },
      denied: (outcome) => {
        outcomes.push(outcome);
        return textOf(outcome.result.content);
      },
    },
  );
  const run = async ({ callId, name, arguments: args }: AskedCall): Promise<[string, string]> => {
    try {
      return [callId, await guarded(name, args, callId)];
    } catch (error) {
      // What an executor throws is thrown: whoever called it tells the model.
      if (ToolstileError.isInstance(error)) throw error;
      return [callId, String(error)];
    }
  };
  const { values, ...rest } = await each(turn, run);
  const waiting = outcomes.find(
    (each) => each.status === "denied" && each.approvalId !== undefined,
  );
  const approvalId = waiting?.status === "denied" ? (waiting.approvalId ?? "") : "";
  const resume = async (): Promise<Report> => {
    const { callId, result } = await guarded.resume(approvalId, waiting?.callId ?? "");
    return { read: new Map([[callId, textOf(result.content)]]) };
  };
  return { read: new Map(values), ...rest, resume: waiting === undefined ? undefined : resume };
}

export const runnerSeams: readonly Seam[] = [
  {
    name: "ToolRunner.runAll",
    cannot: statesFacts,
    play: async (turn) => {
      const runner = runnerOf(turn);
      return report(await runner.runAll(turn.calls.map(requestOf), optionsOf(turn)), runner);
    },
  },
  {
    name: "ToolRunner.run",
    cannot: statesFacts,
    play: (turn) => {
      const runner = runnerOf(turn);
      return outcomesOf(turn, runner, (call) => runner.run(requestOf(call), optionsOf(turn)));
    },
  },
  {
    name: "ToolRunner.stream",
    cannot: statesFacts,
    play: (turn) => {
      const runner = runnerOf(turn);
      return outcomesOf(turn, runner, (call) =>
        drained(runner.stream(requestOf(call), optionsOf(turn))),
      );
    },
  },
  {
    name: "ToolRunner.open and close",
    cannot: statesFacts,
    play: (turn) => {
      const runner = runnerOf(turn);
      return outcomesOf(turn, runner, (call) => openAndClose(runner, turn, call));
    },
  },
  { name: "guardExecutor", cannot: {}, play: executed },
];
