import { type ApprovalRecord, approvals, stateOf } from "@toolstile/approval";
import { didYouMean, quoted, ToolstileError } from "@toolstile/core/provider";
import { type Command, exitCodes } from "../terminal/command.js";
import { type Arguments, readArguments, UsageError } from "../terminal/command-line.js";
import { printable, printableJson, type Terminal } from "../terminal/terminal.js";
import { answerApproval } from "./answer-approval.js";
import { StoreError } from "./connect.js";
import { asJson, asTable, inFull } from "./listing.js";
import { openStore } from "./open-store.js";
import type { ApprovalsHost, OpenedApprovals } from "./opened-approvals.js";

const actions = ["list", "show", "approve", "deny"] as const;
type Action = (typeof actions)[number];

const forms = {
  config: "string",
  store: "string",
  database: "string",
  table: "string",
  key: "string",
  by: "string",
  reason: "string",
  only: "boolean",
  yes: "boolean",
  json: "boolean",
} as const;
/** The options that only some of the actions have. */
const goesWith: ReadonlyMap<string, readonly Action[]> = new Map([
  ["by", ["approve", "deny"]],
  ["reason", ["deny"]],
  ["only", ["approve", "deny"]],
  ["yes", ["approve", "deny"]],
]);

/** `toolstile approvals`: what waits for a yes, and saying it. */
export function approvalsCommand(host: ApprovalsHost): Command {
  return {
    run: async (argv, terminal) => {
      const given = readArguments(argv, forms);
      const { action, id } = readOperands(given);
      try {
        const { store, approvers, close } = await openStore(
          given,
          host.folder,
          terminal.environment,
        );
        try {
          const { clock } = host;
          const opened: OpenedApprovals = {
            store,
            approvals: approvals({ store, clock, approvers }),
            approvers,
            now: clock.now(),
          };
          return await act(action, id, opened, given, terminal, host);
        } finally {
          await close();
        }
      } catch (error) {
        if (!(error instanceof StoreError) && !ToolstileError.isInstance(error)) throw error;
        terminal.err.write(`${printable(error.message)}\n`);
        return exitCodes.usage;
      }
    },
  };
}

/** @throws UsageError for an unknown action, or a missing id. */
function readOperands(given: Arguments): { readonly action: Action; readonly id: string } {
  const [word, id, ...more] = given.operands;
  const action = actions.find((each) => each === word);
  if (action === undefined) {
    if (word === undefined) throw new UsageError(`Say what to do: ${actions.join(", ")}.`);
    throw new UsageError(`There is no action ${quoted(word)}.${didYouMean(word, actions)}`);
  }
  for (const [option, fitting] of goesWith) {
    if (given.has(option) && !fitting.includes(action)) {
      throw new UsageError(`--${option} does not go with ${action}.`);
    }
  }
  if (action === "list") {
    if (id !== undefined) throw new UsageError("list takes no id. Try: show.");
    return { action, id: "" };
  }
  if (id === undefined) throw new UsageError(`Name the approval to ${action}, by its id.`);
  if (more.length > 0) throw new UsageError("One approval at a time.");
  return { action, id };
}

async function act(
  action: Action,
  id: string,
  opened: OpenedApprovals,
  given: Arguments,
  terminal: Terminal,
  host: ApprovalsHost,
): Promise<number> {
  if (action === "list") return list(opened, given, terminal);
  const record = await opened.store.read(id);
  if (record === undefined) {
    const { damaged } = await opened.store.list(opened.now, { id });
    const why = damaged.includes(id) ? "is damaged, and counts as denied" : "is not there";
    terminal.err.write(`The approval ${quoted(id)} ${why}.\n`);
    return exitCodes.broken;
  }
  if (action === "show") return show(record, opened, given, terminal);
  return answerApproval(action, record, opened, given, terminal, host);
}

async function list(
  opened: OpenedApprovals,
  given: Arguments,
  terminal: Terminal,
): Promise<number> {
  const { records, damaged } = await opened.approvals.list();
  terminal.out.write(
    given.has("json")
      ? asJson(records, damaged, opened.now)
      : asTable(records, opened.now, terminal),
  );
  for (const id of damaged) {
    terminal.err.write(`The approval ${quoted(id)} is damaged, and counts as denied.\n`);
  }
  return damaged.length === 0 ? exitCodes.ok : exitCodes.broken;
}

async function show(
  record: ApprovalRecord,
  opened: OpenedApprovals,
  given: Arguments,
  terminal: Terminal,
): Promise<number> {
  if (given.has("json")) {
    const state = stateOf(record, opened.now);
    terminal.out.write(printableJson({ ...record, state }));
  } else {
    terminal.out.write(await inFull(record, opened));
  }
  return exitCodes.ok;
}
