import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface RecordedHttp {
  readonly url: string;
  /** All that was answered. */
  text(): string;
  /** All that was asked. */
  asked(): string;
  close(): void;
}

/** Passes bytes on to a server, both ways, and keeps them. */
export async function recordHttp(target: string): Promise<RecordedHttp> {
  let asked = "";
  // Each answer on its own, for they come at the same time.
  const answers: Buffer[][] = [];
  const recorder = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, host: new URL(target).host };
    const sent = request(target, { method: incoming.method, headers }, (response) => {
      const pieces: Buffer[] = [];
      answers.push(pieces);
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.on("data", (piece: Buffer) => {
        pieces.push(piece);
        outgoing.write(piece);
      });
      response.on("end", () => outgoing.end());
      response.on("error", () => outgoing.destroy());
    });
    sent.on("error", () => outgoing.destroy());
    outgoing.on("close", () => sent.destroy());
    incoming.on("data", (piece) => {
      asked += String(piece);
      sent.write(piece);
    });
    incoming.on("end", () => sent.end());
  });
  recorder.listen(0, "127.0.0.1");
  await once(recorder, "listening");
  return {
    url: `http://127.0.0.1:${(recorder.address() as AddressInfo).port}${new URL(target).pathname}`,
    text: () => answers.map((pieces) => `${Buffer.concat(pieces)}\n\n`).join(""),
    asked: () => asked,
    close() {
      recorder.closeAllConnections();
      recorder.close();
    },
  };
}
