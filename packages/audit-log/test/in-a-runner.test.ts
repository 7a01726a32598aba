import { allowAll, deny, forTools, modify, type ToolOutcome, ToolRunner } from "@toolstile/core";
import { fakeTool } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { auditLog, jsonLines, memory, verify } from "../src/index.js";
import { Disk } from "./disk.js";
import { callRecords } from "./records.js";
import { temporaryPath } from "./temporary.js";

describe("an audit log in a runner", () => {
  it("P15 has one outcome record of every call, however it ended", async () => {
    const sink = memory();
    const runner = new ToolRunner({
      tools: [
        fakeTool("search"),
        fakeTool("fail", {
          execute() {
            throw new TypeError("s3cret");
          },
        }),
      ],
      guardrails: [allowAll()],
      observers: [auditLog({ sink })],
    });
    const context = { sessionId: "s" };
    const requests = [
      { name: "search", arguments: '{"q":"s3cret"}' },
      { name: "fail" },
      { name: "absent" },
      { name: "search", arguments: '{"q":' },
    ];
    const outcomes: ToolOutcome[] = [];
    for (const request of requests) outcomes.push(await runner.run(request, { context }));
    const found = callRecords(sink.lines);
    expect(found.map(({ status }) => status)).toEqual([
      "executed",
      "failed",
      "not_found",
      "invalid",
    ]);
    expect(found.map(({ runId }) => runId)).toEqual(outcomes.map(({ runId }) => runId));
    expect(found.map(({ session }) => session)).toEqual(
      [1, 2, 3, 4].map((seq) => ({ id: "s", seq })),
    );
    expect(sink.lines.join()).not.toContain("s3cret");
  });

  it("has the reason of a call that no guard denied beside its code, and that of a guard with its decision", async () => {
    const sink = memory();
    const runner = new ToolRunner({
      tools: [fakeTool("search"), fakeTool("unjudged"), fakeTool("risky")],
      guardrails: [
        forTools(["search"], allowAll()),
        forTools(["risky"], { name: "never", evaluate: () => deny("too risky") }),
      ],
      observers: [auditLog({ sink })],
    });
    const search = { name: "search", callId: "1" };
    const requests = [search, search, { name: "unjudged" }, { name: "risky" }];
    const unread = { name: "search", arguments: "s3cret" };
    const outcomes = await runner.runAll([...requests, unread]);
    const reasons = outcomes.map((each) => ("reason" in each ? each.reason : undefined));
    expect(reasons.filter((reason) => reason !== undefined)).toHaveLength(4);
    const found = callRecords(sink.lines).map(({ runId, reason }) => [runId, reason]);
    expect(new Map(found as [string, unknown][])).toEqual(
      new Map(
        outcomes.map(({ runId }, index) => [runId, index === 3 ? undefined : reasons[index]]),
      ),
    );
    expect(sink.lines.join()).not.toContain("s3cret");
  });

  it("says what was asked, what was used and who changed it", async () => {
    const sink = memory();
    const runner = new ToolRunner({
      tools: [fakeTool("search")],
      guardrails: [{ name: "cap", evaluate: () => modify({ q: "tea" }) }],
      observers: [auditLog({ sink, payloads: true })],
    });
    await runner.run({ name: "search", arguments: { q: "gin" } });
    expect(callRecords(sink.lines)[0]).toMatchObject({
      modifiedBy: ["cap"],
      payloads: { asked: { q: "gin" }, used: { q: "tea" }, result: { content: "done" } },
    });
  });

  it("P15 runs no tool whose intent the disk does not take", async () => {
    const disk = new Disk();
    const search = fakeTool("search");
    const sink = jsonLines(temporaryPath(), { openFile: () => disk });
    const runner = new ToolRunner({
      tools: [search],
      guardrails: [allowAll()],
      observers: [auditLog({ sink, required: true })],
    });
    expect(await runner.run({ name: "search" })).toMatchObject({ status: "executed" });
    disk.room = 100;
    expect(await runner.run({ name: "search" })).toMatchObject({
      status: "denied",
      basis: "audit",
    });
    expect(search.runs).toHaveLength(1);
    expect(await verify(disk.bytes)).toMatchObject({ ok: true, kinds: { intent: 1, outcome: 1 } });
  });

  it("P15 withholds a result whose outcome the disk does not take", async () => {
    const disk = new Disk();
    const search = fakeTool("search", {
      execute() {
        disk.room = 100;
        return "s3cret";
      },
    });
    const sink = jsonLines(temporaryPath(), { openFile: () => disk });
    const runner = new ToolRunner({
      tools: [search],
      guardrails: [allowAll()],
      observers: [auditLog({ sink, required: true })],
    });
    const outcome = await runner.run({ name: "search" });
    expect(outcome).toMatchObject({ status: "withheld", executed: true, basis: "audit" });
    expect(JSON.stringify(outcome.result)).not.toContain("s3cret");
  });

  it("P15 has no record of the calls that the README names, and tells the operator where it may", async () => {
    const sink = memory();
    const faults: unknown[] = [];
    const log = auditLog({ sink });
    const runner = new ToolRunner({
      tools: [fakeTool("search")],
      guardrails: [allowAll()],
      observers: [log],
      onFault: ({ source, phase, error }) => faults.push([source, phase, (error as Error).message]),
    });
    await runner.open({ name: "search" });
    await log.close();
    const { status } = await runner.run({ name: "search" });
    expect(status).toBe("executed");
    expect(callRecords(sink.lines)).toEqual([]);
    expect(faults).toEqual([["audit-log", "settle", "The audit log is closed."]]);
  });
});
