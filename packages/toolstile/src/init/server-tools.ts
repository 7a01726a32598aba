import type { Clock } from "@toolstile/core";
import { ownText, ownValue, ToolstileError } from "@toolstile/core/provider";
import { printable } from "../terminal/terminal.js";
import { ServerProcess } from "./server-process.js";

/** The revision of MCP that is asked for. A server answers with one that it has. */
const protocolVersion = "2025-06-18";
/** Bytes of all that the server writes. */
const mostBytes = 16 << 20;
const mostPages = 1_000;
const newline = 0x0a;

export interface AskedServer {
  readonly command: readonly string[];
  /** Milliseconds until it has given its list. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Calls back for each signal that this process is sent. Returns a function that stops it. */
  readonly onSignal: (heard: (signal: NodeJS.Signals) => void) => () => void;
}

/**
 * Starts an MCP server over stdio, asks it for its tools, and ends it.
 *
 * @throws ToolstileError `ERR_CONFIG` if it cannot be started, or gives no list in time.
 */
export async function toolsOfServer({
  command,
  timeoutMs,
  clock,
  onSignal,
}: AskedServer): Promise<readonly unknown[]> {
  const server = await ServerProcess.start(command, clock);
  const conversation = new ServerConversation(server);
  const timer = clock.setTimeout(
    () => conversation.fail(`it gave no list of tools within ${timeoutMs / 1_000} seconds`),
    timeoutMs,
  );
  const silence = onSignal(() => conversation.fail("this command was told to end"));
  try {
    return await conversation.tools();
  } catch (error) {
    if (!(error instanceof NoList)) throw error;
    throw new ToolstileError("ERR_CONFIG", problem(error.message, server.said));
  } finally {
    clock.clearTimeout(timer as never);
    await server.end();
    silence();
  }
}

function problem(why: string, said: string): string {
  const last = said.trim().split("\n").slice(-3).map(printable).join(" / ");
  const also = last === "" ? "" : ` It wrote: ${last}`;
  return `The MCP server cannot be asked: ${why}.${also}`;
}

/** The reason why a server gave no list. */
class NoList extends Error {}

interface Waiting {
  readonly id: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: NoList) => void;
}

/** One question at a time, and the answer to it. */
class ServerConversation {
  readonly #server: ServerProcess;
  #waiting: Waiting | undefined;
  #failure: NoList | undefined;
  #parts: Buffer[] = [];
  #bytes = 0;
  #lastId = 0;

  constructor(server: ServerProcess) {
    this.#server = server;
    server.output.on("data", (chunk: Buffer) => this.#read(chunk));
    server.output.on("close", () => this.fail("it has ended before it gave its list of tools"));
  }

  async tools(): Promise<readonly unknown[]> {
    const clientInfo = { name: "toolstile", version: "1" };
    await this.#ask("initialize", { protocolVersion, capabilities: {}, clientInfo });
    this.#server.send({ method: "notifications/initialized" });
    const tools: unknown[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < mostPages; pages++) {
      const page = await this.#ask("tools/list", cursor === undefined ? {} : { cursor });
      const listed = ownValue(page, "tools");
      if (!Array.isArray(listed)) throw new NoList("its answer has no list of tools");
      for (const tool of listed) tools.push(tool);
      const next = ownText(page, "nextCursor") ?? "";
      if (next === "" || next === cursor) return tools;
      cursor = next;
    }
    throw new NoList("its list of tools has no end");
  }

  fail(why: string): void {
    this.#failure ??= new NoList(why);
    this.#waiting?.reject(this.#failure);
    this.#waiting = undefined;
  }

  #ask(method: string, params: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      const id = ++this.#lastId;
      this.#waiting = { id, resolve, reject };
      this.#server.send({ id, method, params });
    });
  }

  #read(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > mostBytes) {
      this.#parts = [];
      this.fail("it writes more than 16 MiB");
      return;
    }
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#line(Buffer.concat([...this.#parts, chunk.subarray(start, end)]).toString("utf8"));
      this.#parts = [];
      start = end + 1;
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start));
  }

  #line(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      // Servers print logs to their standard output.
      return;
    }
    const id = ownValue(message, "id");
    if (ownText(message, "method") !== undefined) {
      if (id !== undefined) this.#answer(message, id);
      return;
    }
    const waiting = this.#waiting;
    if (waiting === undefined || id !== waiting.id) return;
    this.#waiting = undefined;
    const error = ownValue(message, "error");
    if (error === undefined) waiting.resolve(ownValue(message, "result"));
    else waiting.reject(new NoList(`it answered with an error (${codeInWords(error)})`));
  }

  /** Answers a question of the server's: it may wait for that. */
  #answer(message: unknown, id: unknown): void {
    const isPing = ownText(message, "method") === "ping";
    const refusal = { code: -32601, message: "Method not found" };
    this.#server.send(isPing ? { id, result: {} } : { id, error: refusal });
  }
}

function codeInWords(error: unknown): string {
  const code = ownValue(error, "code");
  return typeof code === "number" ? `code ${code}` : "without a code";
}
