import { statSync } from "node:fs";
import { type AuditRecord, isLogFolder } from "@toolstile/audit-log/read";
import { type Command, exitCodes } from "../terminal/command.js";
import { type Arguments, readArguments, UsageError } from "../terminal/command-line.js";
import { complaint, isExplained } from "../terminal/file-error.js";
import { Progress } from "../terminal/progress.js";
import { counted, palette, printable, printableJson, type Terminal } from "../terminal/terminal.js";
import { CallReading, inOrder } from "./call-reading.js";
import { callTable, GrowingTable } from "./call-table.js";
import { callEntry, withoutMembers } from "./entry.js";
import { interruption } from "./follow.js";
import { withRelativeTimes } from "./moment.js";
import { noChain } from "./no-chain.js";
import { recordsOfRun, runInWords } from "./one-run.js";
import { writePage } from "./page-command.js";
import { type CallQuery, queryForms, readQuery } from "./query.js";

/** The rows of a table without a --limit. */
const usualLimit = 100;

/** `toolstile audit`: what stands in a log's folder, call by call. */
export const audit: Command = {
  run: async (argv, terminal) => {
    const given = readArguments(withRelativeTimes(argv), {
      ...queryForms,
      follow: "boolean",
      json: "boolean",
      html: "string",
      payloads: "boolean",
      force: "boolean",
    });
    const [path, ...more] = given.operands;
    if (path === undefined) throw new UsageError("Name the folder of an audit log.");
    if (more.length > 0) throw new UsageError("One audit log at a time.");
    requireOneForm(given);
    const query = readQuery(given, Date.now());
    try {
      // With --follow, one may come yet.
      if (!given.has("follow") && !(await isLogFolder(path))) {
        terminal.err.write(noChain(path));
        return exitCodes.usage;
      }
      return await show(path, query, given, terminal);
    } catch (error) {
      if (!isExplained(error)) throw error;
      terminal.err.write(isFile(path) ? oneFile(path) : complaint(path, error));
      return exitCodes.usage;
    }
  },
};

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function oneFile(path: string): string {
  return `${printable(path)}: this is a file, and toolstile audit reads a folder that folder() writes. A file that jsonLines() writes has one record of JSON on each line, and toolstile verify checks it.\n`;
}

function requireOneForm(given: Arguments): void {
  const forms = ["html", "json", "follow"].filter((each) => given.has(each));
  if (given.has("html") && forms.length > 1) {
    throw new UsageError(`--html and --${forms[1]} do not go together.`);
  }
  if (given.has("follow") && given.has("run")) {
    throw new UsageError("--follow and --run do not go together.");
  }
  if (given.has("follow") && given.text("status") === "no_outcome") {
    throw new UsageError("--follow shows calls that are over: it has none without an outcome.");
  }
  if (given.has("force") && !given.has("html")) throw new UsageError("--force is for --html.");
  if (given.has("payloads") && !given.has("html") && !given.has("json")) {
    throw new UsageError("--payloads is for --html and --json. --run shows payloads as it is.");
  }
}

async function show(
  path: string,
  query: CallQuery,
  given: Arguments,
  terminal: Terminal,
): Promise<number> {
  const page = given.text("html");
  const withPayloads = given.has("payloads");
  if (page !== undefined) {
    const chosen = Object.keys(queryForms)
      .filter((option) => given.has(option))
      .map((option) => `--${option} ${given.text(option)}`);
    const force = given.has("force");
    return writePage({ path, page, query, chosen, withPayloads, force }, terminal);
  }
  const print = (call: AuditRecord): void => {
    terminal.out.write(jsonLine(call, withPayloads));
  };
  const runId = given.text("run");
  if (runId !== undefined) {
    return showRun(path, runId, given.has("json") ? print : undefined, terminal);
  }
  const reading = new CallReading(path, query);
  const add = given.has("json")
    ? await printJson(reading, { limit: query.limit, payloads: withPayloads }, print)
    : await printTable(reading, query, terminal);
  if (given.has("follow")) {
    using interrupted = interruption();
    for await (const call of reading.outcomes(interrupted.signal)) add(call);
  }
  return exitCodes.ok;
}

async function showRun(
  path: string,
  runId: string,
  print: ((call: AuditRecord) => void) | undefined,
  { out, err, environment }: Terminal,
): Promise<number> {
  const records = await recordsOfRun(path, runId);
  if (records.length === 0) {
    err.write(`${printable(path)}: there is no record of the run ${printable(runId)}\n`);
    return exitCodes.broken;
  }
  if (print === undefined) out.write(runInWords(records, palette(out, environment)));
  else records.forEach(print);
  return exitCodes.ok;
}

async function printJson(
  reading: CallReading,
  { limit, payloads }: { readonly limit: number | undefined; readonly payloads: boolean },
  print: (call: AuditRecord) => void,
): Promise<(call: AuditRecord) => void> {
  if (limit === undefined) {
    for await (const call of reading.outcomes()) print(call);
    reading.withoutOutcome().forEach(print);
  } else {
    const { newestFirst } = await reading.latest({ limit, payloads });
    const calls = await inOrder(newestFirst());
    calls.forEach(print);
  }
  return print;
}

async function printTable(
  reading: CallReading,
  { limit = usualLimit }: CallQuery,
  terminal: Terminal,
): Promise<(call: AuditRecord) => void> {
  const { out, err, environment } = terminal;
  const progress = new Progress(terminal);
  const found = await reading.latest({
    limit,
    onProgress: (read) => progress.show("reading", read),
  });
  const calls = await inOrder(found.newestRecords());
  progress.clear();
  const colours = palette(out, environment);
  out.write(callTable(calls, colours));
  if (calls.length === 0) {
    err.write("No such call was found. Names and ids are compared whole; --json prints them so.\n");
  }
  if (found.hasEarlier) {
    err.write(`The latest ${counted(calls.length)} calls are shown: --limit takes how many are.\n`);
  }
  if (found.dropped > 0) {
    err.write(
      `${counted(found.dropped)} records were dropped by their writers, and say nothing.\n`,
    );
  }
  const growing = new GrowingTable(calls, colours);
  return ({ record }) => out.write(growing.line(record));
}

function jsonLine(call: AuditRecord, withPayloads: boolean): string {
  const entry = callEntry(call, withPayloads);
  try {
    return printableJson(entry);
  } catch {
    return printableJson(withoutMembers(entry));
  }
}
