export { loadToolDefinitions } from "./guard-file/declared-tools.js";
export { GuardFileError, type GuardFileFault } from "./guard-file/faults.js";
export type {
  GuardFile,
  GuardFileEvent,
  GuardFilePolicy,
  InspectedGuard,
  InspectGuardFileOptions,
  LoadedGuard,
  LoadGuardFileOptions,
  OptionPlace,
  WatchGuardFileOptions,
} from "./guard-file/guard-file.js";
export { type InspectedApprover, inspectApprover } from "./guard-file/inspect-approver.js";
export { type InspectedGuardFile, inspectGuardFile, loadGuardFile } from "./guard-file/load.js";
export { type WatchedGuardFile, watchGuardFile } from "./guard-file/watch.js";
export { createFromPlugin } from "./plugins/create-from-plugin.js";
export { type LoadPluginOptions, loadPlugin, type PluginReference } from "./plugins/load-plugin.js";
