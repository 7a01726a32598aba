import { deny, ToolRunner, tool } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { approvals } from "../src/index.js";
import { stores } from "./every-store.js";

describe.each(stores)("what has expired in %s", (_, isThere, make) => {
  const test = it.skipIf(!isThere);

  /** A call that waits for a minute, and a clock that can be set. */
  async function waiting() {
    const clock = { time: 1_000, now: () => clock.time, setTimeout, clearTimeout };
    const desk = approvals({ store: await make(), clock, expiresInMs: 60_000 });
    const ran: unknown[] = [];
    const runner = new ToolRunner({
      tools: [tool({ name: "transfer", execute: (args: unknown) => ran.push(args) })],
      guardrails: [{ name: "gate", evaluate: () => deny("no", { approval: { summary: "x" } }) }],
      approver: desk,
    });
    const outcome = await runner.run({ name: "transfer" });
    const id = outcome.status === "denied" ? (outcome.approvalId ?? "") : "";
    const question = (await desk.list()).records[0]?.question;
    if (question === undefined) throw new Error("nothing waits");
    return { clock, desk, runner, ran, id, question };
  }

  const yes = { decision: "approved", by: "ann" } as const;

  test("P9 does not come back with a clock that is set back, once it was resumed too late", async () => {
    const { clock, desk, runner, ran, id } = await waiting();
    await desk.answer(id, yes);
    clock.time = 61_000;
    await expect(runner.resume(id)).rejects.toMatchObject({ code: "ERR_APPROVAL" });
    clock.time = 2_000;
    await expect(runner.resume(id)).rejects.toMatchObject({ code: "ERR_APPROVAL" });
    expect((await desk.list()).records).toEqual([]);
    expect(ran).toEqual([]);
  });

  test("P9 does not come back with a clock that is set back, once it was to be used too late", async () => {
    const { clock, desk, runner, id, question } = await waiting();
    await desk.answer(id, yes);
    clock.time = 61_000;
    expect(await desk.consume(id, question)).toBe(false);
    clock.time = 2_000;
    expect(await desk.consume(id, question)).toBe(false);
    await expect(runner.resume(id)).rejects.toMatchObject({ code: "ERR_APPROVAL" });
  });

  test("P9 takes no answer with a clock that is set back, once one came too late", async () => {
    const { clock, desk, id } = await waiting();
    clock.time = 61_000;
    expect(await desk.answer(id, yes)).toEqual({ answered: [], found: "expired" });
    clock.time = 2_000;
    expect((await desk.answer(id, yes)).answered).toEqual([]);
  });

  test("P9 still runs at the last moment of its time", async () => {
    const { clock, desk, runner, ran, id } = await waiting();
    await desk.answer(id, yes);
    clock.time = 60_999;
    expect((await runner.resume(id)).status).toBe("executed");
    expect(ran).toHaveLength(1);
  });
});
