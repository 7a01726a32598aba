import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import type { McpClient } from "../../src/index.js";

/** A server whose list the test changes, lets fail, or holds back. */
export class PlayedServer {
  tools: readonly object[];
  /** How many of the next lists fail. */
  failures = 0;
  /** The answer to a list waits for it. */
  beforeAnswer: Promise<void> | undefined;
  /** The arguments of each call that ran. */
  readonly ran: unknown[] = [];
  #asked = 0;
  #waiting: (() => void)[] = [];
  readonly #server = new Server(
    { name: "played", version: "1.0.0" },
    { capabilities: { tools: { listChanged: true } } },
  );

  constructor(tools: readonly object[]) {
    this.tools = tools;
    this.#server.setRequestHandler("tools/list", async () => {
      this.#asked++;
      for (const wake of this.#waiting.splice(0)) wake();
      const { tools } = this;
      await this.beforeAnswer;
      if (this.failures-- > 0) throw new Error("the list is down");
      return { tools } as never;
    });
    this.#server.setRequestHandler("tools/call", ({ params }) => {
      this.ran.push(params.arguments);
      return { content: [] };
    });
  }

  /** How often its list was asked for. */
  get lists(): number {
    return this.#asked;
  }

  /** A client that is connected to it. */
  async client(): Promise<McpClient> {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await this.#server.connect(far);
    const client = new Client({ name: "c", version: "1.0.0" });
    await client.connect(near);
    return client as unknown as McpClient;
  }

  /** Resolves once the client has heard that the list has changed. */
  changed(): Promise<void> {
    return this.#server.sendToolListChanged();
  }

  /** Resolves once the list was asked for so many times. */
  async asked(count: number): Promise<void> {
    while (this.#asked < count) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}
