import { guardQuery } from "@toolstile/claude-agent";
import { type Asked, hookError, play } from "../../../packages/claude-agent/test/cli.js";
import { lastOf, textOf, throwReported } from "../playing.js";
import type { AskedCall, Report, Seam, Turn } from "../seam.js";

const cannot: Seam["cannot"] = {
  notJsonRecorded: "The SDK reads the arguments and answers the call itself. Nothing runs.",
  unknownToolRecorded: "The SDK answers the call itself. Nothing runs.",
  repeatedKey:
    "The SDK reads the arguments, and of a key that comes twice takes the last. What it read is what is judged and run.",
  abortWhileRunning:
    "The SDK tells of a tool that was interrupted as of one that failed, and so it is on record.",
  approvalResumed:
    "The SDK runs the tools, and takes no call up again. An approver that answers while the call waits lifts a denial.",
  approvalOtherTrace:
    "The SDK runs the tools, and takes no call up again. An approver that answers while the call waits lifts a denial.",
};

/** The SDK's part is played by the script that the tests of the package have. */
async function playTurn(turn: Turn): Promise<Report> {
  const { guardrails, observers, approver, timeoutMs, describe, signal } = turn;
  const options = guardQuery(
    {},
    {
      guardrails,
      observers,
      approver,
      timeoutMs,
      describe,
      tools: turn.tools.map(({ name, parameters }) => ({ name, parameters })),
    },
  );
  const tools = Object.fromEntries(
    turn.tools.map(({ name, execute }) => [
      name,
      (args: never) => Promise.resolve(execute(args, signal)).then(lastOf).then(throwReported),
    ]),
  );
  const read = new Map<string, string>();
  const calls = turn.calls.flatMap((call) => {
    const asked = askedBy(call);
    if (asked === undefined) read.set(call.callId, "The arguments are no JSON.");
    return asked === undefined ? [] : [asked];
  });
  const played = await play({ options, tools, ...(signal && { signal }) }, ...calls);
  for (const [callId, response] of Object.entries(played.read)) {
    // What the SDK writes before the reason of a denial is its own.
    const text = response === undefined ? "" : textOf(response);
    read.set(callId, text.startsWith(hookError) ? text.slice(hookError.length) : text);
  }
  return { read, rejected: played.stopReason };
}

function askedBy({ callId, name, arguments: text }: AskedCall): Asked | undefined {
  try {
    return [name, JSON.parse(text), callId];
  } catch {
    return undefined;
  }
}

export const claudeAgentSeams: readonly Seam[] = [
  { name: "Claude Agent SDK guardQuery", cannot, play: playTurn },
];
