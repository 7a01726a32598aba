export { createFromPlugin } from "./create-from-plugin.js";
export { type LoadPluginOptions, loadPlugin, type PluginReference } from "./load-plugin.js";
