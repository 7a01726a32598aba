import { createInterface } from "node:readline";
import { type ApprovalRecord, newAnswerCode, stateOf } from "@toolstile/approval";
import { quoted, ToolstileError } from "@toolstile/core";
import { exitCodes } from "../command.js";
import { type Arguments, UsageError } from "../command-line.js";
import { palette, printable, printableJson, type Terminal } from "../terminal.js";
import { type Desk, pendingAlike, type Surroundings } from "./desk.js";
import { inFull } from "./listing.js";

/** Answers the runs that were shown, and none that came to wait after that. */
export async function answerApproval(
  action: "approve" | "deny",
  record: ApprovalRecord,
  desk: Desk,
  given: Arguments,
  terminal: Terminal,
  surroundings: Surroundings,
): Promise<number> {
  const { err } = terminal;
  const state = stateOf(record, desk.now);
  if (state !== "pending") {
    err.write(`The approval ${quoted(record.id)} is ${state}: it takes no answer any more.\n`);
    return exitCodes.broken;
  }
  const ids = given.has("only") ? [record.id] : await pendingAlike(record, desk);
  if (!given.has("yes") && !(await confirm(action, record, ids, desk, terminal, surroundings))) {
    err.write("Nothing was answered.\n");
    return exitCodes.broken;
  }
  const decision = action === "approve" ? "approved" : "denied";
  const by = given.text("by") ?? surroundings.user();
  const answered: string[] = [];
  for (const id of ids) {
    const receipt = await explained(() =>
      desk.approvals.answer(id, { decision, by, reason: given.text("reason") }, { only: true }),
    );
    answered.push(...receipt.answered);
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

/** @throws UsageError where nobody is there to be asked. */
async function confirm(
  action: "approve" | "deny",
  record: ApprovalRecord,
  ids: readonly string[],
  desk: Desk,
  { err }: Terminal,
  surroundings: Surroundings,
): Promise<boolean> {
  const input = surroundings.input();
  if (input.isTTY !== true)
    throw new UsageError(`There is no terminal to ask at: say --yes to ${action}.`);
  err.write(await inFull(record, desk));
  const runs = ids.length === 1 ? "this run" : `these ${ids.length} runs`;
  // What was typed ahead of the question must not approve it.
  const code = action === "approve" ? newAnswerCode() : undefined;
  err.write(
    `\n${code === undefined ? `Deny ${runs}? [y/n]` : `To approve ${runs}, type ${code}:`} `,
  );
  const lines = createInterface({ input, terminal: false });
  try {
    const line = await new Promise<string>((resolve) => {
      lines.once("line", resolve);
      lines.once("close", () => resolve(""));
    });
    const word = line.trim().toLowerCase();
    return code === undefined ? word === "y" || word === "yes" : word === code;
  } finally {
    lines.close();
  }
}

/** What an answer can be that is none, in this command's words. */
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
