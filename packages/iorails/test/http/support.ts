import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import type { JsonObject } from "@toolstile/core";
import { type FakeClock, fakeClock } from "@toolstile/testing";
import { ModelError } from "../../src/errors.js";
import { type HttpPorts, type ModelClient, modelClient } from "../../src/http/model-client.js";

/** What no error may show. */
export const planted = "hunter2-planted-secret";

export const question = { messages: [{ role: "user", content: "Hello" }] };

export interface TestPorts extends HttpPorts {
  readonly clock: FakeClock;
  /** Every delay that was asked for, in milliseconds. */
  readonly delays: readonly number[];
}

/** Real network, a clock that stands still, no environment, and no jitter. */
export function testPorts(ports: Partial<HttpPorts> = {}): TestPorts {
  const clock = fakeClock(Date.UTC(2026, 0, 1));
  const delays: number[] = [];
  return {
    fetch: globalThis.fetch,
    env: {},
    random: () => 1,
    ...ports,
    delays,
    clock: {
      ...clock,
      setTimeout(run, ms = 0) {
        delays.push(ms);
        return clock.setTimeout(run, ms);
      },
    },
  };
}

/** A client of the model "main" on this server, with the planted secret as its key. */
export function clientOf(
  server: { readonly url: string },
  ports: HttpPorts = testPorts(),
  parameters: JsonObject = {},
): ModelClient {
  return modelClient(
    {
      type: "main",
      engine: "local",
      model: "scripted",
      apiKeyEnvVar: "MODEL_KEY",
      parameters: { base_url: server.url, ...parameters },
    },
    { ...ports, env: { MODEL_KEY: planted, ...ports.env } },
  );
}

/** Let the event loop turn until something is so; the test's own timeout ends it. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The model error that a promise rejects with. */
export async function faultOf(answer: Promise<unknown>): Promise<ModelError> {
  const thrown: unknown = await answer.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!ModelError.isInstance(thrown))
    throw new Error("It rejected with no model error.", { cause: thrown });
  return thrown;
}

export async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export interface RawServer extends AsyncDisposable {
  readonly url: string;
  /** How many requests there were; an aborted one may make Node open a connection that carries none. */
  readonly requests: () => number;
}

/** A server that writes bytes of its own, once the whole head of a request is there. */
export async function rawServer(answer: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", () => {
      requests++;
      answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A port on which nobody listens. */
export async function deadServer(): Promise<{ readonly url: string }> {
  const server = await rawServer(() => {});
  await server[Symbol.asyncDispose]();
  return { url: server.url };
}
