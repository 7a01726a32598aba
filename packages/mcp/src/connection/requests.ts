import type { JsonRpcId, JsonRpcMessage } from "./json-rpc.js";

/** What is done about a request of the client's that is not answered yet. */
export interface PendingRequest {
  /** The server has answered. */
  answered(message: JsonRpcMessage, extra: unknown): void;
  /** The client has given up; says whether the server has heard of the request, and so is to be told. */
  cancelled(): boolean;
  /** The request could not be sent. */
  failed(error: unknown): void;
}

/** Ids that a late answer may still come for. More are forgotten, and their answers are unknown ones. */
const mostAbandoned = 1_000;

/**
 * The client's requests that are not answered yet, by id.
 *
 * An id stays taken while its request is under way, also after the client was
 * told to wait no longer: a late answer must not be taken for another's.
 */
export class Requests {
  readonly #most: number;
  readonly #pending = new Map<JsonRpcId, PendingRequest>();
  readonly #abandoned = new Set<JsonRpcId>();

  constructor(most: number) {
    this.#most = most;
  }

  get full(): boolean {
    return this.#pending.size >= this.#most;
  }

  isTaken(id: JsonRpcId): boolean {
    return this.#pending.has(id) || this.#abandoned.has(id);
  }

  get(id: unknown): PendingRequest | undefined {
    return this.#pending.get(id as JsonRpcId);
  }

  all(): readonly PendingRequest[] {
    return [...this.#pending.values()];
  }

  add(id: JsonRpcId, request: PendingRequest): void {
    this.#pending.set(id, request);
  }

  over(id: JsonRpcId): void {
    this.#pending.delete(id);
  }

  /** Of a call, whose id is its own until it is settled, and for as long after as an answer is owed. */
  leave(id: JsonRpcId, isOwed: boolean): void {
    if (isOwed) this.abandon(id);
    else this.over(id);
  }

  /** Nobody waits any longer, but the server may still answer. */
  abandon(id: JsonRpcId): void {
    this.#pending.delete(id);
    this.#abandoned.add(id);
    if (this.#abandoned.size <= mostAbandoned) return;
    for (const oldest of this.#abandoned) {
      this.#abandoned.delete(oldest);
      break;
    }
  }

  /** Whether this is the late answer to a request that was abandoned. */
  isLate(id: unknown): boolean {
    return this.#abandoned.delete(id as JsonRpcId);
  }
}
