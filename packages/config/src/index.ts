export { createFromPlugin } from "./create-from-plugin.js";
export { GuardFileError, type GuardFileFault } from "./guard-file/faults.js";
export type {
  GuardFile,
  GuardFilePolicy,
  LoadedGuard,
  LoadGuardFileOptions,
} from "./guard-file/guard-file.js";
export { inspectGuardFile, loadGuardFile } from "./guard-file/load.js";
export { type LoadPluginOptions, loadPlugin, type PluginReference } from "./load-plugin.js";
