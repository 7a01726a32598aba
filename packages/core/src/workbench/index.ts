export type { GuardedWorkbench, WorkbenchOptions } from "./guarded-workbench.js";
export { guardWorkbench } from "./outer-workbench.js";
export type { ToolOverride } from "./overrides.js";
export { type StatefulTool, StaticWorkbench } from "./static-workbench.js";
export type { Workbench, WorkbenchCallOptions } from "./workbench.js";
