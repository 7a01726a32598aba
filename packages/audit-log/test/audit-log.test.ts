import { createHmac } from "node:crypto";
import { canonicalJson } from "@toolstile/core/provider";
import { describe, expect, it } from "vitest";
import { type AuditLogOptions, auditLog, memory, verify } from "../src/index.js";
import { intendedCall, settledCall } from "./calls.js";
import { callRecords, records } from "./records.js";

const key = Buffer.alloc(32, 7);

function logged(options: Partial<AuditLogOptions> = {}) {
  const sink = memory();
  return { sink, log: auditLog({ sink, key, now: () => 5_000, ...options }) };
}

describe("auditLog", () => {
  it("P15 gives every call one outcome record with its session's sequence number", async () => {
    const { log, sink } = logged();
    const sessions = ["a", "b", "a", "a", "b"];
    await Promise.all(
      sessions.map((sessionId, index) =>
        log.settle(settledCall({ runId: `run-${index}`, context: { sessionId } })),
      ),
    );
    const found = callRecords(sink.lines);
    expect(found.map(({ runId }) => runId)).toEqual(["run-0", "run-1", "run-2", "run-3", "run-4"]);
    expect(found.map(({ session }) => session)).toEqual([
      { id: "a", seq: 1 },
      { id: "b", seq: 1 },
      { id: "a", seq: 2 },
      { id: "a", seq: 3 },
      { id: "b", seq: 2 },
    ]);
    expect(found.every(({ kind }) => kind === "outcome")).toBe(true);
  });

  it("P15 writes an intent before the outcome where it is required, and takes none otherwise", async () => {
    const { log, sink } = logged({ required: true });
    await log.intent?.(intendedCall());
    await log.settle(settledCall());
    expect(callRecords(sink.lines).map(({ kind }) => kind)).toEqual(["intent", "outcome"]);
    expect(log.required).toBe(true);
    expect(logged().log.intent).toBeUndefined();
  });

  it("begins with the format version, the writer and a fingerprint of the key", async () => {
    const { log, sink } = logged();
    await log.settle(settledCall());
    const [head] = records(sink.lines);
    expect(head).toMatchObject({ seq: 1, prev: "0".repeat(64), v: 1, kind: "head", time: 5_000 });
    expect(head?.writer).toMatch(/^[0-9a-f-]{36}$/);
    expect(head?.key).toMatch(/^[0-9a-f]{16}$/);
    expect(sink.lines[0]).not.toContain(key.toString("hex").slice(0, 16));
  });

  it("records who asked for what, what was decided, by whom, and when", async () => {
    const { log, sink } = logged();
    await log.settle(
      settledCall(
        {
          turnId: "turn-1",
          agentName: "mailer",
          requestedName: "mail",
          policyVersion: "7",
          context: { sessionId: "s", principal: "p", tenant: "t", attributes: { plan: "gold" } },
          decisions: [
            {
              provider: "limit",
              phase: "admit",
              decision: "deny",
              basis: "policy",
              mode: "shadow",
              code: "over",
              reason: "too many calls",
              metadata: { used: 3 },
            },
          ],
        },
        { status: "denied", executed: false, basis: "policy", decidedBy: "limit", code: "over" },
      ),
    );
    expect(callRecords(sink.lines)[0]).toMatchObject({
      turnId: "turn-1",
      callId: "call-1",
      session: { id: "s", seq: 1 },
      principal: "p",
      tenant: "t",
      agentName: "mailer",
      requestedName: "mail",
      toolName: "send_mail",
      status: "denied",
      executed: false,
      basis: "policy",
      decidedBy: "limit",
      code: "over",
      modifiedBy: [],
      decisions: [
        {
          provider: "limit",
          phase: "admit",
          decision: "deny",
          basis: "policy",
          mode: "shadow",
          code: "over",
          reason: "too many calls",
        },
      ],
      times: { askedAt: 1_000, dispatchedAt: 1_001, settledAt: 1_002 },
      policyVersion: "7",
    });
    expect(sink.lines.join()).not.toMatch(/gold|"metadata"/);
  });

  it("commits to arguments and result under the key, as anyone who has it can recompute", async () => {
    const { log, sink } = logged();
    await log.settle(
      settledCall({ askedArgs: { pin: 1234 }, usedArgs: { pin: 0 }, content: "done" }),
    );
    const of = (value: unknown) =>
      createHmac("sha256", key).update(canonicalJson(value)).digest("hex");
    expect(callRecords(sink.lines)[0]?.digests).toEqual({
      asked: of({ pin: 1234 }),
      used: of({ pin: 0 }),
      result: of({ content: "done" }),
    });
  });

  it("commits differently under another key, so that a guessed argument cannot be checked", async () => {
    const [one, other] = [logged(), logged({ key: Buffer.alloc(32, 8) })];
    for (const { log } of [one, other]) await log.settle(settledCall({ askedArgs: { pin: 1234 } }));
    const digest = (lines: readonly string[]) => callRecords(lines)[0]?.digests.asked;
    expect(digest(one.sink.lines)).not.toBe(digest(other.sink.lines));
  });

  it("keeps every canary out of the log: arguments, results, error texts, attributes, metadata", async () => {
    const canary = "canary-8f1d";
    const { log, sink } = logged({ required: true });
    const facts = {
      askedArgs: { password: canary, [canary]: 1 },
      usedArgs: { token: canary },
      content: `it is ${canary}`,
      context: { attributes: { secret: canary } },
      decisions: [
        {
          provider: "p",
          phase: "call",
          decision: "allow",
          basis: "policy",
          metadata: { seen: canary },
        },
      ],
    } as const;
    class Refused extends Error {}
    const error = Object.assign(new Refused(canary), { name: canary, cause: canary });
    await log.intent?.(intendedCall({ askedArgs: facts.askedArgs, args: facts.usedArgs }));
    await log.settle(settledCall(facts));
    await log.settle(settledCall(facts, { status: "failed", error }));
    const text = sink.lines.join("\n");
    for (const encoding of ["utf8", "hex", "base64"] as const) {
      expect(text).not.toContain(Buffer.from(canary).toString(encoding));
    }
    expect(callRecords(sink.lines)[2]).toMatchObject({ status: "failed", errorType: "Refused" });
  });

  it("records payloads and metadata only where they are asked for", async () => {
    const { log, sink } = logged({ payloads: true, metadata: true });
    await log.settle(
      settledCall({
        askedArgs: { to: "ä" },
        content: "done",
        decisions: [
          { provider: "p", phase: "call", decision: "allow", basis: "policy", metadata: { n: 1 } },
        ],
      }),
    );
    expect(callRecords(sink.lines)[0]).toMatchObject({
      payloads: { asked: { to: "ä" }, used: { to: "ä" }, result: { content: "done" } },
      decisions: [{ metadata: { n: 1 } }],
    });
  });

  it("writes one line a record, in printable ASCII, whatever names and reasons hold", async () => {
    const { log, sink } = logged({ payloads: true });
    const hostile = '\n{"seq":9}\r\u2028\u2029\u0000\u001b[2J\u007f\u009b\ud800"\\é🙂';
    await log.settle(
      settledCall({
        runId: hostile,
        requestedName: hostile,
        agentName: hostile,
        askedArgs: { [`k${"\u2028"}`]: "\n\u0085é" },
        context: { sessionId: hostile },
        decisions: [
          { provider: hostile, phase: "call", decision: "deny", basis: "policy", reason: hostile },
        ],
      }),
    );
    expect(sink.lines).toHaveLength(2);
    for (const line of sink.lines) expect(line).toMatch(/^[\x20-\x7e]*$/);
    expect(callRecords(sink.lines)[0]).toMatchObject({ runId: hostile, agentName: hostile });
    expect(await verify(sink.lines)).toMatchObject({ ok: true, records: 2 });
  });

  it("P17 cuts what a model or a guardrail may make long", async () => {
    const { log, sink } = logged({ payloads: true, metadata: true });
    const long = "x".repeat(3_000_000);
    await log.settle(
      settledCall({
        requestedName: long,
        callId: long,
        context: { sessionId: long },
        askedArgs: { long },
        content: long,
        decisions: [
          {
            provider: "p",
            phase: "call",
            decision: "deny",
            basis: "policy",
            reason: long,
            metadata: { long },
          },
        ],
      }),
    );
    expect((sink.lines[1] as string).length).toBeLessThan(4_000);
    expect(callRecords(sink.lines)[0]).toMatchObject({
      payloads: { asked: null, used: null, result: null },
      digests: { asked: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  it("still records a call whose facts cannot be read or committed to", async () => {
    const { log, sink } = logged();
    await log.settle({ ...settledCall({ runId: "odd" }), context: undefined as never });
    await log.settle(settledCall({ content: [{ type: "x", big: 1n }] }));
    expect(callRecords(sink.lines)).toMatchObject([
      { runId: "odd", unreadable: true },
      { digests: { result: null } },
    ]);
    expect((await verify(sink.lines)).ok).toBe(true);
  });

  it("hashes no record before the caller has its turn back", async () => {
    const { log, sink } = logged();
    const settled = log.settle(settledCall());
    await Promise.resolve();
    expect(sink.lines).toHaveLength(0);
    await settled;
    expect(sink.lines).toHaveLength(2);
  });

  it("says where the chain stands, for verify() to expect", async () => {
    const { log, sink } = logged();
    expect(log.head()).toBeUndefined();
    await log.settle(settledCall());
    expect(log.head()).toEqual((await verify(sink.lines)).head);
  });

  it("writes what waits before it closes, and refuses what comes later", async () => {
    const { log, sink } = logged();
    const settled = log.settle(settledCall());
    await log.close();
    await settled;
    expect(sink.lines).toHaveLength(2);
    await expect(log.settle(settledCall())).rejects.toThrow("The audit log is closed.");
    await expect(log.close()).resolves.toBeUndefined();
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, new Date(0), '0,"time":0', undefined])(
    "records a call without a time when the clock goes wrong later: %s",
    async (wrong) => {
      let time: unknown = 5_000;
      const { log, sink } = logged({ now: () => time as number });
      await log.settle(settledCall());
      time = wrong;
      await log.settle(settledCall());
      expect(records(sink.lines).map((record) => record.time)).toEqual([5_000, 5_000, null]);
      expect(await verify(sink.lines)).toMatchObject({ ok: true, kinds: { outcome: 2 } });
    },
  );

  it("goes on with the chain that the sink has", async () => {
    const sink = memory();
    for (const round of [1, 2]) {
      const log = auditLog({ sink });
      await log.settle(settledCall({ runId: `run-${round}` }));
      await log.close();
    }
    expect(await verify(sink.lines)).toMatchObject({ ok: true, kinds: { head: 2, outcome: 2 } });
  });

  it("P5 names a misspelt option and the nearest right one", () => {
    expect(() => auditLog({ sink: memory(), require: true } as never)).toThrow(
      /no option 'require'\. Did you mean 'required'\?/,
    );
  });

  it.each<[string, object, RegExp]>([
    ["no sink", { sink: undefined }, /'sink'/],
    ["half a sink", { sink: { open() {} } }, /'sink'/],
    ["a required that is a word", { required: "yes" }, /'required'/],
    ["a payloads that is a number", { payloads: 1 }, /'payloads'/],
    ["a metadata that is null", { metadata: null }, /'metadata'/],
    [
      "a short key",
      { key: new Uint8Array(31) },
      /^auditLog\(\): 'key' must have at least 32 random bytes, received 31\.$/,
    ],
    ["a key that is a number", { key: 5 }, /'key'/],
    ["a key file that is not there", { key: "/nowhere/key" }, /key file cannot be read/],
    ["a queue of nothing", { maxQueued: 0 }, /'maxQueued'/],
    ["half a session", { maxSessions: 1.5 }, /'maxSessions'/],
    ["an unknown onFull", { onFull: "wait" }, /'onFull'/],
    ["an empty name", { name: "" }, /'name'/],
    [
      "timers of which one is missing",
      { timers: { setTimeout } },
      /'timers' must be an object with/,
    ],
    ["a clock of before 1970", { now: () => -1 }, /'now' must return a number/],
    ["a clock that is a number", { now: 5 }, /'now'/],
    ["a clock that gives NaN", { now: () => Number.NaN }, /'now' must return a number/],
    [
      "a clock that gives Infinity",
      { now: () => Number.POSITIVE_INFINITY },
      /'now' must return a number/,
    ],
    ["a clock that gives a Date", { now: () => new Date(0) }, /'now' must return a number/],
    ["a clock that gives text", { now: () => '0,"time":0' }, /'now' must return a number/],
    ["a clock that gives nothing", { now: () => undefined }, /'now' must return a number/],
    ["a timeout of 0", { timeoutMs: 0 }, /'timeoutMs'/],
    [
      "required records that may be dropped",
      { required: true, onFull: "drop" },
      /exclude each other/,
    ],
  ])("refuses %s", (_, wrong, message) => {
    expect(() => auditLog({ sink: memory(), ...wrong } as never)).toThrow(message);
  });

  it("refuses a second writer on one sink", () => {
    const { sink } = logged();
    expect(() => auditLog({ sink })).toThrow(/Another writer has this/);
  });

  it("P8 records nothing that is planted on a prototype", async () => {
    const planted = { code: "planted", mode: "shadow", reason: "planted", metadata: {} };
    Object.assign(Object.prototype, planted);
    try {
      const { log, sink } = logged({ metadata: true });
      await log.settle(settledCall());
      expect(sink.lines.join()).not.toMatch(/planted|shadow|metadata/);
    } finally {
      for (const name of Object.keys(planted)) Reflect.deleteProperty(Object.prototype, name);
    }
  });

  it("P8 reads no option from a polluted prototype", async () => {
    const planted = { payloads: true, metadata: true, onFull: "drop", maxQueued: 1 };
    Object.assign(Object.prototype, planted);
    try {
      const { log, sink } = logged();
      await Promise.all(
        [1, 2, 3].map(() => log.settle(settledCall({ askedArgs: { a: "s3cret" } }))),
      );
      expect(sink.lines).toHaveLength(4);
      expect(sink.lines.join()).not.toContain("s3cret");
    } finally {
      for (const name of Object.keys(planted)) Reflect.deleteProperty(Object.prototype, name);
    }
  });
});
