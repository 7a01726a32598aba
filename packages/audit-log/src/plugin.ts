import { checkOptions, type GuardrailPlugin, ToolstileError } from "@toolstile/core";
import { type AuditLogOptions, auditLog } from "./audit-log.js";
import { folder } from "./folder/folder.js";
import type { FolderOptions } from "./folder/options.js";
import { jsonLines } from "./json-lines.js";

/** The options of `auditLog()` that can be written as data; `path` or `folder` stands for the sink and `keyFile` for the key. */
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
  readonly path?: string | undefined;
  /** In place of `path`: the folder that records are written to, and the options of `folder()` that are data. */
  readonly folder?: FolderPluginOptions | undefined;
  readonly keyFile?: string | undefined;
}

export interface FolderPluginOptions
  extends Pick<
    FolderOptions,
    | "durability"
    | "syncAfterMs"
    | "maxSegmentBytes"
    | "maxSegmentAgeMs"
    | "retention"
    | "checkpointEvery"
    | "checkpointAfterMs"
    | "origin"
    | "writer"
  > {
  readonly path: string;
  /** The path of a PEM file, or `false`. */
  readonly signingKey?: string | false | undefined;
}

const count = { type: "integer", minimum: 1 } as const;
const text = { type: "string", minLength: 1 } as const;
const folderProperties = {
  path: text,
  durability: { enum: ["write-ahead", "batched", "none"] },
  syncAfterMs: count,
  maxSegmentBytes: count,
  maxSegmentAgeMs: count,
  retention: {
    type: "object",
    properties: { maxSegments: count, maxBytes: count, maxAgeMs: count },
    additionalProperties: false,
  },
  signingKey: { anyOf: [text, { const: false }] },
  checkpointEvery: count,
  checkpointAfterMs: count,
  origin: text,
  writer: text,
} as const;
const properties = {
  path: text,
  folder: {
    type: "object",
    properties: folderProperties,
    required: ["path"],
    additionalProperties: false,
  },
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

/** How configuration names the audit log. It writes a folder, or one file of JSON Lines. */
export const plugin: GuardrailPlugin<AuditLogPluginOptions> = {
  name: "audit-log",
  optionsSchema: { type: "object", properties, additionalProperties: false },
  create(options) {
    checkOptions("audit-log", options, Object.keys(properties));
    const given: AuditLogPluginOptions = Object.assign(Object.create(null), options);
    const { path, folder: inFolder, keyFile, ...rest } = given;
    if ((path === undefined) === (inFolder === undefined)) {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "audit-log needs 'path', the file to write to, or 'folder' with its 'path': one of both.",
      );
    }
    return auditLog({ ...rest, sink: sinkOf(path, inFolder), key: keyFile });
  },
};

function sinkOf(path: string | undefined, inFolder: FolderPluginOptions | undefined) {
  if (inFolder === undefined) return jsonLines(path ?? "");
  checkOptions("audit-log: 'folder'", inFolder, Object.keys(folderProperties));
  const given: FolderPluginOptions = Object.assign(Object.create(null), inFolder);
  const { path: at, ...options } = given;
  return folder(at, options);
}
