import type { JsonRpcId, JsonRpcMessage } from "./json-rpc.js";
import type { PendingRequest, Requests } from "./requests.js";

interface PassedSettings {
  readonly requests: Requests;
  readonly toClient: (message: JsonRpcMessage, extra?: unknown) => void;
  readonly failed: (id: JsonRpcId, error: unknown) => void;
}

/** A request of the client's that nobody judges. Its id is known, so that only its answer is passed on. */
export class PassedRequest implements PendingRequest {
  readonly #id: JsonRpcId;
  readonly #settings: PassedSettings;

  constructor(id: JsonRpcId, settings: PassedSettings) {
    this.#id = id;
    this.#settings = settings;
  }

  answered(message: JsonRpcMessage, extra: unknown): void {
    this.#settings.requests.over(this.#id);
    this.#settings.toClient(message, extra);
  }

  cancelled(): boolean {
    this.#settings.requests.abandon(this.#id);
    return true;
  }

  failed(error: unknown): void {
    this.#settings.requests.over(this.#id);
    this.#settings.failed(this.#id, error);
  }
}
