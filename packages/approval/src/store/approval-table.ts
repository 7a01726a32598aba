import { quoted, ToolstileError } from "@toolstile/core/provider";

export const defaultTable = "toolstile_approvals";
export const isOpenSql = "state IN ('pending', 'approved')";

/**
 * The SQL that makes the table and its indexes, unless they are there. Run it as the table's owner.
 *
 * The role of the process needs SELECT, INSERT, UPDATE and DELETE on it.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for a name that is none.
 */
export function approvalTable(table: string = defaultTable): string {
  const quotedTable = identifier(table);
  // An index stands in the schema of its table. PostgreSQL cuts names after 63 letters.
  const stem = table.slice(table.indexOf(".") + 1).slice(0, 50);
  const indexes = Object.entries({
    run: "USING hash (run_id)",
    likeness: "(likeness)",
    call: "(call)",
    expiry: "(expires_at)",
    open: `(expires_at) WHERE ${isOpenSql}`,
  }).map(
    ([name, what]) =>
      `CREATE INDEX IF NOT EXISTS ${identifier(`${stem}_${name}`)} ON ${quotedTable} ${what};\n`,
  );
  return `CREATE TABLE IF NOT EXISTS ${quotedTable} (
  id text PRIMARY KEY,
  run_id text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'used')),
  binding text NOT NULL,
  expires_at bigint NOT NULL,
  asked text NOT NULL,
  answered text CHECK ((answered IS NULL) = (state = 'pending')),
  likeness text,
  call text
);
${indexes.join("")}`;
}

/** Each part in quotes. Letters, digits and `_` only: nothing of it can be read as SQL. */
export function identifier(table: string): string {
  const parts = typeof table === "string" ? table.split(".") : [""];
  if (parts.length <= 2 && parts.every((part) => /^[A-Za-z_]\w{0,62}$/.test(part))) {
    return parts.map((part) => `"${part}"`).join(".");
  }
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `${quoted(String(table))} must be the name of a table: letters, digits and _, with a schema before a dot.`,
  );
}
