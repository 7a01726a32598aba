export { type OtelOptions, otel } from "./otel/observer.js";
export { type OtelPluginOptions, plugin } from "./otel/plugin.js";
