import { type AuditLog, auditLog, type JsonLinesSink, jsonLines } from "@toolstile/audit-log";
import { UsageError } from "../command-line.js";
import { complaint } from "../file-error.js";
import type { TextStream } from "../terminal.js";
import { requireApart } from "./apart.js";
import { FindingsFile } from "./findings-file.js";

export interface OutputNames {
  readonly audit: string | undefined;
  readonly findings: string | undefined;
}

/** What a replay writes to, open. */
export interface Outputs {
  readonly audit: { readonly path: string; readonly log: AuditLog } | undefined;
  readonly findings: FindingsFile | undefined;
}

/**
 * Open all that is to be written, or none: nothing is written over before all
 * of it can be written.
 *
 * Says on `err` why one of them cannot be, and gives nothing then.
 *
 * @throws UsageError where something would be written over that must not be.
 */
export async function openOutputs(
  { audit, findings }: OutputNames,
  read: readonly string[],
  err: TextStream,
): Promise<Outputs | undefined> {
  let log: AuditLog | undefined;
  let list: FindingsFile | undefined;
  // Of what is being opened when it fails.
  let path = audit ?? "";
  try {
    const sink = audit === undefined ? undefined : jsonLines(audit);
    const requireAllApart = (): void => requireApart({ read, audit: sink?.files ?? [], findings });
    requireAllApart();
    path = findings ?? "";
    list = findings === undefined ? undefined : new FindingsFile(findings);
    path = audit ?? "";
    log = sink === undefined ? undefined : auditLog({ sink });
    // Once more: now all of them are there, so that no link can mislead.
    requireAllApart();
    path = findings ?? "";
    list?.begin();
  } catch (error) {
    await log?.close();
    list?.close();
    if (error instanceof UsageError) throw error;
    err.write(complaint(path, error));
    return undefined;
  }
  return {
    audit: audit === undefined || log === undefined ? undefined : { path: audit, log },
    findings: list,
  };
}
