import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verify } from "@toolstile/audit-log";
import { type Command, exitCodes } from "../terminal/command.js";
import { readArguments, UsageError } from "../terminal/command-line.js";
import { complaint } from "../terminal/file-error.js";
import { type Palette, palette, type Terminal } from "../terminal/terminal.js";
import { guardedAgent } from "./agent.js";
import { isAsScripted, type Ruling, rulingOf } from "./ruling.js";
import { script } from "./script.js";
import { showAct, summary } from "./show.js";
import { tamper } from "./tampering.js";

/** `toolstile demo`: shows a guarded agent at work. */
export const demo: Command = {
  run: async (argv, terminal) => {
    if (readArguments(argv, {}).operands.length > 0)
      throw new UsageError("demo takes no arguments.");
    const folder = await temporaryFolder(terminal);
    if (folder === undefined) return exitCodes.broken;
    try {
      const colours = palette(terminal.out, terminal.environment);
      const isPlayed = await play(join(folder, "audit.jsonl"), terminal, colours);
      // There is nothing to prove of a log that could not be written.
      const isProved = isPlayed && (await prove(folder, terminal, colours));
      return isProved ? exitCodes.ok : exitCodes.broken;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function temporaryFolder({ err }: Terminal): Promise<string | undefined> {
  try {
    return await mkdtemp(join(tmpdir(), "toolstile-demo-"));
  } catch (error) {
    err.write(complaint(tmpdir(), error));
    err.write(
      "The demo needs a folder for its audit log: set TMPDIR to one that it may write in.\n",
    );
    return undefined;
  }
}

/** The calls, one after the other, and a table of what became of them. */
async function play(auditPath: string, { out }: Terminal, colours: Palette): Promise<boolean> {
  const { bold, dim, red, green } = colours;
  out.write(`${bold("A bookshop's agent, and the guards between it and its tools")}\n`);
  out.write(`${dim("The model is a script; the shop is made up; nothing leaves this machine.")}\n`);
  const rulings: Ruling[] = [];
  let surprises = 0;
  for await (const { turn, acts } of guardedAgent(script, auditPath)) {
    out.write(`\n${bold(turn.story)}\n`);
    for (const [index, act] of acts.entries()) {
      const [name, asked, expected] = turn.calls[index] as (typeof turn.calls)[number];
      out.write(showAct(name, asked, act, colours));
      rulings.push(rulingOf(act.outcome));
      if (isAsScripted(act, asked, expected)) continue;
      surprises++;
      out.write(`    ${red(`The script says: ${JSON.stringify(expected)}`)}\n`);
    }
  }
  out.write(`\n${summary(rulings, colours)}\n`);
  const conclusion =
    surprises === 0
      ? green(`All ${rulings.length} calls ended as the script says.`)
      : red(`${surprises} of ${rulings.length} calls did not end as the script says.`);
  out.write(`${conclusion}\n`);
  return surprises === 0;
}

/** The audit log holds; a copy with one byte flipped does not. */
async function prove(folder: string, { out }: Terminal, colours: Palette): Promise<boolean> {
  const { bold, dim, red, green } = colours;
  const path = join(folder, "audit.jsonl");
  const { ok, records, head } = await verify(path);
  out.write(`\n${bold("The audit log of it")}\n`);
  const state = ok ? green(`ok, ${records} records`) : red("broken");
  out.write(`    ${state}${dim(`, the last one with SHA-256 ${head.hash.slice(0, 16)}…`)}\n`);

  const { line, before, after, report } = await tamper(path, join(folder, "copy.jsonl"), "refund");
  const { firstBad } = report;
  const isFound = !report.ok && firstBad?.line === line;
  out.write(`\n${bold("A copy of it, with one byte flipped in the verdict on the refund")}\n`);
  out.write(`    ${before} is now ${after}\n`);
  out.write(
    isFound
      ? `    ${green(`found, in record ${firstBad.seq}`)}:\n    ${firstBad.reason}\n`
      : `    ${red(`not found, although line ${line} was changed`)}\n`,
  );
  return ok && isFound;
}
