import { createInterface } from "node:readline";
import { newAnswerCode } from "@toolstile/approval";
import { didYouMean, quoted, ToolstileError } from "@toolstile/core";
import { DefinitionPins, filePins, type PinStatus, renderChanges } from "@toolstile/mcp";
import { exitCodes } from "../command.js";
import { type Arguments, readArguments, UsageError } from "../command-line.js";
import { reasonOf } from "../file-error.js";
import { type Column, table } from "../table.js";
import { palette, printable, printableJson, type Terminal } from "../terminal.js";
import { pinsPath } from "./options.js";
import type { Surroundings } from "./surroundings.js";

const actions = ["list", "diff", "approve"] as const;
const forms = {
  config: "string",
  pins: "string",
  name: "string",
  yes: "boolean",
  json: "boolean",
} as const;
const columns: readonly Column[] = [
  { title: "server", align: "left" },
  { title: "tool", align: "left" },
  { title: "state", align: "left" },
  { title: "approved", align: "left" },
  { title: "waits", align: "left" },
];

/** `toolstile mcp pins`: what is pinned, what has changed, and approving it. */
export async function pinsCommand(
  argv: readonly string[],
  terminal: Terminal,
  surroundings: Surroundings,
): Promise<number> {
  const given = readArguments(argv, forms);
  const [word = "list", tool, ...more] = given.operands;
  const action = actions.find((each) => each === word);
  if (action === undefined) {
    throw new UsageError(`There is nothing called ${quoted(word)}.${didYouMean(word, actions)}`);
  }
  const path = pinsPath(given);
  if (path === undefined) throw new UsageError("Say where pins are kept: --config or --pins.");
  if (given.has("yes") && action !== "approve") throw new UsageError("--yes goes with approve.");
  if (action === "list" ? tool !== undefined : tool === undefined || more.length > 0) {
    throw new UsageError(action === "list" ? "list takes no tool." : `Name one tool to ${action}.`);
  }
  try {
    const pins = new DefinitionPins({ store: await filePins(path) });
    const all = (await pins.list()).filter(
      ({ server }) => server === (given.text("name") ?? server),
    );
    if (action === "list") return list(all, given, terminal);
    const pin = chosen(all, tool as string);
    const shown = renderChanges(await pins.changes(pin.server, pin.tool));
    if (action === "diff") {
      const json = { ...pin, changes: await pins.changes(pin.server, pin.tool) };
      terminal.out.write(given.has("json") ? printableJson(json) : shown || "No change.\n");
      return exitCodes.ok;
    }
    return await approve(pin, shown, pins, given, terminal, surroundings);
  } catch (error) {
    if (!ToolstileError.isInstance(error)) throw error;
    terminal.err.write(`toolstile mcp: ${reasonOf(error)}\n`);
    return error.code === "ERR_APPROVAL" ? exitCodes.broken : exitCodes.usage;
  }
}

function list(
  pins: readonly PinStatus[],
  given: Arguments,
  { out, environment }: Terminal,
): number {
  if (given.has("json")) out.write(printableJson({ pins }));
  else if (pins.length === 0) out.write("Nothing is pinned yet.\n");
  else {
    const { yellow } = palette(out, environment);
    const rows = pins.map(({ server, tool, state, approved = "", seen = "" }) => ({
      cells: [server, tool, state, approved.slice(0, 12), seen.slice(0, 12)].map(printable),
      paint: state === "pinned" ? undefined : yellow,
    }));
    out.write(table(columns, rows));
  }
  return exitCodes.ok;
}

/** @throws UsageError where none or several servers have the tool. */
function chosen(pins: readonly PinStatus[], tool: string): PinStatus {
  const [pin, ...others] = pins.filter((each) => each.tool === tool);
  if (pin === undefined) {
    const names = pins.map((each) => each.tool);
    throw new UsageError(`No tool ${quoted(tool)} has been seen.${didYouMean(tool, names)}`);
  }
  if (others.length === 0) return pin;
  throw new UsageError(`Several servers have a tool ${quoted(tool)}: say which, by --name.`);
}

async function approve(
  { server, tool, seen }: PinStatus,
  changes: string,
  pins: DefinitionPins,
  given: Arguments,
  terminal: Terminal,
  surroundings: Surroundings,
): Promise<number> {
  const { out, err } = terminal;
  const names = `${printable(tool)} of ${printable(server)}`;
  if (seen === undefined) {
    err.write(`Nothing waits for approval: ${names} is as it was approved.\n`);
    return exitCodes.broken;
  }
  if (!given.has("yes")) {
    err.write(`${names}\n${changes}`);
    if (!(await confirmed(surroundings, terminal))) {
      err.write("Nothing was approved.\n");
      return exitCodes.broken;
    }
  }
  // Only what was shown: the server may have changed it again in the meantime.
  await pins.approve(server, tool, seen);
  out.write(
    given.has("json") ? printableJson({ server, tool, approved: seen }) : `approved: ${names}\n`,
  );
  return exitCodes.ok;
}

/** @throws UsageError where nobody is there to be asked. */
async function confirmed(surroundings: Surroundings, { err }: Terminal): Promise<boolean> {
  const input = surroundings.input();
  if (input.isTTY !== true) {
    throw new UsageError("There is no terminal to ask at: say --yes to approve.");
  }
  // What was typed ahead of the question must not approve it.
  const code = newAnswerCode();
  err.write(`\nTo approve this definition, type ${code}: `);
  const lines = createInterface({ input, terminal: false });
  try {
    const line = await new Promise<string>((resolve) => {
      lines.once("line", resolve);
      lines.once("close", () => resolve(""));
    });
    return line.trim().toLowerCase() === code;
  } finally {
    lines.close();
  }
}
