import {
  type GuardrailPlugin,
  readOptions,
  ToolstileError,
  uncheckedFor,
} from "@toolstile/core/provider";
import { folder } from "./folder/folder.js";
import type { FolderOptions } from "./folder/options.js";
import { auditLog } from "./log/audit-log.js";
import { type AuditLogDataOptions, count, logSchemas, text } from "./log/plugin-options.js";
import { jsonLines } from "./sink/json-lines.js";

/** The options of `auditLog()` that can be written as data; `path` or `folder` stands for the sink and `keyFile` for the key. */
export interface AuditLogPluginOptions extends AuditLogDataOptions {
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
  ...logSchemas,
} as const;

/** The audit log for configuration files. It writes a folder, or one file of JSON Lines. */
export const plugin: GuardrailPlugin<AuditLogPluginOptions> = {
  name: "audit-log",
  optionsSchema: { type: "object", properties, additionalProperties: false },
  create(options) {
    const given = readOptions(
      "audit-log",
      options,
      uncheckedFor(properties),
    ) as AuditLogPluginOptions;
    const { path, folder: inFolder, keyFile, ...rest } = given;
    if ((path === undefined) === (inFolder === undefined)) {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "audit-log needs 'path', the file to write to, or 'folder' with its 'path': exactly one of them.",
      );
    }
    return auditLog({ ...rest, sink: sinkOf(path, inFolder), key: keyFile });
  },
};

function sinkOf(path: string | undefined, inFolder: FolderPluginOptions | undefined) {
  if (inFolder === undefined) return jsonLines(path ?? "");
  const { path: at, ...options } = readOptions(
    "audit-log: 'folder'",
    inFolder,
    uncheckedFor(folderProperties),
  ) as FolderPluginOptions;
  return folder(at, options);
}
