import { allowAll, type CallRecord } from "@toolstile/core";
import { fakeClock } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import type { GuardedConnectionOptions } from "../src/index.js";
import { deferred } from "./support/deferred.js";
import { answer, call, text, Wire } from "./support/wire.js";

const cancelled = {
  jsonrpc: "2.0" as const,
  method: "notifications/cancelled",
  params: { requestId: 1 },
};

/** A connection whose observer is told of a call's end, and takes its time until it is let go. */
function observed(options: Partial<GuardedConnectionOptions> = {}) {
  const told = deferred<CallRecord>();
  const gate = deferred<void>();
  const observer = {
    name: "slow",
    settle: async (record: CallRecord) => {
      if (record.outcome === undefined) return;
      told.resolve(record);
      await gate.promise;
    },
  };
  const wire = new Wire({ guardrails: [allowAll()], observers: [observer], ...options });
  return { wire, told, gate };
}

describe("the id of a call", () => {
  it("P6 that was cancelled is nobody else's until it is settled, though the server has answered", async () => {
    const { wire, told, gate } = observed();
    await wire.forwarded(call(1, "send"));
    wire.connection.fromClient(cancelled);
    wire.connection.fromServer(answer(1, { content: [text("late")] }));
    await told.promise;
    expect((await wire.refused(call(1, "read"))).error).toMatchObject({ code: -32600 });
    gate.resolve();
    await wire.connection.close();
    expect(wire.client).toHaveLength(1);
  });

  it("is free for the next once the cancelled one is settled and answered, in either order", async () => {
    for (const isAnsweredFirst of [true, false]) {
      const { wire, told, gate } = observed();
      await wire.forwarded(call(1, "send"));
      wire.connection.fromClient(cancelled);
      const late = answer(1, { content: [text("late")] });
      if (isAnsweredFirst) wire.connection.fromServer(late);
      await told.promise;
      gate.resolve();
      // Another call goes the whole way in the meantime.
      await wire.exchange(call(2, "send"), { content: [] });
      if (!isAnsweredFirst) {
        expect((await wire.refused(call(1, "read"))).error).toMatchObject({ code: -32600 });
        wire.connection.fromServer(late);
      }
      expect(await wire.exchange(call(1, "read"), { content: [text("mine")] })).toEqual(
        answer(1, { content: [text("mine")] }),
      );
      expect(wire.faults).toEqual([]);
    }
  });

  it("that is out of time is not answered once the client has cancelled it, and the server is told once", async () => {
    const clock = fakeClock();
    const { wire, told, gate } = observed({ clock, callTimeoutMs: 500, timeoutMs: 60_000 });
    await wire.forwarded(call(1, "send"));
    clock.advance(500);
    expect((await told.promise).outcome).toMatchObject({ status: "unknown" });
    wire.connection.fromClient(cancelled);
    gate.resolve();
    // Another call goes the whole way in the meantime.
    await wire.exchange(call(2, "send"), { content: [] });
    expect(wire.client.map(({ id }) => id)).toEqual([2]);
    expect(wire.server.filter(({ method }) => method === cancelled.method)).toHaveLength(1);
  });
});
