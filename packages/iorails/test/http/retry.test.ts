import { completionBody, type ModelReply, modelServer } from "@toolstile/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRetryAfter } from "../../src/http/retry.js";
import {
  all,
  clientOf,
  deadServer,
  faultOf,
  question,
  rawServer,
  type TestPorts,
  testPorts,
  turn,
  until,
} from "./support.js";

const good: ModelReply = { body: completionBody({ content: "Hi." }) };
const busy = (status: number, retryAfter?: string): ModelReply => ({
  status,
  body: {},
  headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
});

/** The waits between attempts: every delay but the timeouts of attempts and of what is drained. */
function waits(ports: TestPorts): readonly number[] {
  return ports.delays.filter((delay) => delay !== 77_000 && delay !== 1_000);
}

function patient(server: { readonly url: string }, ports: TestPorts, more = {}) {
  return clientOf(server, ports, { timeout: 77, ...more });
}

/** Let each wait pass as it comes. */
async function passing(ports: TestPorts, answer: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  answer.then(over, over);
  for (let passed = 0; !isOver; await turn()) {
    const next = waits(ports)[passed];
    if (next === undefined) continue;
    passed++;
    ports.clock.advance(next);
  }
}

it.each([429, 500, 502, 503, 504, 529, 599])("asks again after %d", async (status) => {
  await using server = await modelServer([busy(status), good]);
  const ports = testPorts();
  const answer = patient(server, ports).complete(question);
  await passing(ports, answer);
  expect(await answer).toMatchObject({ content: "Hi." });
  expect(waits(ports)).toEqual([200]);
  expect(server.requests.map(({ body }) => body)).toEqual([
    server.requests[0]?.body,
    server.requests[0]?.body,
  ]);
});

it("does not ask again one millisecond early", async () => {
  await using server = await modelServer([busy(500), good]);
  const ports = testPorts();
  const answer = patient(server, ports).complete(question);
  await until(() => waits(ports).length === 1);
  ports.clock.advance(199);
  for (let turns = 0; turns < 20; turns++) await turn();
  expect(server.requests).toHaveLength(1);
  ports.clock.advance(1);
  await answer;
  expect(server.requests).toHaveLength(2);
});

it("asks three times in all, waits twice as long each time, and gives the last status", async () => {
  await using server = await modelServer([busy(500), busy(502), busy(503), good]);
  const ports = testPorts();
  const answer = faultOf(patient(server, ports).complete(question));
  await passing(ports, answer);
  expect(await answer).toMatchObject({ fault: "status", status: 503 });
  expect(waits(ports)).toEqual([200, 400]);
  expect(server.requests).toHaveLength(3);
});

it("keeps to max_attempts, and never waits longer than 30 s by itself", async () => {
  await using server = await modelServer(() => busy(500));
  const ports = testPorts();
  const answer = faultOf(patient(server, ports, { max_attempts: 11 }).complete(question));
  await passing(ports, answer);
  await answer;
  expect(server.requests).toHaveLength(11);
  expect(waits(ports)).toEqual([
    200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000,
  ]);
});

it.each([
  [0, 0],
  [0.25, 50],
  [Number.NaN, 200],
  [-1, 200],
  [9, 200],
])("spreads waits by chance: %d of 200 ms is %d", async (share, wait) => {
  await using server = await modelServer([busy(500), good]);
  const ports = testPorts({ random: () => share });
  const answer = patient(server, ports).complete(question);
  await passing(ports, answer);
  await answer;
  expect(waits(ports)).toEqual([wait]);
});

it.each([429, 503])("waits as long as Retry-After says, up to 30 s (%d)", async (status) => {
  await using server = await modelServer([busy(status, "7"), busy(status, "30"), good]);
  const ports = testPorts();
  const answer = patient(server, ports).complete(question);
  await passing(ports, answer);
  await answer;
  expect(waits(ports)).toEqual([7_000, 30_000]);
});

it("counts no wait between attempts as time of an attempt", async () => {
  await using server = await modelServer([busy(503, "7"), good]);
  const ports = testPorts();
  const answer = clientOf(server, ports, { timeout: 2 }).complete(question);
  await until(() => ports.delays.includes(7_000));
  ports.clock.advance(7_000);
  expect(await answer).toMatchObject({ content: "Hi." });
});

it("gives up at once where Retry-After is longer, and says when to come back", async () => {
  await using server = await modelServer([busy(429, "31"), good]);
  const ports = testPorts();
  const error = await faultOf(patient(server, ports).complete(question));
  expect(error).toMatchObject({ fault: "status", status: 429, retryAfterMs: 31_000 });
  expect(server.requests).toHaveLength(1);
});

describe("Retry-After", () => {
  const now = Date.UTC(2026, 0, 1);
  it.each([
    ["0", 0],
    ["120", 120_000],
    ["0.5", 500],
    ["Thu, 01 Jan 2026 00:00:09 GMT", 9_000],
    ["Wed, 31 Dec 2025 23:59:59 GMT", 0],
    ["-1", undefined],
    ["1e9", undefined],
    ["soon", undefined],
    ["", undefined],
    ["2026-01-01T00:00:09Z", undefined],
    ["Thu, 99 Jan 2026 00:00:09 GMT", undefined],
    ["99999999999", undefined],
    [null, undefined],
  ])("reads %j as %j ms", (value, milliseconds) => {
    expect(readRetryAfter(value, now)).toBe(milliseconds);
  });

  it("property: is nothing, or a finite wait, whatever a server writes", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        (value) => {
          const wait = readRetryAfter(value, now);
          expect(wait === undefined || (Number.isFinite(wait) && wait >= 0)).toBe(true);
        },
      ),
    );
  });
});

it("asks again where nobody listens, and says so in the end", async () => {
  const ports = testPorts();
  const answer = faultOf(patient(await deadServer(), ports).complete(question));
  await passing(ports, answer);
  expect(await answer).toMatchObject({ fault: "network", status: undefined });
  expect(waits(ports)).toEqual([200, 400]);
});

it.each([
  ["closed", (socket: import("node:net").Socket) => socket.end()],
  ["reset", (socket: import("node:net").Socket) => socket.resetAndDestroy()],
])("asks again where the connection is %s before the answer begins", async (_, hangUp) => {
  await using server = await rawServer((socket) => void hangUp(socket));
  const ports = testPorts();
  const answer = faultOf(patient(server, ports).complete(question));
  await passing(ports, answer);
  expect(await answer).toMatchObject({ fault: "network" });
  expect(server.requests()).toBe(3);
});

it("asks again for a stream before it has begun", async () => {
  await using server = await modelServer([busy(429, "1.5"), good]);
  const ports = testPorts();
  const answer = all(patient(server, ports).stream(question));
  await passing(ports, answer);
  expect((await answer).at(-1)).toMatchObject({ type: "end" });
  expect(waits(ports)).toEqual([1_500]);
});
