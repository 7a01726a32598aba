export { createFromPlugin } from "./create-from-plugin.js";
export { loadToolDefinitions } from "./guard-file/declared-tools.js";
export { GuardFileError, type GuardFileFault } from "./guard-file/faults.js";
export type {
  GuardFile,
  GuardFilePolicy,
  LoadedGuard,
  LoadGuardFileOptions,
} from "./guard-file/guard-file.js";
export { type InspectedGuardFile, inspectGuardFile, loadGuardFile } from "./guard-file/load.js";
export {
  type GuardFileEvent,
  type WatchedGuardFile,
  type WatchGuardFileOptions,
  watchGuardFile,
} from "./guard-file/watch.js";
export { type LoadPluginOptions, loadPlugin, type PluginReference } from "./load-plugin.js";
