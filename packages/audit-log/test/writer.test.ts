import { describe, expect, it } from "vitest";
import { type AuditSink, auditLog, type ChainHead, genesis, verify } from "../src/index.js";
import { settledCall } from "./calls.js";
import { callRecords, linesOf, records } from "./records.js";

/** A sink whose writes wait until they are let through. */
class SlowSink implements AuditSink {
  readonly name = "slow";
  text = "";
  readonly writes: number[] = [];
  closed = false;
  #gate: Promise<void> = Promise.resolve();
  #open: () => void = () => {};

  readonly open = async () => ({ head: genesis, cutBytes: 0 });
  readonly append = async (lines: Uint8Array, _head: ChainHead) => {
    await this.#gate;
    const text = Buffer.from(lines).toString();
    this.writes.push(linesOf(text).length);
    this.text += text;
  };
  readonly close = async () => {
    this.closed = true;
  };

  block(): void {
    this.#gate = new Promise((resolve) => {
      this.#open = resolve;
    });
  }
  release(): void {
    this.#open();
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const call = (index: number) => settledCall({ runId: `run-${index}` });

async function blocked(options: { maxQueued: number; onFull?: "block" | "drop" }) {
  const sink = new SlowSink();
  const log = auditLog({ sink, ...options });
  await log.settle(call(0));
  sink.block();
  return { sink, log };
}

describe("the writer", () => {
  it("writes the records of a burst in order and in one go", async () => {
    const sink = new SlowSink();
    const log = auditLog({ sink });
    await Promise.all(Array.from({ length: 200 }, (_, index) => log.settle(call(index))));
    expect(sink.writes).toEqual([1, 200]);
    expect(callRecords(linesOf(sink.text)).map(({ runId }) => runId)).toEqual(
      Array.from({ length: 200 }, (_, index) => `run-${index}`),
    );
  });

  it("acknowledges a record when the sink has it, and not before", async () => {
    const { sink, log } = await blocked({ maxQueued: 10 });
    let acknowledged = false;
    const settled = log.settle(call(1)).then(() => {
      acknowledged = true;
    });
    for (let waited = 0; waited < 5; waited++) await turn();
    expect(acknowledged).toBe(false);
    sink.release();
    await settled;
    expect(sink.text).toContain('"run-1"');
  });

  it("makes calls wait when the queue is full, and loses none", async () => {
    const { sink, log } = await blocked({ maxQueued: 3 });
    const settled = Array.from({ length: 6 }, (_, index) => log.settle(call(index + 1)));
    for (let waited = 0; waited < 5; waited++) await turn();
    sink.release();
    await Promise.all(settled);
    expect(callRecords(linesOf(sink.text))).toHaveLength(7);
    expect((await verify(linesOf(sink.text))).ok).toBe(true);
  });

  it("keeps the order of calls, of those too that wait while others come", async () => {
    const { sink, log } = await blocked({ maxQueued: 300 });
    const settled = Array.from({ length: 550 }, (_, index) => log.settle(call(index + 1)));
    // Its turn comes with the first acknowledgement: there is room then, and others wait for it.
    const late = settled[0]?.then(() => log.settle(call(551)));
    sink.release();
    await Promise.all([...settled, late]);
    const runs = callRecords(linesOf(sink.text)).map(({ runId }) => runId);
    expect(runs).toEqual(Array.from({ length: 552 }, (_, index) => `run-${index}`));
  });

  it("writes at its close what waited for room", async () => {
    const { sink, log } = await blocked({ maxQueued: 2 });
    const settled = [1, 2, 3, 4].map((index) => log.settle(call(index)));
    const closed = log.close();
    sink.release();
    await Promise.all([...settled, closed]);
    expect(callRecords(linesOf(sink.text))).toHaveLength(5);
  });

  it("records a gap behind the calls that waited when it came", async () => {
    const { sink, log } = await blocked({ maxQueued: 2 });
    const settled = [1, 2, 3, 4].map((index) => log.settle(call(index)));
    await expect(log.settle(call(5))).rejects.toThrow(/full/);
    sink.release();
    await Promise.all(settled);
    await log.settle(call(6));
    const found = records(linesOf(sink.text)).map(({ kind, runId }) => runId ?? kind);
    expect(found.slice(-3)).toEqual(["run-4", "gap", "run-6"]);
  });

  it("P17 refuses what neither the queue nor its waiting room holds", async () => {
    const { sink, log } = await blocked({ maxQueued: 3 });
    const settled = Array.from({ length: 6 }, (_, index) => log.settle(call(index + 1)));
    await expect(log.settle(call(7))).rejects.toThrow(/full, and too many calls wait for it/);
    sink.release();
    await Promise.all(settled);
    await expect(log.settle(call(8))).resolves.toBeUndefined();
  });

  it("P17 drops what the queue does not hold, and records exactly how much", async () => {
    const { sink, log } = await blocked({ maxQueued: 3, onFull: "drop" });
    const kept = [1, 2, 3].map((index) => log.settle(call(index)));
    await Promise.all([4, 5, 6, 7].map((index) => log.settle(call(index))));
    sink.release();
    await Promise.all(kept);
    await log.settle(call(8));
    await log.close();
    const found = records(linesOf(sink.text)).slice(1);
    expect(found.map(({ kind, runId }) => runId ?? kind)).toEqual([
      "run-0",
      "run-1",
      "run-2",
      "run-3",
      "gap",
      "run-8",
    ]);
    expect(found[4]).toMatchObject({ dropped: 4 });
    expect(await verify(linesOf(sink.text))).toMatchObject({ ok: true, dropped: 4 });
  });

  it("records a gap where it was, though records came before the queue was empty", async () => {
    const { sink, log } = await blocked({ maxQueued: 300, onFull: "drop" });
    const kept = Array.from({ length: 300 }, (_, index) => log.settle(call(index + 1)));
    await log.settle(call(301));
    sink.release();
    await kept[0];
    await log.settle(call(302));
    const found = records(linesOf(sink.text)).map(({ kind, runId }) => runId ?? kind);
    expect(found.slice(-3)).toEqual(["run-300", "gap", "run-302"]);
  });

  it("records a gap before it closes", async () => {
    const { sink, log } = await blocked({ maxQueued: 1, onFull: "drop" });
    const kept = log.settle(call(1));
    await log.settle(call(2));
    const closed = log.close();
    sink.release();
    await Promise.all([kept, closed]);
    expect(records(linesOf(sink.text)).at(-1)).toMatchObject({ kind: "gap", dropped: 1 });
    expect(sink.closed).toBe(true);
  });

  it("P2 stops for good when the sink fails, and tells every caller no more than the error's code", async () => {
    let appends = 0;
    const sink: AuditSink = {
      name: "broken",
      open: () => ({ head: genesis, cutBytes: 0 }),
      append() {
        if (++appends > 2) throw Object.assign(new Error("s3cret path"), { code: "EIO" });
      },
      close() {},
    };
    const log = auditLog({ sink });
    await log.settle(call(1));
    const failed = await Promise.allSettled([log.settle(call(2)), log.settle(call(3))]);
    const later = await log.settle(call(4)).catch((error: unknown) => error);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(later).toMatchObject({ code: "ERR_CLOSED", cause: { code: "EIO" } });
    expect(String(later)).toMatch(/stopped for good: its sink failed with EIO/);
    expect(String(later)).not.toContain("s3cret");
    expect(appends).toBe(3);
    await log.close();
  });

  it("rejects every record when the sink cannot be opened after all", async () => {
    const log = auditLog({
      sink: {
        name: "absent",
        open: () => Promise.reject(new Error("down")),
        append() {},
        close() {},
      },
    });
    await expect(log.settle(call(1))).rejects.toThrow(/stopped for good/);
    await log.close();
  });

  it.each([
    ["no head", { cutBytes: 0 }],
    ["a head that is no place in a chain", { head: { seq: "0", hash: genesis.hash }, cutBytes: 0 }],
    ["no count of what was cut", { head: genesis, cutBytes: '1,"x":1' }],
  ])("acknowledges nothing when a sink opens with %s", async (_, opened) => {
    const sink = new SlowSink();
    const log = auditLog({ sink: { ...sink, name: "wrong", open: () => opened as never } });
    await expect(log.settle(call(1))).rejects.toThrow("The sink's open() must return { head");
    expect(sink.text).toBe("");
  });
});
