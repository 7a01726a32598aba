import { readFileSync } from "node:fs";
import { quoted, ToolstileError } from "@toolstile/core/provider";

const defaultTable = "audit_log";

const identifier = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/** A table's name, quoted for SQL. */
export interface TableName {
  readonly sql: string;
  readonly schema: string | undefined;
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for anything but a name, or a schema's and a name. */
export function tableName(where: string, table: string = defaultTable): TableName {
  const parts = typeof table === "string" ? table.split(".") : [];
  const [first, second] = parts;
  if (first === undefined || parts.length > 2 || !parts.every((part) => identifier.test(part))) {
    const given = typeof table === "string" ? ` ${quoted(table)} is none.` : "";
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `${where}: 'table' is a name, or a schema and a name with a dot between, of letters, digits and underscores.${given}`,
    );
  }
  return second === undefined
    ? { sql: `"${first}"`, schema: undefined }
    : { sql: `"${first}"."${second}"`, schema: `"${first}"` };
}

/**
 * The SQL that makes the table, and the role that may only add to it and read:
 * the shipped `sql/audit-log.sql`, for a table of this name.
 *
 * It may be run again. The role is `audit_log_writer` for every table. Triggers
 * refuse UPDATE, DELETE and TRUNCATE to everyone; the owner can remove them, so
 * the application must not be the owner.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION`. The schema must exist.
 */
export function auditTable(table?: string): string {
  const { sql, schema } = tableName("auditTable()", table);
  const shipped = readFileSync(new URL("../../sql/audit-log.sql", import.meta.url), "utf8");
  if (table === undefined) return shipped;
  const named = shipped
    .replace(/\baudit_log\b/g, () => sql)
    .replace(/\baudit_log_refusal\b/g, (name) =>
      schema === undefined ? name : `${schema}.${name}`,
    );
  return schema === undefined
    ? named
    : `${named}\ngrant usage on schema ${schema} to audit_log_writer;\n`;
}
