import { allow, type GuardrailProvider } from "@toolstile/core";
import { leastCpuMs } from "@toolstile/testing/cpu";
import { describe, expect, it } from "vitest";
import { OpenRequests } from "../src/connection/open-requests.js";
import { readMessage } from "../src/message/read-message.js";
import { EventStream } from "../src/proxy/http/event-stream.js";
import { Lines } from "../src/proxy/stdio/lines.js";
import { answer, call, listed, text, Wire } from "./support/wire.js";

/** Less than this is mostly noise. */
const noise = 8;
/** Of what is four times as large: n log n is less than six times the work, and n² is sixteen times. */
const mostGrowth = 11;

type Run = () => unknown;

/** Fails where four times the size costs as much as a square would, however often that is tried. */
async function expectGrowth(made: (size: number) => Run, most: number): Promise<void> {
  const [small, large] = [made(most / 4), made(most)];
  let [more, enough] = [Number.POSITIVE_INFINITY, noise];
  for (let time = 0; time < 4 && more > enough; time++) {
    if ((await leastCpuMs(large, { tries: 1 })) <= noise) return;
    enough = Math.max(noise, mostGrowth * (await leastCpuMs(small)));
    more = await leastCpuMs(large, { enoughMs: enough });
  }
  expect(more).toBeLessThanOrEqual(enough);
}

const message = (members: string): Buffer => Buffer.from(`{"jsonrpc":"2.0",${members}}`);
const many = (count: number, piece: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => piece(at)).join();
const repeated = (line: string) => (size: number) => () => {
  new EventStream(16_777_216, () => {}).write(Buffer.alloc(size, line));
};
const read = (members: (size: number) => string) => (size: number) => {
  const bytes = message(members(size));
  return () => readMessage(bytes, 16_777_216);
};
const request = (params: string) => `"id":1,"method":"tools/call","params":${params}`;

/** Each way in which what an outsider sends can grow, and how far it does here. */
const dimensions: Record<string, readonly [number, (size: number) => Run]> = {
  "the length of an id": [400_000, read((n) => `"id":"${"x".repeat(n)}","method":"ping"`)],
  "the length of a tool's name": [400_000, read((n) => request(`{"name":"${"x".repeat(n)}"}`))],
  "the number of members": [40_000, read((n) => many(n, (at) => `"k${at}":1`))],
  "the number of equal keys": [40_000, read((n) => many(n, () => `"k":1`))],
  arguments: [
    40_000,
    read((n) => request(`{"name":"t","arguments":{${many(n, (at) => `"${at}":1`)}}}`)),
  ],
  "the nesting of params": [
    40_000,
    read((n) => `"id":1,"method":"ping","params":{"a":${"[".repeat(n)}${"]".repeat(n)}}`),
  ],
  "lines of a stream that end in CR": [100_000, repeated("\r")],
  "lines of a stream that end in LF": [100_000, repeated("\n")],
  "lines of an event that end in CR": [100_000, repeated("data: x\r")],
  "comments of a stream": [100_000, repeated(":\r")],
  "pieces of a line": [
    100_000,
    (n) => () => {
      const lines = new Lines(
        16_777_216,
        () => {},
        () => {},
      );
      for (let at = 0; at < n; at++) lines.write(Buffer.alloc(1, "x"));
      lines.end();
    },
  ],
  "pieces of a line that is too long": [
    100_000,
    (n) => () => {
      const lines = new Lines(
        1,
        () => {},
        () => {},
      );
      for (let at = 0; at < n; at++) lines.write(Buffer.alloc(1, "x"));
      lines.end();
    },
  ],
  "progress of requests with one token": [
    20_000,
    (n) => () => {
      const requests = new OpenRequests(n);
      const open = {
        extra: 0,
        isAwaited: true,
        answered() {},
        cancelled: () => false,
        failed() {},
      };
      for (let id = 0; id < n; id++) requests.add(id, { ...open }, "t");
      for (let told = 0; told < n; told++) requests.isInProgress("t");
    },
  ],
};

/** The same of what takes a whole connection. */
const exchanges: Record<string, readonly [number, (size: number) => Run]> = {
  "the number of tools": [
    4_000,
    (n) => listing([Array.from({ length: n }, (_, at) => listed(`t${at}`))]),
  ],
  "twins of one name": [
    4_000,
    (n) => listing([Array.from({ length: n }, (_, at) => listed("t", { title: `${at}` }))]),
  ],
  "the length of names of tools": [
    100_000,
    (n) => listing([[listed("x".repeat(n)), listed("y".repeat(n))]]),
  ],
  "the number of pages": [
    800,
    (n) => listing(Array.from({ length: n }, (_, at) => [listed(`t${at}`)])),
  ],
  "blocks of content": [
    8_000,
    (n) => async () => {
      const wire = new Wire({ guardrails: [judge] });
      await wire.exchange(call(1, "send"), { content: Array.from({ length: n }, () => text("x")) });
      await wire.connection.close();
    },
  ],
  "calls at once": [
    2_000,
    (n) => async () => {
      const wire = new Wire({ guardrails: [judge] });
      for (let id = 0; id < n; id++) wire.connection.fromClient(call(id, "send"));
      await wire.reached("server", n);
      for (let id = n; id-- > 0; ) wire.connection.fromServer(answer(id, { content: [] }));
      await wire.reached("client", n);
      await wire.connection.close();
    },
  ],
};

const judge: GuardrailProvider = {
  name: "judge",
  evaluate: () => allow(),
  evaluateResult: () => allow(),
};

/** A call of a tool that is not listed, for which the whole list is read. */
function listing(pages: unknown[][]): Run {
  return async () => {
    const wire = new Wire({ guardrails: [judge] });
    wire.pages = pages;
    await wire.refused(call(1, "none"));
    await wire.connection.close();
  };
}

describe("P18 the cost of what an outsider sends", () => {
  it.each(Object.entries(dimensions))("grows as its size does by %s", async (_, [most, made]) => {
    await expectGrowth(made, most);
  });

  it.each(Object.entries(exchanges))(
    "grows as its size does by %s of a connection",
    { tags: "long" },
    async (_, [most, made]) => {
      await expectGrowth(made, most);
    },
  );

  it("is told by this measure where it is a square", { tags: "long" }, async () => {
    const square = (size: number) => () => {
      let sum = 0;
      for (let at = 0; at < size * size; at++) sum = (sum + at) % 1_000_003;
      return sum;
    };
    await expect(expectGrowth(square, 4_000)).rejects.toThrow();
  });
});
