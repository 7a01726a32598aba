import { type ApprovalRecord, approvals, stateOf } from "@toolstile/approval";
import { didYouMean, quoted, ToolstileError } from "@toolstile/core";
import { type Command, exitCodes } from "../command.js";
import { type Arguments, readArguments, UsageError } from "../command-line.js";
import { printable, printableJson, type Terminal } from "../terminal.js";
import { answerApproval } from "./answer.js";
import { StoreError } from "./connect.js";
import type { Desk, Surroundings } from "./desk.js";
import { help } from "./help.js";
import { asJson, asTable, inFull } from "./listing.js";
import { openStore } from "./open-store.js";

const actions = ["list", "show", "approve", "deny"] as const;
type Action = (typeof actions)[number];

const forms = {
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
/** What only goes with some of the actions. */
const goesWith: ReadonlyMap<string, readonly Action[]> = new Map([
  ["by", ["approve", "deny"]],
  ["reason", ["deny"]],
  ["only", ["approve", "deny"]],
  ["yes", ["approve", "deny"]],
]);

/** `toolstile approvals`: what waits for a yes, and saying it. */
export function approvalsCommand(surroundings: Surroundings): Command {
  return {
    name: "approvals",
    summary: "list and answer the tool calls that wait for a human",
    help,
    run: async (argv, terminal) => {
      const given = readArguments(argv, forms);
      const { action, id } = readOperands(given);
      try {
        const { store, close } = await openStore(given, surroundings.folder);
        try {
          const { clock } = surroundings;
          const desk: Desk = { store, approvals: approvals({ store, clock }), now: clock.now() };
          return await act(action, id, desk, given, terminal, surroundings);
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

/** @throws UsageError for what is no action, or lacks its id. */
function readOperands(given: Arguments): { readonly action: Action; readonly id: string } {
  const [word, id, ...more] = given.operands;
  const action = actions.find((each) => each === word);
  if (action === undefined) {
    if (word === undefined) throw new UsageError(`Say what to do: ${actions.join(", ")}.`);
    throw new UsageError(`There is nothing called ${quoted(word)}.${didYouMean(word, actions)}`);
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
  desk: Desk,
  given: Arguments,
  terminal: Terminal,
  surroundings: Surroundings,
): Promise<number> {
  if (action === "list") return list(desk, given, terminal);
  const record = await desk.store.read(id);
  if (record === undefined) {
    const { damaged } = await desk.approvals.list();
    const why = damaged.includes(id) ? "is damaged, and counts as denied" : "is not there";
    terminal.err.write(`The approval ${quoted(id)} ${why}.\n`);
    return exitCodes.broken;
  }
  if (action === "show") return show(record, desk, given, terminal);
  return answerApproval(action, record, desk, given, terminal, surroundings);
}

async function list(desk: Desk, given: Arguments, terminal: Terminal): Promise<number> {
  const { records, damaged } = await desk.approvals.list();
  terminal.out.write(
    given.has("json") ? asJson(records, damaged, desk.now) : asTable(records, desk.now, terminal),
  );
  for (const id of damaged) {
    terminal.err.write(`The approval ${quoted(id)} is damaged, and counts as denied.\n`);
  }
  return damaged.length === 0 ? exitCodes.ok : exitCodes.broken;
}

async function show(
  record: ApprovalRecord,
  desk: Desk,
  given: Arguments,
  terminal: Terminal,
): Promise<number> {
  if (given.has("json")) {
    const state = stateOf(record, desk.now);
    terminal.out.write(printableJson({ ...record, state }));
  } else {
    terminal.out.write(await inFull(record, desk));
  }
  return exitCodes.ok;
}
