import type { AuditLogOptions } from "./options.js";

/** The options of `auditLog()` that data can say, wherever the log is written. */
export type AuditLogDataOptions = Pick<
  AuditLogOptions,
  | "required"
  | "payloads"
  | "metadata"
  | "maxQueued"
  | "onFull"
  | "maxSessions"
  | "name"
  | "timeoutMs"
>;

export const count = { type: "integer", minimum: 1 } as const;
export const text = { type: "string", minLength: 1 } as const;

/** JSON Schemas of these options, and of the path of the key. */
export const logSchemas = {
  keyFile: text,
  required: { type: "boolean" },
  payloads: { enum: [true, false, "beside"] },
  metadata: { type: "boolean" },
  maxQueued: count,
  onFull: { enum: ["block", "deny", "drop"] },
  maxSessions: count,
  name: text,
  timeoutMs: { type: "number", exclusiveMinimum: 0 },
} as const;
