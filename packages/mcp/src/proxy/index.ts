export type { HttpProxy } from "./http/endpoint.js";
export type { HttpRequestFacts } from "./http/exchange.js";
export { type HttpProxyOptions, startHttpProxy } from "./http/start.js";
export type { OnRefused, ProxyOptions } from "./options.js";
export { nameOfCommand, nameOfUrl } from "./server-name.js";
export type { StdioRequestFacts } from "./stdio/relay.js";
export type { StdioExit, StdioProxy } from "./stdio/server-process.js";
export { type StdioProxyOptions, startStdioProxy } from "./stdio/start.js";
