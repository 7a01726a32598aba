import { inTime, untilAborted } from "./approval.js";
import type { Scope } from "./call.js";
import { ToolstileError } from "./errors.js";
import { type Grant, grantOf } from "./lifted.js";
import { quoted } from "./naming.js";
import type { ApprovalQuestion, Approver } from "./protocol.js";
import { canTrustAwait } from "./thenable.js";

/** An approval that was given. */
export interface Recalled {
  readonly question: ApprovalQuestion;
  readonly grant: Grant;
}

/**
 * The question of an approval that was given, as the approver kept it.
 *
 * What the approver throws is told to operators, and to nobody else: it may
 * hold anything.
 *
 * @throws ToolstileError `ERR_APPROVAL` where there is none that can be taken
 * up, or the approver could not be asked; `ERR_ABORTED` where the caller gives up before.
 */
export async function recall(
  approver: Approver,
  approvalId: string,
  scope: Scope,
): Promise<Recalled> {
  const question: ApprovalQuestion = Object.create(null);
  try {
    Object.assign(question, await inTime(scope, untilAborted(scope, approver.recall(approvalId))));
  } catch (cause) {
    scope.report(approver.name, "approval", cause);
    throw new ToolstileError("ERR_APPROVAL", "The approver could not be asked.", { cause });
  }
  if (scope.caller?.aborted === true) {
    throw new ToolstileError("ERR_ABORTED", "The caller aborted before the call was taken up.", {
      cause: scope.caller.reason,
    });
  }
  const { runId, callId, requestedName, provider, reason } = question;
  const texts = [runId, callId, requestedName, provider, reason];
  const objects = [question.args, question.askedArgs, question.context, question.approval];
  if (
    canTrustAwait() &&
    texts.every((text) => typeof text === "string") &&
    objects.every((object) => typeof object === "object" && object !== null)
  ) {
    const grant = grantFor(approvalId, question);
    if (grant !== undefined) return { question, grant };
  }
  throw new ToolstileError(
    "ERR_APPROVAL",
    "There is no approval of this id that has been given and not been used: it waits for an answer, was refused, was used, has expired or never was. The approver knows which.",
  );
}

/** Nothing, where the approver gives arguments that no call can have had. */
function grantFor(approvalId: string, question: ApprovalQuestion): Grant | undefined {
  try {
    return grantOf(approvalId, question);
  } catch {
    return undefined;
  }
}

/**
 * A call is taken up only where the guards that denied it are asked again.
 *
 * @throws ToolstileError `ERR_APPROVAL` where the runner is not that of the agents whose runner asked.
 */
export function requireRunnerOf(
  { runnerAgents }: ApprovalQuestion,
  agents: readonly string[],
): void {
  // Who keeps questions may have kept no such thing, or anything.
  const asked: unknown = runnerAgents;
  if (!isTexts(asked)) {
    throw new ToolstileError(
      "ERR_APPROVAL",
      "The approver does not say whose runner asked for this approval: it has to keep the question whole.",
    );
  }
  if (asked.length === agents.length && asked.every((name, index) => name === agents[index]))
    return;
  throw new ToolstileError(
    "ERR_APPROVAL",
    `This approval is for a call of ${whose(asked)}, and this is ${whose(agents)}: other guards are asked here. Resume it there.`,
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function whose(agents: readonly string[]): string {
  return agents.length === 0
    ? "a runner that is no agent's"
    : `the runner of agent ${agents.map(quoted).join(" > ")}`;
}
