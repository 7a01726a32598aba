import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type StreamEvent, withData } from "./event-stream.js";

/** The answer to one HTTP request of a client: a status, one message, or a stream of events. */
export class HttpReply {
  readonly #response: ServerResponse;
  /** What the upstream's answer had beside its body. */
  headers: OutgoingHttpHeaders = { "cache-control": "no-store" };
  /** The status of a message that is answered whole. */
  code = 200;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Called where the client goes before it has all. */
  onGone(gone: () => void): void {
    this.#response.once("close", () => {
      if (!this.#response.writableFinished) gone();
    });
  }

  /** Whether it has begun as a stream of events. */
  get isEvents(): boolean {
    return this.#response.headersSent && !this.isOver;
  }

  get isOver(): boolean {
    return this.#response.writableEnded || this.#response.destroyed;
  }

  status(code: number, headers: OutgoingHttpHeaders = {}): void {
    if (this.isOver || this.#response.headersSent) return;
    this.#response.writeHead(code, { ...this.headers, ...headers, "content-length": 0 });
    this.#response.end();
  }

  startEvents(): void {
    if (this.isOver || this.#response.headersSent) return;
    this.#response.writeHead(200, { ...this.headers, "content-type": "text/event-stream" });
    // With the first event, where one follows at once: a packet less.
    setImmediate(() => this.#response.flushHeaders());
  }

  /** An event that is passed on as it is, once the stream has begun. */
  pass(event: StreamEvent): void {
    if (this.isEvents) this.#response.write(event.bytes);
  }

  /** One message: an event of the stream, where there is one, and else the whole answer. */
  message(text: Buffer | string, event?: StreamEvent): void {
    if (this.isOver) return;
    if (this.#response.headersSent) {
      this.#response.write(withData(event, text.toString("utf8")));
      return;
    }
    const length = Buffer.byteLength(text);
    this.#response.writeHead(this.code, {
      ...this.headers,
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

  /** Once the client can take more, or has gone. */
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
