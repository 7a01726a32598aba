import { parseArgs } from "node:util";

export const usage = `Measure what guarding a call costs, and print a table of ratios.

  npm run bench                              every row of ours, some 8 minutes
  npm run bench -- --only "guarded call"     the rows whose name the pattern fits
  npm run bench -- --peers                   the neighbours too, which are installed first
  npm run bench -- --peers --write           write docs/benchmarks.md, some 19 minutes
  npm run bench -- --scale                   how costs grow with guards, tools, approvals, …
  npm run bench -- --scale --write           write docs/scale.md and its plots
  npm run bench -- --day                     a day of work in one process, and what it leaves behind
  npm run bench -- --day --write             write docs/a-day.md

Options:
  --only <pattern>    a regular expression, upper and lower case alike
  --peers             measure the neighbours of benchmarks/peers/package.json as well;
                      they are installed into benchmarks/peers/node_modules
  --processes <n>     fresh processes for each row, an odd number (default 5)
  --cpu               count the processor's time and not the clock's: for a machine that has
                      other work. Rows that wait for others are wrong then
  --scale             measure the curves of benchmarks/scale in place of the rows
  --check             with --scale: only what is cheap, at smaller sizes, as CI does
  --day               do a day's work in one process in place of the rows
  --share <part>      with --day: so much of the day, above 0 and at most 1 (default 1)
  --json              print one JSON object in place of the tables
  --write             also write docs/benchmarks.md: with --peers, without --only and --cpu;
                      with --scale docs/scale.md: without --only and --check;
                      with --day docs/a-day.md: without --share
  --help              print this

Exit codes:
  0  everything was measured, whether goals were reached or not
  1  a row could not be measured, a subject decided wrongly, or something could not be installed;
     with --scale also: a curve is steeper than it may be; with --day: something grew till the end
  2  the command is wrong, or no row fits the pattern
`;

/** A command that is wrong. Its message is for whoever wrote it. */
export class UsageError extends Error {}

/**
 * Reads the words of the command.
 *
 * @param {readonly string[]} words
 * @throws {UsageError}
 */
export function readOptions(words) {
  const values = parsed(words);
  const processes = Number(values.processes);
  if (!Number.isInteger(processes) || processes < 1 || processes % 2 === 0) {
    throw new UsageError(
      `--processes must be an odd whole number, received ${JSON.stringify(values.processes)}`,
    );
  }
  if (values.check && !values.scale) throw new UsageError("--check must be given with --scale");
  const share = Number(values.share ?? 1);
  if (!(share > 0 && share <= 1)) {
    throw new UsageError(
      `--share must be above 0 and at most 1, received ${JSON.stringify(values.share)}`,
    );
  }
  if (values.day && (values.scale || values.peers || values.cpu || values.only !== undefined)) {
    throw new UsageError("--day must be given without --scale, --peers, --cpu and --only");
  }
  if (values.write && values.day && values.share !== undefined) {
    throw new UsageError("--write must be given without --share: the page has the whole day");
  }
  if (values.scale && (values.peers || values.cpu)) {
    throw new UsageError(
      "--scale must be given without --peers and --cpu: it has curves of its own",
    );
  }
  if (values.write && values.scale && (values.only !== undefined || values.check)) {
    throw new UsageError(
      "--write must be given without --only and --check: the page has every curve",
    );
  }
  const rowsAreWritten = values.write && !values.scale && !values.day;
  if (rowsAreWritten && (!values.peers || values.only !== undefined || values.cpu)) {
    throw new UsageError(
      "--write must be given with --peers, and without --only and --cpu: the page has every row",
    );
  }
  return { ...values, processes, share, only: pattern(values.only) };
}

/** @param {readonly string[]} words */
function parsed(words) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        only: { type: "string" },
        peers: { type: "boolean", default: false },
        processes: { type: "string", default: "5" },
        cpu: { type: "boolean", default: false },
        scale: { type: "boolean", default: false },
        check: { type: "boolean", default: false },
        day: { type: "boolean", default: false },
        share: { type: "string" },
        json: { type: "boolean", default: false },
        write: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string | undefined} text */
function pattern(text) {
  if (text === undefined) return /(?:)/;
  try {
    return new RegExp(text, "i");
  } catch {
    throw new UsageError(`--only must be a regular expression, received ${JSON.stringify(text)}`);
  }
}
