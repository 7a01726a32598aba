import { closeSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import {
  type ChainHead,
  type VerifyOptions,
  type VerifyReport,
  verify,
} from "@toolstile/audit-log";
import { valuesOf, verifyLogFolder } from "./audit/verify-folder.js";
import { type Command, exitCodes } from "./command.js";
import { readArguments, UsageError } from "./command-line.js";
import { complaint, isExplained } from "./file-error.js";
import { counted, palette, printable, printableJson, type Terminal } from "./terminal.js";

const help = `Usage: toolstile verify PATH [OPTION…]

Check an audit log: each record's hash, its number, and its link to the record
before it. Names the first record that is not as it was written. PATH is the
folder of a log, of which every chain is checked, or one .jsonl file.

Of a folder:
  --key FILE              public key of the checkpoints: their signatures are
                          checked, too
  --anchor PATH           checkpoints that were kept elsewhere, as a file or a
                          folder; may be given again. They show a cut, or a log
                          that was written anew
  --origin NAME           the origin that the checkpoints must have, as the
                          log's writers were given it. One key may sign many
                          logs: without this, the log may be another one

Of a file:
  --expect NUMBER:SHA256  the log must still hold this record: the last one
                          that an earlier run printed. Without it, nobody sees
                          that the end of a log was cut off
  --key FILE              the log's key: payloads, where the log has them, are
                          compared with what their records commit to

Options:
  --json                  print the report as one JSON object

Exit codes:
  0  every record is whole and in its place
  1  the log is broken, or cut, or its last line is torn
  2  the log, a key or an anchor cannot be read, or the command was called
     wrongly

Example:
  toolstile verify ./audit --key audit.public.pem --anchor /mnt/worm/checkpoints
  toolstile verify audit.jsonl --key audit.jsonl.key
`;

/** `toolstile verify`: is this audit log as it was written? */
export const verifyAuditLog: Command = {
  name: "verify",
  summary: "check that an audit log is as it was written",
  help,
  run: async (argv, terminal) => {
    const given = readArguments(argv, {
      expect: "string",
      key: "string",
      anchor: "string",
      origin: "string",
      json: "boolean",
    });
    const [path, ...more] = given.operands;
    if (path === undefined) throw new UsageError("Name the audit log to verify.");
    if (more.length > 0) throw new UsageError("One audit log at a time.");
    const expect = readHead(given.text("expect"));
    if (isFolder(path)) {
      if (expect !== undefined) {
        throw new UsageError("--expect is for a file. Of a folder, --anchor shows a cut.");
      }
      const [key, anchor] = [given.text("key"), valuesOf(argv, "anchor")];
      const origin = given.text("origin");
      return verifyLogFolder({ path, key, anchor, origin, asJson: given.has("json") }, terminal);
    }
    for (const option of ["anchor", "origin"]) {
      if (given.has(option)) throw new UsageError(`--${option} is for the folder of a log.`);
    }
    if (isSegment(path)) {
      const log = printable(dirname(dirname(path)));
      throw new UsageError(
        `This is one segment of a log: it cannot be checked without what goes before it. Verify the log's folder: ${log}`,
      );
    }
    const report = await read(path, { key: given.text("key"), expect }, terminal);
    if (report === undefined) return exitCodes.usage;
    terminal.out.write(given.has("json") ? printableJson(report) : inWords(path, report, terminal));
    return report.ok ? exitCodes.ok : exitCodes.broken;
  },
};

/** What cannot be looked at is left to whoever reads it: there the reason is said. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const segmentStart = /^\{"seq":[0-9]+,"prev":"[0-9a-f]{64}","v":1,"kind":"segment",/;

/** Whether a file begins as one of many in a log's folder does. What a look takes out of a pipe is gone for good. */
function isSegment(path: string): boolean {
  const bytes = Buffer.alloc(256);
  try {
    if (!statSync(path).isFile()) return false;
    const file = openSync(path, "r");
    try {
      return segmentStart.test(bytes.toString("latin1", 0, readSync(file, bytes)));
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

/** @throws UsageError for anything but a number and a hash. */
function readHead(text: string | undefined): ChainHead | undefined {
  if (text === undefined) return undefined;
  const [, number, hash] = /^([1-9][0-9]{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number === undefined || hash === undefined) {
    throw new UsageError("--expect takes the number of a record and its SHA-256: 12:0f3a…");
  }
  return { seq: Number(number), hash };
}

async function read(
  path: string,
  options: VerifyOptions,
  { err }: Terminal,
): Promise<VerifyReport | undefined> {
  try {
    return await verify(path, options);
  } catch (error) {
    if (!isExplained(error)) throw error;
    err.write(complaint(path, error));
    return undefined;
  }
}

function inWords(path: string, report: VerifyReport, terminal: Terminal): string {
  const { red, green, dim, bold } = palette(terminal.out, terminal.environment);
  const { firstBad, torn, dropped, digestsChecked, otherKey, head } = report;
  const lines = [`${bold(printable(path))}: ${verdict(report, red, green)}`];
  if (firstBad !== undefined) {
    const number = firstBad.seq === undefined ? "" : `, which says it is record ${firstBad.seq}`;
    lines.push(`  line ${firstBad.line}${number}: ${printable(firstBad.reason)}`);
  }
  if (torn !== undefined) {
    lines.push(`  line ${torn.line}: ${counted(torn.bytes)} bytes without an end of line`);
  }
  if (dropped > 0) lines.push(`  the writer dropped ${counted(dropped)} records, and says so`);
  if (digestsChecked > 0) lines.push(`  ${counted(digestsChecked)} payloads compared`);
  if (otherKey > 0) {
    lines.push(`  ${counted(otherKey)} records were made under another key, and not compared`);
  }
  lines.push(dim(`  last: ${head.seq}:${head.hash}`), dim(`  ${report.note}`));
  return `${lines.join("\n")}\n`;
}

function verdict(
  { ok, records, firstBad }: VerifyReport,
  red: (text: string) => string,
  green: (text: string) => string,
): string {
  if (ok) return green(`ok, ${counted(records)} records`);
  const whole = `${counted(records)} good records before it`;
  return red(firstBad === undefined ? `torn, ${whole}` : `broken, ${whole}`);
}
