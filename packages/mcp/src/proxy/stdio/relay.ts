import type { Readable, Writable } from "node:stream";
import { Exchange } from "../../connection/exchange.js";
import type { GuardedConnection } from "../../connection/guarded-connection.js";
import { errorMessage, type JsonRpcId, type JsonRpcMessage } from "../../message/json-rpc.js";
import { isPlainJson, isSameData } from "../../message/plain-json.js";
import { parseError, readMessage, withoutMark } from "../../message/read-message.js";
import { errorsFor, type Refusal, serverError } from "../../message/refusal.js";
import type { SessionSettings } from "../options.js";
import { pauseWhileFull } from "./backpressure.js";
import { hasInnerReturn, isBlank, Lines, type OversizeLine } from "./lines.js";

export interface StdioRelayOptions extends SessionSettings {
  readonly sessionId: string;
  readonly client: { readonly input: Readable; readonly output: Writable };
  readonly server: { readonly input: Writable; readonly output: Readable };
  /**
   * Called once the client's input has ended, and once no request of the client's waits for an answer then.
   *
   * @param isWaiting true while one waits.
   */
  readonly onClientEnded: (isWaiting: boolean) => void;
}

/** The facts of the process that a message came to. `describe` is given them as `extra`. */
export interface StdioRequestFacts {
  /** Names the process's one session. */
  readonly sessionId: string;
}

/** A line, and the message on it. */
interface Line {
  readonly message: JsonRpcMessage;
  readonly line: Buffer;
}

const noBytes = Buffer.alloc(0);

/** A line of the client's, and the message on it. */
class ClientLine extends Exchange {
  line: Buffer;
  readonly facts: StdioRequestFacts;
  /** True for a request that is neither passed on nor answered yet. */
  isUndecided: boolean;
  /** True for a request that the client still waits for. */
  isUnanswered: boolean;

  constructor(message: JsonRpcMessage, line: Buffer, facts: StdioRequestFacts) {
    super(message);
    this.line = line;
    this.facts = facts;
    this.isUndecided = message.method !== undefined && message.id !== undefined;
    this.isUnanswered = this.isUndecided;
  }

  override forget(): void {
    super.forget();
    this.line = noBytes;
  }
}

/**
 * Carries lines of JSON between a client and a server, with a guarded connection in between.
 *
 * A message that the connection passes on untouched is written as the bytes
 * that came. A call is written as it was judged, which may be the same bytes.
 */
export class StdioRelay {
  readonly #options: StdioRelayOptions;
  readonly #facts: StdioRequestFacts;
  readonly #connection: GuardedConnection;
  /** The number of the client's requests that are neither passed on nor answered. */
  #undecided = 0;
  /** The number of the client's requests that are not answered. */
  #unanswered = 0;
  #clientHasEnded = false;

