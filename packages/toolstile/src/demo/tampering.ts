import { readFile, writeFile } from "node:fs/promises";
import { type VerifyReport, verify } from "@toolstile/audit-log";

/** The result of verifying a copy of the log with one flipped byte. */
export interface Tampering {
  /** The line that was changed, from 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
  readonly report: VerifyReport;
}

/**
 * Flip one bit in a copy of an audit log, in the verdict on the call to a tool, and verify the copy.
 *
 * @throws Error when the log has no such record.
 */
export async function tamper(path: string, copy: string, toolName: string): Promise<Tampering> {
  const log = await readFile(path);
  const record = log.indexOf(`"requestedName":"${toolName}"`);
  const before = '"status":"denied"';
  const start = log.indexOf(before, record);
  if (record === -1 || start === -1) throw new Error("The log has no denied call to that tool.");
  const index = start + before.indexOf("denied");
  log.writeUInt8(log.readUInt8(index) ^ 1, index);
  await writeFile(copy, log);
  return {
    line: log.subarray(0, index).toString("latin1").split("\n").length,
    before,
    after: log.toString("latin1", start, start + before.length),
    report: await verify(copy),
  };
}
