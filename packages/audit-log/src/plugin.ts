import { checkOptions, type GuardrailPlugin, ToolstileError } from "@toolstile/core";
import { type AuditLogOptions, auditLog } from "./audit-log.js";
import { jsonLines } from "./json-lines.js";

/** The options of `auditLog()` that can be written as data; `path` stands for the sink and `keyFile` for the key. */
export interface AuditLogPluginOptions
  extends Pick<
    AuditLogOptions,
    | "required"
    | "payloads"
    | "metadata"
    | "maxQueued"
    | "onFull"
    | "maxSessions"
    | "name"
    | "timeoutMs"
  > {
  /** The file that records are appended to. */
  readonly path: string;
  readonly keyFile?: string | undefined;
}

const count = { type: "integer", minimum: 1 } as const;
const properties = {
  path: { type: "string", minLength: 1 },
  keyFile: { type: "string", minLength: 1 },
  required: { type: "boolean" },
  payloads: { type: "boolean" },
  metadata: { type: "boolean" },
  maxQueued: count,
  onFull: { enum: ["block", "drop"] },
  maxSessions: count,
  name: { type: "string", minLength: 1 },
  timeoutMs: { type: "number", exclusiveMinimum: 0 },
} as const;

/** How configuration names the audit log. It writes JSON Lines. */
export const plugin: GuardrailPlugin<AuditLogPluginOptions> = {
  name: "audit-log",
  optionsSchema: { type: "object", properties, required: ["path"], additionalProperties: false },
  create(options) {
    checkOptions("audit-log", options, Object.keys(properties));
    const { path, keyFile, ...rest }: AuditLogPluginOptions = Object.assign(
      Object.create(null),
      options,
    );
    if (path === undefined) {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "audit-log needs 'path': the file to write to.",
      );
    }
    return auditLog({ ...rest, sink: jsonLines(path), key: keyFile });
  },
};
