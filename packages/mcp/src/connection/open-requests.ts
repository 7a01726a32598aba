import { isId, type JsonRpcId, type JsonRpcMessage } from "../message/json-rpc.js";

/** A request that is not over: one of the client's, or one that the connection made itself. */
export interface OpenRequest {
  /** The `extra` that the client's message came with. */
  readonly extra: unknown;
  /** True while an answer of the server's would be taken. */
  readonly isAwaited: boolean;
  /** Takes the server's answer. */
  answered(message: JsonRpcMessage, extra: unknown): void;
  /** Stops waiting, for the client or for the whole connection. Returns true if the server has the request and must be told. */
  cancelled(): boolean;
  /** Ends a request that could not be sent, or whose answer can no longer come. */
  failed(error: unknown): void;
}

/** An open request, and the token by which the server tells of its progress. */
interface Entry {
  readonly request: OpenRequest;
  readonly token: string | undefined;
}

/** The most ids that are kept for a late answer. Of more, the oldest are forgotten: their answers are then unknown ones. */
const mostAbandoned = 1_000;

/**
 * All requests that wait for the server, by id. No other table says what a message belongs to.
 *
 * An id stays taken while its request is open, and also after the client gave
 * it up: a late answer must not be taken for that of another request.
 */
export class OpenRequests {
  readonly #most: number;
  readonly #open = new Map<JsonRpcId, Entry>();
  /** The requests of each token. Clients that share a connection may choose the same. */
  readonly #byToken = new Map<string, Set<OpenRequest>>();
  readonly #abandoned = new Set<JsonRpcId>();
  /** No client can guess it, so no id of the connection's own is one of the client's. */
  readonly #ownPrefix = `toolstile-${crypto.randomUUID()}-`;
  #ownCount = 0;
  #ownOpen = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** True if the client has as many requests open as it may have. */
  get isFull(): boolean {
    return this.#open.size - this.#ownOpen >= this.#most;
  }

  isTaken(id: JsonRpcId): boolean {
    return this.#open.has(id) || this.#abandoned.has(id) || this.#isOwn(id);
  }

  get(id: unknown): OpenRequest | undefined {
    return this.#open.get(id as JsonRpcId)?.request;
  }

  /** True while a request of this token waits for its answer. After that, its progress is of no use, and some clients end their connection for it. */
  isInProgress(token: unknown): boolean {
    // Mostly the first, of however many.
    for (const { isAwaited } of this.#byToken.get(tokenText(token) ?? "") ?? []) {
      if (isAwaited) return true;
    }
    return false;
  }

  all(): readonly OpenRequest[] {
    return Array.from(this.#open.values(), ({ request }) => request);
  }

  /** @param progressToken the token that the client gave its request. */
  add(id: JsonRpcId, request: OpenRequest, progressToken?: unknown): void {
    const token = tokenText(progressToken);
    this.#open.set(id, { request, token });
    if (token === undefined) return;
    const requests = this.#byToken.get(token) ?? new Set();
    this.#byToken.set(token, requests.add(request));
  }

  /** Adds a request of the connection's own, and returns its new id. */
  addOwn(request: (id: JsonRpcId) => OpenRequest): JsonRpcId {
    const id = `${this.#ownPrefix}${this.#ownCount++}`;
    this.#ownOpen++;
    this.add(id, request(id));
    return id;
  }

  /** Frees the id of a request that is over. While the server owes an answer, it stays taken. */
  remove(id: JsonRpcId, isOwed = false): void {
    const entry = this.#open.get(id);
    if (this.#open.delete(id) && this.#isOwn(id)) this.#ownOpen--;
    if (entry?.token !== undefined) this.#forget(entry.token, entry.request);
    if (!isOwed) return;
    this.#abandoned.add(id);
    const [oldest] = this.#abandoned;
    if (this.#abandoned.size > mostAbandoned) this.#abandoned.delete(oldest as JsonRpcId);
  }

  /** True if this answers a request that was given up. The id is then free. */
  isLate(id: unknown): boolean {
    return this.#abandoned.delete(id as JsonRpcId) || this.#isOwn(id);
  }

  #forget(token: string, request: OpenRequest): void {
    const requests = this.#byToken.get(token);
    requests?.delete(request);
    if (requests?.size === 0) this.#byToken.delete(token);
  }

  #isOwn(id: unknown): boolean {
    return typeof id === "string" && id.startsWith(this.#ownPrefix);
  }
}

/** A token as the most lenient readers compare it: 1 and "1" are one. */
function tokenText(token: unknown): string | undefined {
  return isId(token) ? String(token) : undefined;
}
