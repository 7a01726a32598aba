import {
  type GuardrailPlugin,
  readOptions,
  required,
  unchecked,
  uncheckedFor,
} from "@toolstile/core/provider";
import { fileStore } from "../store/file-store.js";
import { approvals } from "./approvals.js";
import { type ApprovalsDataOptions, approvalsSchemas, keyFile, text } from "./data-options.js";

/** The options of `approvals()` with a `fileStore()` that can be written as data. */
export interface ApprovalsPluginOptions extends ApprovalsDataOptions {
  readonly folder: FolderPluginOptions;
  /** The path of the key that seals the approvals. Default: the file `key` in the folder, which is made if it is absent. */
  readonly keyFile?: string | undefined;
}

export interface FolderPluginOptions {
  /** The folder of the approvals, relative to the working directory. It is made if it is absent. */
  readonly path: string;
}

const folder = { path: text };
const properties = {
  folder: { type: "object", properties: folder, required: ["path"], additionalProperties: false },
  keyFile,
  ...approvalsSchemas,
};

/** Names an approver with a folder in data. `toolstile approvals --store` lists and answers. */
export const plugin: GuardrailPlugin<ApprovalsPluginOptions> = {
  name: "approvals",
  optionsSchema: { type: "object", properties, required: ["folder"], additionalProperties: false },
  create(options) {
    const {
      folder: given,
      keyFile,
      ...rest
    } = readOptions("approvals", options, {
      ...uncheckedFor(properties),
      folder: required(unchecked<FolderPluginOptions>()),
    }) as ApprovalsPluginOptions;
    const { path } = readOptions("approvals: 'folder'", given, uncheckedFor(folder));
    return approvals({ ...rest, store: fileStore(path as string, { key: keyFile }) });
  },
};
