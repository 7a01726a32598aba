import { expect, it } from "vitest";
import { Chunks } from "../../src/proxy/chunks.js";
import { EventStream } from "../../src/proxy/http/event-stream.js";

it("P17 bytes that come one by one take no memory for each of them", () => {
  const count = 2_000_000;
  const source = Buffer.alloc(count, "ab");
  const pieces = new Chunks();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < count; at++) pieces.add(source.subarray(at, at + 1));
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
  expect(pieces.length).toBe(count);
  expect(pieces.take().equals(source)).toBe(true);
  expect([pieces.length, pieces.take().length]).toEqual([0, 0]);
});

it("gives a single piece as it is", () => {
  const pieces = new Chunks();
  const piece = Buffer.from("one");
  pieces.add(piece);
  pieces.add(Buffer.alloc(0));
  expect(pieces.take()).toBe(piece);
});

it("P17 takes no event of more lines than can be held", () => {
  const stream = new EventStream(16_777_216, () => {});
  const lines = Buffer.from("x\n".repeat(1_000));
  expect(() => {
    for (let written = 0; written < 200; written++) stream.write(lines);
  }).toThrow("An event has more than 100000 lines.");
});
