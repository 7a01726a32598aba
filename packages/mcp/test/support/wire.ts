import {
  type ConnectionPorts,
  GuardedConnection,
  type GuardedConnectionOptions,
  type JsonRpcMessage,
} from "../../src/index.js";

type Message = JsonRpcMessage & { readonly [key: string]: unknown };

/** A tool as a server lists it. */
export function listed(name: string, more: object = {}): Record<string, unknown> {
  return { name, description: `Does ${name}.`, inputSchema: { type: "object" }, ...more };
}

export function call(id: unknown, name: string, args?: unknown, more: object = {}): Message {
  const given = args === undefined ? {} : { arguments: args };
  return {
    jsonrpc: "2.0",
    id: id as number,
    method: "tools/call",
    params: { name, ...given, ...more },
  };
}

export function request(id: number, method: string, params: object = {}): Message {
  return { jsonrpc: "2.0", id, method, params };
}

export function answer(id: unknown, result: object): Message {
  return { jsonrpc: "2.0", id: id as number, result };
}

export function text(words: string): { type: "text"; text: string } {
  return { type: "text", text: words };
}

/**
 * A connection between a client and a server that the test plays: what reaches
 * either of them is kept, and the lists that the connection asks for on its own
 * are answered with `tools`, in pages.
 */
export class Wire {
  readonly client: Message[] = [];
  readonly server: Message[] = [];
  readonly privateLists: Message[] = [];
  readonly faults: unknown[] = [];
  readonly connection: GuardedConnection;
  pages: unknown[][];
  /** Whether the lists that the connection asks for are answered. */
  answersLists = true;
  #waiting: (() => void)[] = [];

  constructor(
    options: GuardedConnectionOptions,
    tools: readonly unknown[] = [listed("send"), listed("read")],
    ports: Partial<ConnectionPorts> = {},
  ) {
    this.pages = [[...tools]];
    this.connection = new GuardedConnection(
      { unchecked: true, onFault: (fault) => void this.faults.push(fault), ...options },
      {
        toClient: (message) => this.#heard(this.client, message),
        toServer: (message) => this.#toServer(message as Message),
        ...ports,
      },
    );
  }

  #toServer(message: Message): void {
    const { requestId } = Object(message.params) as { requestId?: unknown };
    if (!`${message.id} ${requestId}`.includes("toolstile-")) {
      this.#heard(this.server, message);
      return;
    }
    if (message.method !== "tools/list") return;
    this.privateLists.push(message);
    if (!this.answersLists) return;
    const page = Number((message.params as { cursor?: string }).cursor ?? 0);
    const more = page + 1 < this.pages.length ? { nextCursor: String(page + 1) } : {};
    this.connection.fromServer(answer(message.id, { tools: this.pages[page], ...more }));
  }

  #heard(list: Message[], message: JsonRpcMessage): void {
    list.push(message as Message);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Wait until so many messages have come to one side, and give the last of them. */
  async reached(side: "client" | "server", count: number): Promise<Message> {
    while (this[side].length < count) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this[side][count - 1] as Message;
  }

  /** The client calls a tool; gives what the server is sent. */
  async forwarded(message: Message): Promise<Message> {
    const before = this.server.length;
    this.connection.fromClient(message);
    return this.reached("server", before + 1);
  }

  /** The client asks for something, which the server answers; gives what the client is told. */
  async exchange(asked: Message, result: object): Promise<Message> {
    const before = this.client.length;
    const { id } = await this.forwarded(asked);
    this.connection.fromServer(answer(id, result));
    return this.reached("client", before + 1);
  }

  /** The client asks for something that does not reach the server; gives what it is told. */
  async refused(asked: Message): Promise<Message> {
    const [clients, servers] = [this.client.length, this.server.length];
    this.connection.fromClient(asked);
    const told = await this.reached("client", clients + 1);
    if (this.server.length > servers) throw new Error("the server was asked");
    return told;
  }
}

/** The paths to all leaves of a value. */
export function leaves(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [[...path]];
  return Object.entries(value).flatMap(([key, each]) => leaves(each, [...path, key]));
}

/** A copy of a value with another leaf. */
export function withLeaf(value: unknown, path: readonly string[]): object {
  const [key = "", ...rest] = path;
  const entries = Object.entries(value as object).map(([name, each]): [string, unknown] => {
    if (name !== key) return [name, each];
    if (rest.length > 0) return [name, withLeaf(each, rest)];
    return [name, typeof each === "string" ? `${each}x` : "x"];
  });
  return Array.isArray(value)
    ? entries.map(([, each]) => each)
    : (Object.fromEntries(entries) as object);
}

/** What the client is answered where a guard has denied. */
export const denied = (id: unknown, reason: string) =>
  answer(id, { content: [text(`Tool call denied: ${reason}`)], isError: true });
