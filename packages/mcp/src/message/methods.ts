/** Requests of clients that guards judge, or that bring no result of a tool. */
const ofClients = [
  "initialize",
  "ping",
  "server/discover",
  "tools/call",
  "tools/list",
  "resources/list",
  "resources/read",
  "resources/subscribe",
  "resources/templates/list",
  "resources/unsubscribe",
  "prompts/get",
  "prompts/list",
  "completion/complete",
  "logging/setLevel",
  "subscriptions/listen",
  // The others would bring a tool's result later, for a call that no guard has seen.
  "tasks/cancel",
];
const ofServers = ["ping", "elicitation/create", "roots/list", "sampling/createMessage"];
const toldByClients = [
  "notifications/cancelled",
  "notifications/elicitation/complete",
  "notifications/initialized",
  "notifications/progress",
  "notifications/roots/list_changed",
];
const toldByServers = [
  "notifications/cancelled",
  "notifications/elicitation/complete",
  "notifications/message",
  "notifications/progress",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
  "notifications/resources/updated",
  "notifications/subscriptions/acknowledged",
  "notifications/tools/list_changed",
];

/** The methods that pass, of each side. Any other could run a tool, or bring its result, and no guard would know. */
export class PassedMethods {
  readonly #client: ReadonlySet<string>;
  readonly #server: ReadonlySet<string>;

  /** @param more methods besides MCP's own, of either side. */
  constructor(more: readonly string[]) {
    this.#client = new Set([...ofClients, ...toldByClients, ...more]);
    this.#server = new Set([...ofServers, ...toldByServers, ...more]);
  }

  ofClient(method: string): boolean {
    return this.#client.has(method);
  }

  ofServer(method: string): boolean {
    return this.#server.has(method);
  }
}
