import type { Readable, Writable } from "node:stream";
import { keepFixed } from "../connection/call-result.js";
import { errorMessage, type JsonRpcMessage, own } from "../connection/json-rpc.js";
import { Gate } from "./gate.js";
import { hasInnerReturn, isBlank, Lines, type OversizeLine } from "./lines.js";
import { type Connect, type Link, type OnRefused, serverError } from "./link.js";
import { parseError, readMessage } from "./read-message.js";
import { errorsFor, type Refused } from "./refusals.js";

export interface StdioPumpOptions {
  readonly connect: Connect;
  readonly sessionId: string;
  readonly client: { readonly input: Readable; readonly output: Writable };
  readonly server: { readonly input: Writable; readonly output: Readable };
  readonly maxMessageBytes: number;
  readonly onRefused: OnRefused;
}

/** What `describe` is told, as `extra`, of the process that a message came to. */
export interface StdioRequestFacts {
  /** Names the process's one session. */
  readonly sessionId: string;
}

/**
 * Lines of JSON between a client and a server, with a link in between.
 *
 * What the link passes on untouched is written as the bytes that came, but for
 * calls: the server gets those as they were judged.
 */
export class StdioPump {
  readonly #options: StdioPumpOptions;
  readonly #facts: StdioRequestFacts;
  readonly #link: Link;
  readonly #bytes = new WeakMap<object, Buffer>();
  /** The client's requests that were neither passed on nor answered. */
  readonly #undecided = new Set<unknown>();
  /** The client's requests that were not answered. */
  readonly #unanswered = new Set<unknown>();
  /** Requests that the server has not answered, the link's own among them. */
  readonly #awaited = new Set<unknown>();
  #clientHasEnded = false;
  #serverHasEnded = false;
  #answered: () => void = () => {};

  constructor(options: StdioPumpOptions) {
    this.#options = options;
    const { client, server, connect, sessionId } = options;
    this.#facts = Object.freeze({ sessionId });
    this.#link = connect(
      {
        toClient: (message) => this.#toClient(message),
        toServer: (message) => this.#toServer(message),
        failed: (id, error) => {
          const reason = error instanceof Error ? error.message : "The MCP server gave no answer.";
          this.#toClient(errorMessage(id, serverError, reason));
        },
      },
      sessionId,
    );
    // A server that blocks on its output does not read its input: only the client's side waits for both.
    this.#read("client", client.input, [server.input, client.output]);
    this.#read("server", server.output, [client.output]);
  }

  /** The server has ended: answer what waits for it, then settle what is open. */
  async close(): Promise<void> {
    this.#serverHasEnded = true;
    const answered = new Promise<void>((resolve) => {
      this.#answered = resolve;
    });
    for (const id of this.#awaited) this.#link.failed(id, new Error(ended));
    if (this.#unanswered.size > 0) await answered;
    await this.#link.close();
  }

  #toClient(message: JsonRpcMessage): void {
    this.#write(this.#options.client.output, message);
    if (message.method !== undefined) return;
    this.#unanswered.delete(message.id);
    this.#decided(message.id);
    if (this.#unanswered.size === 0) this.#answered();
  }

  #toServer(message: JsonRpcMessage): void {
    const { id, method } = message;
    const isRequest = method !== undefined && id !== undefined;
    if (isRequest) this.#awaited.add(id);
    // Servers do not answer what was cancelled, and one that never does would have its id held for ever.
    else if (method === "notifications/cancelled") {
      this.#awaited.delete(own(message.params, "requestId"));
    }
    this.#write(this.#options.server.input, message);
    this.#decided(id);
    if (isRequest && this.#serverHasEnded) this.#link.failed(id, new Error(ended));
  }

  #read(from: "client" | "server", source: Readable, sinks: readonly Writable[]): void {
    const gate = new Gate(source, sinks);
    const lines = new Lines(
      this.#options.maxMessageBytes,
      (line) => this.#take(from, line),
      (line) => this.#takeOversize(from, line),
    );
    source.on("data", (chunk: Buffer) => {
      for (const sink of sinks) sink.cork();
      lines.write(chunk);
      for (const sink of sinks) sink.uncork();
      gate.check();
    });
    const end = (): void => {
      lines.end();
      if (from === "server" || this.#clientHasEnded) return;
      this.#clientHasEnded = true;
      this.#endServerOnceDecided();
    };
    source.on("end", end);
    source.on("error", end);
  }

  #take(from: "client" | "server", line: Buffer): void {
    if (isBlank(line)) return;
    const reading = hasInnerReturn(line)
      ? returnInside
      : readMessage(line, this.#options.maxMessageBytes);
    if (reading.ok) this.#pass(from, reading.message, line);
    else this.#refuse(from, reading);
  }

  #pass(from: "client" | "server", message: JsonRpcMessage, line: Buffer): void {
    const { id, method } = message;
    if (method !== "tools/call") this.#bytes.set(message, line);
    if (from === "server") {
      if (method === undefined) this.#awaited.delete(id);
      keepFixed(message);
      this.#link.fromServer(message);
      return;
    }
    if (method !== undefined && id !== undefined) {
      this.#undecided.add(id);
      this.#unanswered.add(id);
    }
    this.#link.fromClient(message, this.#facts);
    // Nobody answers what was cancelled.
    if (method === "notifications/cancelled") this.#forget(own(message.params, "requestId"));
  }

  #takeOversize(from: "client" | "server", { id, isRequest }: OversizeLine): void {
    const ids = id === undefined ? [] : [id];
    const [requestIds, answeredIds] = isRequest ? [ids, []] : [[], ids];
    const reason = `it is longer than ${this.#options.maxMessageBytes} bytes`;
    this.#refuse(from, { code: -32_600, reason, requestIds, answeredIds });
  }

  #refuse(from: "client" | "server", refused: Refused): void {
    const { client, server, onRefused } = this.#options;
    onRefused(from, refused.reason);
    const { back, on } = errorsFor(refused);
    // Servers do not expect an answer to what nobody can tell the id of.
    for (const answer of back) {
      if (from === "client") this.#write(client.output, answer);
      else if (answer.id !== null) this.#write(server.input, answer);
    }
    for (const { id, error } of on) {
      if (from === "client")
        this.#write(server.input, { jsonrpc: "2.0", id, error } as JsonRpcMessage);
      else if (this.#awaited.delete(id)) {
        this.#link.failed(id, new Error(`The server's answer is refused: ${refused.reason}.`));
      }
    }
  }

  #write(sink: Writable, message: JsonRpcMessage): void {
    if (sink.destroyed || sink.writableEnded) return;
    const bytes = this.#bytes.get(message);
    if (bytes !== undefined) sink.write(bytes);
    // Said, for a stream may have another encoding for text by default.
    else sink.write(`${JSON.stringify(message)}\n`, "utf8");
  }

  #forget(id: unknown): void {
    this.#unanswered.delete(id);
    this.#decided(id);
    if (this.#unanswered.size === 0) this.#answered();
  }

  #decided(id: unknown): void {
    if (this.#undecided.delete(id) && this.#clientHasEnded) this.#endServerOnceDecided();
  }

  /** A call that is still being judged when the client ends its input is not lost. */
  #endServerOnceDecided(): void {
    if (this.#undecided.size === 0) this.#options.server.input.end();
  }
}

const returnInside = {
  ok: false,
  code: parseError,
  reason: "its line has a carriage return inside",
} as const;
const ended = "The MCP server has ended.";
