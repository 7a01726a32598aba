import { closeSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import {
  type ChainHead,
  type VerifyOptions,
  type VerifyReport,
  verify,
} from "@toolstile/audit-log";
import { type Command, exitCodes } from "../terminal/command.js";
import { readArguments, UsageError } from "../terminal/command-line.js";
import { complaint, isExplained } from "../terminal/file-error.js";
import { counted, palette, printable, printableJson, type Terminal } from "../terminal/terminal.js";
import { verifyLogFolder } from "./verify-folder.js";

/** `toolstile verify`: reports whether an audit log was changed. */
export const verifyAuditLog: Command = {
  run: async (argv, terminal) => {
    const given = readArguments(argv, {
      expect: "string",
      key: "string",
      anchor: "strings",
      origin: "string",
      json: "boolean",
    });
    const [path, ...more] = given.operands;
    if (path === undefined) throw new UsageError("Name the audit log to verify.");
    if (more.length > 0) throw new UsageError("One audit log at a time.");
    const expect = readHead(given.text("expect"));
    if (isFolder(path)) {
      if (expect !== undefined) {
        throw new UsageError("--expect is for a file. For a folder, use --anchor.");
      }
      const [key, anchor] = [given.text("key"), given.texts("anchor")];
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
    const words = () => inWords(path, report, expect === undefined, terminal);
    terminal.out.write(given.has("json") ? printableJson(report) : words());
    return report.ok ? exitCodes.ok : exitCodes.broken;
  },
};

/** True for a folder. A path that cannot be looked at is not one: reading it gives the reason. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const segmentStart = /^\{"seq":[0-9]+,"prev":"[0-9a-f]{64}","v":1,"kind":"segment",/;

/** True for a file that begins like one segment of a log's folder. A pipe is not read here: its bytes would be lost. */
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

function inWords(
  path: string,
  report: VerifyReport,
  isUnexpected: boolean,
  terminal: Terminal,
): string {
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
  if (isUnexpected && report.ok)
    lines.push(dim("  Keep the last record, and give it the next time: --expect NUMBER:SHA256"));
  return `${lines.join("\n")}\n`;
}

function verdict(
  { ok, records, firstBad }: VerifyReport,
  red: (text: string) => string,
  green: (text: string) => string,
): string {
  if (ok) return green(`ok, ${counted(records)} ${records === 1 ? "record" : "records"}`);
  // Not "good": that a record has its hash and follows from the one before it can be had without a key.
  const before = `${counted(records)} whole ${records === 1 ? "record" : "records"} before it`;
  return red(firstBad === undefined ? `torn, ${before}` : `broken, ${before}`);
}
