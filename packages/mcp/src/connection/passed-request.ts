import type { JsonRpcId, JsonRpcMessage } from "../message/json-rpc.js";
import type { OpenRequest, OpenRequests } from "./open-requests.js";

/** The functions that end a request of the client's. */
export interface RequestSettings {
  readonly requests: OpenRequests;
  /** @param request the `extra` that the client's request came with. */
  readonly toClient: (message: JsonRpcMessage, extra: unknown, request: unknown) => void;
  /** Tells the client that a request could not be sent. */
  readonly failed: (id: JsonRpcId, error: unknown, request: unknown) => void;
}

/** A request of the client's that no guard judges. It is kept, so that only its answer is passed on. */
export class PassedRequest implements OpenRequest {
  readonly extra: unknown;
  readonly isAwaited = true;
  readonly #id: JsonRpcId;
  readonly #settings: RequestSettings;

  constructor(id: JsonRpcId, extra: unknown, settings: RequestSettings) {
    this.#id = id;
    this.extra = extra;
    this.#settings = settings;
  }

  answered(message: JsonRpcMessage, extra: unknown): void {
    this.#settings.requests.remove(this.#id);
    this.#settings.toClient(message, extra, this.extra);
  }

  cancelled(): boolean {
    this.#settings.requests.remove(this.#id, true);
    return true;
  }

  failed(error: unknown): void {
    this.#settings.requests.remove(this.#id);
    this.#settings.failed(this.#id, error, this.extra);
  }
}
