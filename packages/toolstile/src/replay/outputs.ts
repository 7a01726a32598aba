import { type AuditLog, auditLog, jsonLines } from "@toolstile/audit-log";
import { UsageError } from "../terminal/command-line.js";
import { complaint } from "../terminal/file-error.js";
import type { TextStream } from "../terminal/terminal.js";
import { requireApart } from "./apart.js";
import { FindingsFile } from "./findings-file.js";

export interface OutputNames {
  readonly audit: string | undefined;
  readonly findings: string | undefined;
}

/** The open files that a replay writes to. */
export interface Outputs {
  readonly audit: AuditLog | undefined;
  readonly findings: FindingsFile | undefined;
}

/**
 * Open all that is to be written, or none: nothing is written over before it
 * is known that all of it can be written.
 *
 * Says on `err` which of them cannot be and why, and gives nothing then.
 *
 * @throws UsageError where something would be written over that must not be.
 */
export async function openOutputs(
  names: OutputNames,
  read: readonly string[],
  err: TextStream,
): Promise<Outputs | undefined> {
  let failed = false;
  const attempt = <Done>(path: string | undefined, act: (path: string) => Done) => {
    if (path === undefined || failed) return undefined;
    try {
      return act(path);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      failed = true;
      err.write(complaint(path, error));
      return undefined;
    }
  };
  const sink = attempt(names.audit, (path) => jsonLines(path));
  requireApart({ read, audit: sink?.files ?? [], findings: names.findings });
  const findings = attempt(names.findings, (path) => new FindingsFile(path));
  const audit = sink && attempt(names.audit, () => auditLog({ sink }));
  attempt(names.findings, () => findings?.begin());
  if (!failed) return { audit, findings };
  await audit?.close();
  findings?.close();
  return undefined;
}
