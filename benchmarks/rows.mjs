import { allowlistRow } from "./rows/allowlist.mjs";
import { auditRows } from "./rows/audit.mjs";
import { engineRows } from "./rows/engine.mjs";
import { guardedCallRows } from "./rows/guarded-call.mjs";
import { mcpProxyRows } from "./rows/mcp-proxy.mjs";
import { rateLimitRows } from "./rows/rate-limit.mjs";
import { schemaRows } from "./rows/schema.mjs";
import { strictParseRows } from "./rows/strict-parse.mjs";
import { tenGuardsRow } from "./rows/ten-guards.mjs";

/** Every row: what is measured, against what, and the goal that it is held to. */
export const rows = [
  ...guardedCallRows,
  tenGuardsRow,
  ...strictParseRows,
  ...schemaRows,
  allowlistRow,
  ...rateLimitRows,
  ...auditRows,
  ...engineRows,
  ...mcpProxyRows,
];
