export {
  type ConnectionPorts,
  type ConnectionTransport,
  GuardedConnection,
  type GuardedConnectionOptions,
} from "./connection/guarded-connection.js";
export type { Describe, DescribedRequest } from "./connection/host-facts.js";
export type { JsonRpcId, JsonRpcMessage } from "./message/json-rpc.js";
export {
  DefinitionPins,
  type DefinitionPinsOptions,
  type ListedDefinition,
  type PinState,
  type PinStatus,
  type PinTrust,
} from "./pins/definition-pins.js";
export { type DefinitionChange, definitionChanges, renderChanges } from "./pins/difference.js";
export { filePins } from "./pins/file-pins.js";
export { memoryPins, type Pin, type PinnedDefinition, type PinStore } from "./pins/pin-store.js";
export { type GuardableServer, guardServer } from "./transport/guard-server.js";
export { guardTransport } from "./transport/guard-transport.js";
export type { McpTransport } from "./transport/transport.js";
export type { McpToolWorkbench } from "./workbench/client-workbench.js";
export {
  type GuardedMcpWorkbenchOptions,
  type HttpServer,
  McpWorkbench,
  type McpWorkbenchOptions,
} from "./workbench/mcp-workbench.js";
export type { GuardedMcpWorkbench } from "./workbench/refreshing-workbench.js";
export type { McpClient, StdioServer } from "./workbench/sdk.js";
