import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type StreamEvent, withData } from "./event-stream.js";

/** The answer to one HTTP request of a client: a status, one message, or a stream of events. */
export class HttpReply {
  readonly #response: ServerResponse;
  readonly #own: OutgoingHttpHeaders;
  /** The headers of the upstream's answer that the client gets. */
  headers: OutgoingHttpHeaders = { "cache-control": "no-store" };
  /** The status of a message that is answered whole. */
  code = 200;

  /** @param own the headers of the proxy's own, which each answer has. */
  constructor(response: ServerResponse, own: OutgoingHttpHeaders = {}) {
    this.#response = response;
    this.#own = own;
  }

  /** Calls back if the client goes before it has everything. */
  onGone(gone: () => void): void {
    this.#response.once("close", () => {
      if (!this.#response.writableFinished) gone();
    });
  }

  /** True once it has begun as a stream of events. */
  get isEvents(): boolean {
    return this.#response.headersSent && !this.isOver;
  }

  get isOver(): boolean {
    return this.#response.writableEnded || this.#response.destroyed;
  }

  status(code: number, headers: OutgoingHttpHeaders = {}): void {
    if (this.isOver || this.#response.headersSent) return;
    const length = code === 204 ? {} : { "content-length": 0 };
    this.#response.writeHead(code, { ...this.headers, ...headers, ...this.#own, ...length });
    this.#response.end();
  }

  startEvents(): void {
    if (this.isOver || this.#response.headersSent) return;
    const type = { "content-type": "text/event-stream" };
    this.#response.writeHead(200, { ...this.headers, ...this.#own, ...type });
    // Later, so that an event that follows at once shares the packet.
    setImmediate(() => this.#response.flushHeaders());
  }

  /** Passes an event on as it is, once the stream has begun. */
  pass(event: StreamEvent): void {
    if (this.isEvents) this.#response.write(event.bytes);
  }

  /** Writes one message: as an event if the stream has begun, otherwise as the whole answer. */
  message(text: Buffer | string, event?: StreamEvent): void {
    if (this.isOver) return;
    if (this.#response.headersSent) {
      this.#response.write(withData(event, text.toString("utf8")));
      return;
    }
    const length = Buffer.byteLength(text);
    this.#response.writeHead(this.code, {
      ...this.headers,
      ...this.#own,
      "content-type": "application/json",
      "content-length": length,
    });
    this.#response.end(text);
  }

  end(): void {
    if (this.isOver) return;
    if (this.#response.headersSent) this.#response.end();
    else this.status(202);
  }

  /** Resolves once the client can take more, or has gone. */
  async drained(): Promise<void> {
    const response = this.#response;
    if (!response.writableNeedDrain || this.isOver) return;
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        response.off("drain", settle);
        response.off("close", settle);
        resolve();
      };
      response.on("drain", settle);
      response.on("close", settle);
    });
  }
}
