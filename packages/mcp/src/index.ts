export {
  type ConnectionPorts,
  GuardedConnection,
  type GuardedConnectionOptions,
} from "./connection/guarded-connection.js";
export type { DescribedRequest } from "./connection/host-facts.js";
export type { JsonRpcId, JsonRpcMessage } from "./connection/json-rpc.js";
