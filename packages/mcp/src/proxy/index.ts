export type { ProxyOptions } from "./guard.js";
export type { HttpRequestFacts } from "./http-exchange.js";
export type { OnRefused } from "./link.js";
export { nameOfCommand, nameOfUrl } from "./server-name.js";
export { type HttpProxy, type HttpProxyOptions, startHttpProxy } from "./start-http-proxy.js";
export { type StdioProxyOptions, startStdioProxy } from "./start-stdio-proxy.js";
export type { StdioExit, StdioProxy } from "./stdio-proxy.js";
export type { StdioRequestFacts } from "./stdio-pump.js";
