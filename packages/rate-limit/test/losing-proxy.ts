import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a server on which answers get lost with their connection. */
export interface LosingProxy {
  readonly url: string;
  /** Lose the answer to the next thing sent in which the text is: the server does it, and nobody hears of it. */
  readonly loseAnswerTo: (text: string) => void;
  /** How many answers were lost. */
  readonly lost: () => number;
  readonly close: () => Promise<void>;
}

export async function losingProxy(serverUrl: string): Promise<LosingProxy> {
  const server = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let awaited: string | undefined;
  let lost = 0;
  const proxy = createServer((near) => {
    const far = connect(Number(server.port || 6379), server.hostname);
    let isLosing = false;
    near.on("data", (question) => {
      if (awaited !== undefined && question.includes(awaited)) {
        awaited = undefined;
        isLosing = true;
      }
      far.write(question);
    });
    far.on("data", (answer) => {
      if (!isLosing) return void near.write(answer);
      lost += 1;
      near.destroy();
    });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const near = new URL(serverUrl);
  near.hostname = "127.0.0.1";
  near.port = String((proxy.address() as AddressInfo).port);
  return {
    url: near.href,
    loseAnswerTo: (text) => {
      awaited = text;
    },
    lost: () => lost,
    close: async () => {
      const closed = new Promise((resolve) => proxy.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