  constructor(options: StdioRelayOptions) {
    this.#options = options;
    const { client, server, connect, sessionId } = options;
    this.#facts = Object.freeze({ sessionId });
    const answered = (request: unknown): void => {
      if (request !== undefined) this.#answered(request as ClientLine);
    };
    const toClient = (message: JsonRpcMessage, extra?: unknown, request?: unknown): void => {
      write(client.output, message, extra as Line | undefined);
      answered(request);
    };
    this.#connection = connect(
      {
        toClient,
        toServer: (message, extra) => this.#toServer(message, extra as ClientLine),
        failed: (id, error, request) => {
          const reason = error instanceof Error ? error.message : "The MCP server gave no answer.";
          toClient(errorMessage(id, serverError, reason), undefined, request);
        },
        cancelled: answered,
        refused: (answer) => write(server.input, answer),
      },
      sessionId,
    );
    // A server that blocks on its output does not read its input: only the client's side waits for both.
    this.#read("client", client.input, [server.input, client.output]);
    this.#read("server", server.output, [client.output]);
  }

  /** Answers what waits for the server, which has ended, and then settles what is open. */
  async close(): Promise<void> {
    await this.#connection.serverEnded(new Error("The MCP server has ended."));
    await this.#connection.close();
  }

  #toServer(message: JsonRpcMessage, exchange: ClientLine): void {
    const isClients = exchange.isFor(message);
    write(this.#options.server.input, message, exchange);
    if (!isClients) return;
    exchange.isSent = true;
    exchange.forget();
    this.#decided(exchange);
  }

  #read(from: "client" | "server", source: Readable, sinks: readonly Writable[]): void {
    const check = pauseWhileFull(source, sinks);
    const lines = new Lines(
      this.#options.maxMessageBytes,
      (line) => this.#take(from, line),
      (line) => this.#takeOversize(from, line),
    );
    source.on("data", (chunk: Buffer) => {
      for (const sink of sinks) sink.cork();
      lines.write(chunk);
      for (const sink of sinks) sink.uncork();
      check();
    });
    const end = (): void => {
      lines.end();
      if (from === "server" || this.#clientHasEnded) return;
      this.#clientHasEnded = true;
      this.#options.onClientEnded(this.#unanswered > 0);
      this.#endServerOnceDecided();
    };
    source.on("end", end);
    source.on("error", end);
    // A client that breaks off ends nothing.
    source.on("close", end);
  }

  #take(from: "client" | "server", given: Buffer): void {
    const line = withoutMark(given);
    if (isBlank(line)) return;
    const reading = hasInnerReturn(line)
      ? returnInside
      : readMessage(line, this.#options.maxMessageBytes);
    if (!reading.ok) this.#refuse(from, reading);
    else if (from === "server") {
      this.#connection.fromServer(reading.message, { message: reading.message, line });
    } else {
      const exchange = new ClientLine(reading.message, line, this.#facts);
      if (exchange.isUndecided) {
        this.#undecided++;
        this.#unanswered++;
      }
      this.#connection.fromClient(reading.message, exchange);
    }
  }

  #takeOversize(from: "client" | "server", { id, isRequest }: OversizeLine): void {
    const ids: readonly JsonRpcId[] = id === undefined ? [] : [id];
    const reason = `it is longer than ${this.#options.maxMessageBytes} bytes`;
    const [requestIds, answeredIds] = isRequest ? [ids, []] : [[], ids];
    this.#refuse(from, { code: -32_600, reason, requestIds, answeredIds });
  }

  #refuse(from: "client" | "server", refusal: Refusal): void {
    const { client, server, onRefused } = this.#options;
    onRefused(from, refusal.reason);
    const { back, on } = errorsFor(refusal);
    if (from === "client") {
      for (const answer of back) write(client.output, answer);
      for (const { id, error } of on) {
        write(server.input, { jsonrpc: "2.0", id, error } as JsonRpcMessage);
      }
      return;
    }
    // Servers do not expect an error without an id.
    for (const answer of back) if (answer.id !== null) write(server.input, answer);
    const error = new Error(`The server's answer is refused: ${refusal.reason}.`);
    for (const { id } of on) this.#connection.failed(id, error);
  }

  #answered(exchange: ClientLine): void {
    this.#decided(exchange);
    if (!exchange.isUnanswered) return;
    exchange.isUnanswered = false;
    this.#unanswered--;
    if (this.#clientHasEnded && this.#unanswered === 0) this.#options.onClientEnded(false);
  }

  #decided(exchange: ClientLine): void {
    if (!exchange.isUndecided) return;
    exchange.isUndecided = false;
    this.#undecided--;
    if (this.#clientHasEnded) this.#endServerOnceDecided();
  }

  /** A call that is still being judged when the client ends its input is not lost. */
  #endServerOnceDecided(): void {
    if (this.#undecided === 0) this.#options.server.input.end();
  }
}

/** Writes a message, as the bytes that it came in unless they could be read as anything else than was judged. */
function write(sink: Writable, message: JsonRpcMessage, source?: Line): void {
  if (sink.destroyed || sink.writableEnded) return;
  if (source !== undefined && isWrittenIn(source, message)) sink.write(source.line);
  // The encoding is given, because a stream may have another default for strings.
  else sink.write(`${JSON.stringify(message)}\n`, "utf8");
}

/** True for a message that came on this line, or a call that would be written as the same bytes. */
function isWrittenIn(source: Line, message: JsonRpcMessage): boolean {
  if (message.method !== "tools/call") return message === source.message;
  // Bytes beyond ASCII are in strings only, and any will do for them.
  return isSameData(message, source.message) && isPlainJson(source.line.toString("latin1"));
}

const returnInside = {
  ok: false,
  code: parseError,
  reason: "its line has a carriage return inside",
  requestIds: [],
  answeredIds: [],
} as const;
