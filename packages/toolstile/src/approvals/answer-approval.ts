import { type ApprovalRecord, newAnswerCode, stateOf } from "@toolstile/approval";
import { quoted, ToolstileError } from "@toolstile/core/provider";
import { exitCodes } from "../terminal/command.js";
import { type Arguments, UsageError } from "../terminal/command-line.js";
import { confirmed } from "../terminal/confirm.js";
import { palette, printable, printableJson, type Terminal } from "../terminal/terminal.js";
import { inFull } from "./listing.js";
import { type ApprovalsHost, type OpenedApprovals, pendingAlike } from "./opened-approvals.js";

/** Answers the runs that were shown, and none that began to wait after that. */
export async function answerApproval(
  action: "approve" | "deny",
  record: ApprovalRecord,
  opened: OpenedApprovals,
  given: Arguments,
  terminal: Terminal,
  host: ApprovalsHost,
): Promise<number> {
  const { err } = terminal;
  const state = stateOf(record, opened.now);
  if (state !== "pending") {
    err.write(`The approval ${quoted(record.id)} is ${state}: it takes no answer any more.\n`);
    return exitCodes.broken;
  }
  const by = given.text("by") ?? host.user();
  // Before a person confirms what would then be refused.
  if (opened.approvers?.includes(by) === false) {
    throw new UsageError(
      `${quoted(by)} may not answer: the approver of the guard.yaml does not name them in 'approvers'. Say who answers by --by.`,
    );
  }
  const ids = given.has("only") ? [record.id] : await pendingAlike(record, opened);
  if (!given.has("yes") && !(await isConfirmed(action, record, ids, opened, terminal, host))) {
    err.write("Nothing was answered.\n");
    return exitCodes.broken;
  }
  const decision = action === "approve" ? "approved" : "denied";
  const answered: string[] = [];
  for (const id of ids) {
    const receipt = await explained(() =>
      opened.approvals.answer(id, { decision, by, reason: given.text("reason") }, { only: true }),
    );
    for (const each of receipt.answered) answered.push(each);
    if (receipt.answered.length === 0) {
      err.write(`The approval ${quoted(id)} is ${receipt.found}: it takes no answer any more.\n`);
    }
  }
  terminal.out.write(
    given.has("json")
      ? printableJson({ decision, by, answered })
      : told(answered, decision, by, terminal),
  );
  return answered.length === ids.length ? exitCodes.ok : exitCodes.broken;
}

function told(
  answered: readonly string[],
  decision: "approved" | "denied",
  by: string,
  { out, environment }: Terminal,
): string {
  const { green, red } = palette(out, environment);
  const word = decision === "approved" ? green(decision) : red(decision);
  return answered.map((id) => `${word} by ${printable(by)}: ${id}\n`).join("");
}

/** @throws UsageError if there is no terminal to ask at. */
function isConfirmed(
  action: "approve" | "deny",
  record: ApprovalRecord,
  ids: readonly string[],
  opened: OpenedApprovals,
  { err }: Terminal,
  host: ApprovalsHost,
): Promise<boolean> {
  const ask = async () => {
    err.write(await inFull(record, opened));
    const runs = ids.length === 1 ? "this run" : `these ${ids.length} runs`;
    if (action === "deny") return { question: `\nDeny ${runs}? [y/n]`, words: ["y", "yes"] };
    // The code is new: nothing that was typed before the question approves it.
    const code = newAnswerCode();
    return { question: `\nTo approve ${runs}, type ${code}:`, words: [code] };
  };
  return confirmed({ input: host.input(), err, action, ask });
}

/** Runs `answer`. Its error about an option becomes one in this command's words. */
async function explained<Value>(answer: () => Promise<Value>): Promise<Value> {
  try {
    return await answer();
  } catch (error) {
    if (!ToolstileError.isInstance(error) || error.code !== "ERR_INVALID_OPTION") throw error;
    throw new UsageError(
      "--by takes a name, and --reason a sentence: each on one line, and not too long.",
    );
  }
}
