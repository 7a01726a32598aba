import type { Scope } from "../call/caller.js";
import type { CallRequest, RunOptions } from "../call/request.js";
import { ToolstileError } from "../errors/error.js";
import { quoted } from "../errors/names.js";
import { type Grant, grantOf } from "../guard/grants.js";
import { ownValue } from "../json/own.js";
import type { ApprovalAnswer, ApprovalQuestion, Approver } from "../protocol/approval.js";
import { within } from "../time/wait.js";
import { readAnswer } from "./approve.js";
import type { Refusal, RunMode, RunnerContext } from "./run.js";

/** An approval that was given, or refused. */
type Recalled = { readonly question: ApprovalQuestion } & (
  | { readonly grant: Grant; readonly refusal: undefined }
  | { readonly grant: undefined; readonly refusal: Refusal }
);

/** A call that is taken up as it was asked for, and the approval that it runs with, or that was refused. */
export interface Resumption {
  readonly request: CallRequest;
  readonly options: RunOptions;
  readonly resumed: RunMode["resumed"];
}

/** Loads the call that an approval was asked for, once it is given or refused. @throws ToolstileError as `recall` and `requireRunnerOf` do. */
export async function resumption(
  { approver, agents }: RunnerContext,
  approvalId: string,
  scope: Scope,
): Promise<Resumption> {
  if (approver === undefined) {
    throw new ToolstileError("ERR_APPROVAL", "This runner has no approver. Give it one.");
  }
  const { question, grant, refusal } = await recall(approver, approvalId, scope);
  requireRunnerOf(question, agents);
  const { runId, requestedName, askedArgs, callId, receipt, agentName, context, turnId } = question;
  const options = Object.fromEntries(
    Object.entries({ agentName, context, signal: scope.caller, turnId }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const request = { name: requestedName, arguments: askedArgs, callId, receipt };
  const resumed = { runId, grant, refusal };
  // Without a prototype: it is awaited, and a `then` may be planted on Object.prototype.
  return Object.assign(Object.create(null), { request, options, resumed });
}

/**
 * Loads the question of an approval that was given or refused, as the approver kept it.
 *
 * An error of the approver is told to operators only: it may hold anything.
 *
 * @throws ToolstileError `ERR_APPROVAL` if there is none that can be resumed, or
 * the approver could not be asked; `ERR_ABORTED` if the caller aborts before.
 */
async function recall(approver: Approver, approvalId: string, scope: Scope): Promise<Recalled> {
  const question: ApprovalQuestion = Object.create(null);
  let no: Extract<ApprovalAnswer, { decision: "denied" }> | undefined;
  try {
    const recalled = await within(scope.bounds(), approver.recall(approvalId));
    Object.assign(question, recalled?.value);
    if (recalled !== undefined && recalled.value === undefined && approver.read !== undefined) {
      const read = await within(scope.bounds(), approver.read(approvalId));
      const record = ownValue(read?.value, "record");
      const answer = readAnswer(ownValue(record, "answer"));
      if (answer?.decision === "denied") {
        no = answer;
        Object.assign(question, ownValue(record, "question"));
      }
    }
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
    texts.every((text) => typeof text === "string") &&
    objects.every((object) => typeof object === "object" && object !== null)
  ) {
    const refusal = no && { approvalId, question, reason: no.reason, by: no.by };
    const grant = no === undefined ? grantFor(approvalId, question) : undefined;
    if (grant !== undefined || refusal !== undefined)
      return Object.assign(Object.create(null), { question, grant, refusal });
  }
  throw new ToolstileError(
    "ERR_APPROVAL",
    "The approver has no unused approval with this id: it is pending, was refused, was used, has expired, or never existed. The approver's read(id) says which.",
  );
}

/** Makes a grant; undefined if the approver gives arguments that no call can have had. */
function grantFor(approvalId: string, question: ApprovalQuestion): Grant | undefined {
  try {
    return grantOf(approvalId, question);
  } catch {
    return undefined;
  }
}

/**
 * Makes sure that the guards that denied a call are asked again when it is resumed.
 *
 * @throws ToolstileError `ERR_APPROVAL` if the runner does not belong to the agents whose runner asked.
 */
function requireRunnerOf({ runnerAgents }: ApprovalQuestion, agents: readonly string[]): void {
  // The approver may have kept no such list, or anything else.
  const asked: unknown = runnerAgents;
  if (!isTexts(asked)) {
    throw new ToolstileError(
      "ERR_APPROVAL",
      "The approver must keep the whole question: its `runnerAgents` must be a list of names. Without it, nothing says whose runner asked.",
    );
  }
  if (asked.length === agents.length && asked.every((name, index) => name === agents[index]))
    return;
  throw new ToolstileError(
    "ERR_APPROVAL",
    `This approval is for a call of ${whose(asked)}, and this is ${whose(agents)}, which has other guards. Resume the call on the runner that asked.`,
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function whose(agents: readonly string[]): string {
  return agents.length === 0
    ? "a runner that belongs to no agent"
    : `the runner of agent ${agents.map(quoted).join(" > ")}`;
}
