import { newAnswerCode } from "@toolstile/approval";
import { didYouMean, quoted, ToolstileError } from "@toolstile/core/provider";
import { DefinitionPins, filePins, type PinStatus, renderChanges } from "@toolstile/mcp";
import { exitCodes } from "../terminal/command.js";
import { type Arguments, readArguments, UsageError } from "../terminal/command-line.js";
import { confirmed } from "../terminal/confirm.js";
import { reasonOf } from "../terminal/file-error.js";
import { type Column, table } from "../terminal/table.js";
import { palette, printable, printableJson, type Terminal } from "../terminal/terminal.js";
import type { ProxyHost } from "./host.js";
import { pinsPath } from "./options.js";

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
  host: ProxyHost,
): Promise<number> {
  const given = readArguments(argv, forms);
  const [word = "list", tool, ...more] = given.operands;
  const action = actions.find((each) => each === word);
  if (action === undefined) {
    throw new UsageError(`There is no action ${quoted(word)}.${didYouMean(word, actions)}`);
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
    return await approve(pin, shown, pins, given, terminal, host);
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
  host: ProxyHost,
): Promise<number> {
  const { out, err } = terminal;
  const names = `${printable(tool)} of ${printable(server)}`;
  if (seen === undefined) {
    err.write(`Nothing waits for approval: ${names} is as it was approved.\n`);
    return exitCodes.broken;
  }
  if (!given.has("yes")) {
    err.write(`${names}\n${changes}`);
    // The code is new: nothing that was typed before the question approves it.
    const code = newAnswerCode();
    const question = `\nTo approve this definition, type ${code}:`;
    const ask = async () => ({ question, words: [code] });
    if (!(await confirmed({ input: host.input(), err, action: "approve", ask }))) {
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
