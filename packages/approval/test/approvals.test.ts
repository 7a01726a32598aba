import type { ApprovalAnswer } from "@toolstile/core";
import { fakeClock } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { type ApprovalsOptions, approvals, byFunction, memoryStore } from "../src/index.js";
import type { PromptAnswer, ShownQuestion } from "../src/prompt/prompt.js";
import { flips, question } from "./questions.js";

const { signal } = new AbortController();
const yes = { decision: "approved", by: "ann" } as const;
const no = { decision: "denied", by: "ann" } as const;
const minutes = 60_000;

/** Somebody who is asked, and answers when the test says so. */
function somebody() {
  const open: {
    shown: ShownQuestion;
    signal: AbortSignal;
    answer: (answer: PromptAnswer) => void;
  }[] = [];
  const ask = byFunction(
    (shown, options) =>
      new Promise((resolve) => open.push({ shown, signal: options.signal, answer: resolve })),
  );
  return { ask, open };
}

function desk(options: Partial<ApprovalsOptions> = {}) {
  const clock = fakeClock(1_000);
  const store = memoryStore();
  return { clock, store, ...approvals({ store, clock, ...options }) };
}

/** Lets what is on its way arrive. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

function idOf(answer: ApprovalAnswer): string {
  if (answer.decision === "denied") throw new Error(`denied: ${answer.reason}`);
  return answer.approvalId;
}

describe("asking", () => {
  it("P9 gives a grant that is used once, for the question that was answered", async () => {
    const { ask, consume } = desk({ ask: byFunction(() => yes) });
    const one = question();
    const id = idOf(await ask(one, { signal }));
    for (const [what, flipped] of flips(one)) expect(await consume(id, flipped), what).toBe(false);
    expect(await consume(id, question())).toBe(false);
    const consumed = await Promise.all(Array.from({ length: 8 }, () => consume(id, one)));
    expect(consumed.filter((each) => each)).toHaveLength(1);
  });

  it("P9 asks nobody about a run that has used a grant: it may have been run", async () => {
    const { ask, answer, consume, list } = desk();
    const one = question();
    const id = idOf(await ask(one, { signal }));
    await answer(id, yes);
    expect(await ask(one, { signal })).toEqual({ decision: "approved", approvalId: id });
    expect(await consume(id, one)).toEqual({ by: "ann" });
    for (const again of [one, { ...one, provider: "second" }]) {
      expect(await ask(again, { signal })).toMatchObject({ decision: "denied" });
    }
    expect((await list()).records).toEqual([]);
    expect(await ask({ ...one, runId: "another" }, { signal })).toMatchObject({
      decision: "pending",
    });
  });

  it("P9 honours no approval that it finds of the very question, where who gave it may not answer", async () => {
    const { store, ...first } = desk();
    const one = question();
    const id = idOf(await first.ask(one, { signal }));
    await first.answer(id, { ...yes, by: "eve" });
    const strict = desk({ store, approvers: ["ann"] });
    const answer = await strict.ask(one, { signal });
    expect(answer.decision).toBe("pending");
    expect(idOf(answer)).not.toBe(id);
  });

  it.each([
    ["a yes by nobody", { decision: "approved" }],
    ["a yes by an empty name", { decision: "approved", by: "" }],
    ["a yes by a name that cannot be seen", { decision: "approved", by: "ann\u200b" }],
    ["a yes with other arguments", { ...yes, args: { amount: 1 } }],
    ["a yes with modified arguments", { ...yes, modifiedArgs: { amount: 1 } }],
    ["another word", { decision: "allow", by: "ann" }],
    ["true", true],
    ["nothing", undefined],
    ["an inherited yes", Object.create({ ...yes })],
  ])("P9 denies on %s", async (_, answer) => {
    const { ask, list } = desk({ ask: byFunction(() => answer as never) });
    expect(await ask(question(), { signal })).toEqual({
      decision: "denied",
      reason: "the approver gave no answer",
    });
    expect((await list()).records).toEqual([]);
  });

  it("denies on a throw, and repeats nothing of it", async () => {
    const { ask } = desk({ ask: byFunction(() => Promise.reject(new Error("hunter2"))) });
    const answer = await ask(question(), { signal });
    expect(answer.decision).toBe("denied");
    expect(JSON.stringify(answer)).not.toContain("hunter2");
  });

  it("tells the model why, where whoever denied says it", async () => {
    const { ask } = desk({ ask: byFunction(() => ({ ...no, reason: "ask me tomorrow" })) });
    expect(await ask(question(), { signal })).toEqual({
      decision: "denied",
      reason: "ask me tomorrow",
      approvalId: expect.any(String),
      by: no.by,
    });
  });

  it("P9 denies when nobody answers in time, and takes no answer after that", async () => {
    const { ask: prompt, open } = somebody();
    const { ask, clock, consume, list } = desk({ ask: prompt });
    const one = question({ approval: { summary: "Pay", expiresInMs: 5_000 } });
    const answer = ask(one, { signal });
    await settled();
    const [{ id = "" } = {}] = (await list()).records;
    clock.advance(5_000);
    expect(await answer).toEqual({ decision: "denied", reason: "nobody answered in time" });
    expect(open[0]?.signal.aborted).toBe(true);
    open[0]?.answer(yes);
    await settled();
    expect(await consume(id, one)).toBe(false);
    expect(clock.waiting()).toBe(0);
  });

  it("P9 does not let a grant outlive its time", async () => {
    const { ask, clock, consume } = desk({ ask: byFunction(() => yes) });
    const one = question();
    const id = idOf(await ask(one, { signal }));
    clock.advance(15 * minutes);
    expect(await consume(id, one)).toBe(false);
  });

  it("takes a question back when its caller gives up", async () => {
    const { ask: prompt, open } = somebody();
    const { ask, list, clock } = desk({ ask: prompt });
    const controller = new AbortController();
    const answer = ask(question(), { signal: controller.signal });
    await settled();
    controller.abort();
    expect((await answer).decision).toBe("denied");
    expect(open[0]?.signal.aborted).toBe(true);
    open[0]?.answer(yes);
    await settled();
    expect((await list()).records).toEqual([]);
    expect(clock.waiting()).toBe(0);
  });

  it("denies what cannot be shown: context that JSON cannot hold, or too much of it", async () => {
    const { ask, statistics } = desk({ ask: byFunction(() => yes), maxCharacters: 2_000 });
    const context = { attributes: { since: new Date() } };
    expect((await ask(question({ context }), { signal })).decision).toBe("denied");
    const args = { body: "x".repeat(2_000) };
    expect((await ask(question({ args }), { signal })).decision).toBe("denied");
    expect(statistics()).toMatchObject({ questions: 2, refused: 2, prompts: 0 });
  });
});

describe("questions that are alike", () => {
  it("P9 share one prompt while they are open, whose yes gives each run a grant of its own", async () => {
    const { ask: prompt, open } = somebody();
    const { ask, consume, statistics } = desk({ ask: prompt });
    const questions = Array.from({ length: 3 }, () => question());
    const answers = questions.map((each) => ask(each, { signal }));
    await settled();
    expect(open).toHaveLength(1);
    expect(open[0]?.shown.runs()).toBe(3);
    open[0]?.answer(yes);
    const ids = (await Promise.all(answers)).map(idOf);
    expect(new Set(ids).size).toBe(3);
    const [first, second, third] = questions as [
      (typeof questions)[0],
      (typeof questions)[0],
      (typeof questions)[0],
    ];
    expect(await consume(ids[0] ?? "", second)).toBe(false);
    for (const [index, each] of [first, second, third].entries()) {
      expect(await consume(ids[index] ?? "", each)).toEqual({ by: "ann" });
      expect(await consume(ids[index] ?? "", each)).toBe(false);
    }
    expect(statistics()).toMatchObject({ questions: 3, prompts: 1, approved: 3, used: 3 });
    // The prompt is over: the next one is asked anew.
    void ask(question(), { signal });
    await settled();
    expect(open).toHaveLength(2);
  });

  it("P9 share none with one that differs in anything but the run", async () => {
    const { ask: prompt, open } = somebody();
    const { ask } = desk({ ask: prompt });
    const one = question();
    const others = Object.entries(Object.fromEntries(flips(one))).filter(
      ([what]) => !["runId", "callId", "turnId", "receipt"].includes(what),
    );
    for (const each of [one, ...others.map(([, other]) => other)]) {
      void ask(each, { signal: new AbortController().signal });
    }
    await settled();
    expect(open).toHaveLength(others.length + 1);
  });

  it("leave one by one, and the last one closes the prompt", async () => {
    const { ask: prompt, open } = somebody();
    const { ask } = desk({ ask: prompt });
    const leaving = new AbortController();
    const first = ask(question(), { signal: leaving.signal });
    const second = ask(question(), { signal });
    await settled();
    leaving.abort();
    expect((await first).decision).toBe("denied");
    expect([open[0]?.signal.aborted, open[0]?.shown.runs()]).toEqual([false, 1]);
    open[0]?.answer(yes);
    expect((await second).decision).toBe("approved");
  });

  it("tell whoever is asked when another joins, and cost nobody an answer when that fails", async () => {
    const told: number[] = [];
    let answer: (answer: PromptAnswer) => void = () => {};
    const { ask } = desk({
      ask: byFunction((shown) => {
        shown.onJoin((runs) => {
          told.push(runs);
          throw new Error("gone");
        });
        return new Promise((resolve) => {
          answer = resolve;
        });
      }),
    });
    const answers = [ask(question(), { signal }), ask(question(), { signal })];
    await settled();
    expect(told).toEqual([2]);
    answer(yes);
    for (const each of await Promise.all(answers)) expect(each.decision).toBe("approved");
  });
});

describe("without a way to ask", () => {
  it("P9 is pending until somebody answers, and can be recalled from then on, once", async () => {
    const { ask, answer, recall, consume, list } = desk();
    const one = question();
    const id = idOf(await ask(one, { signal }));
    expect(await recall(id)).toBeUndefined();
    expect(await consume(id, one)).toBe(false);
    expect(await answer(id, yes)).toEqual({ answered: [id], found: "pending" });
    expect((await list()).records[0]?.answer).toMatchObject({ by: "ann" });
    expect(await recall(id)).toEqual(JSON.parse(JSON.stringify(one)));
    expect(await consume(id, one)).toEqual({ by: "ann" });
    expect(await recall(id)).toBeUndefined();
  });

  it("P9 answers those that are alike together, or one only", async () => {
    const { ask, answer, consume, statistics } = desk();
    const questions = Array.from({ length: 4 }, () => question());
    const ids = [];
    for (const each of questions) ids.push(idOf(await ask(each, { signal })));
    const other = idOf(await ask(question({ args: {} }), { signal }));
    const [first = "", second = "", ...rest] = ids;
    expect((await answer(first, yes, { only: true })).answered).toEqual([first]);
    expect((await answer(second, yes)).answered.toSorted()).toEqual([second, ...rest].toSorted());
    for (const [index, each] of questions.entries()) {
      expect(await consume(ids[index] ?? "", each)).toEqual({ by: "ann" });
    }
    expect((await answer(other, no)).answered).toEqual([other]);
    expect(statistics()).toMatchObject({ questions: 5, prompts: 2, approved: 4, denied: 1 });
  });

  it("says what an answer found that came to nothing", async () => {
    const { ask, answer, clock } = desk();
    const [approved, late] = [
      idOf(await ask(question(), { signal })),
      idOf(await ask(question({ args: {} }), { signal })),
    ];
    await answer(approved, yes);
    expect(await answer(approved, no)).toEqual({ answered: [], found: "approved" });
    expect(await answer("../key", yes)).toEqual({ answered: [], found: "unknown" });
    clock.advance(15 * minutes);
    expect(await answer(late, yes)).toEqual({ answered: [], found: "expired" });
    await expect(answer(late, { ...yes, args: {} } as never)).rejects.toThrow(/nothing else/);
  });
});

describe("limits", () => {
  it("P17 denies what comes while as many are open as may be, and puts out none", async () => {
    const { ask, list, clock } = desk({ maxPending: 2 });
    const kept = [
      idOf(await ask(question(), { signal })),
      idOf(await ask(question({ args: {} }), { signal })),
    ];
    for (let index = 0; index < 1_000; index++) {
      expect(await ask(question(), { signal })).toEqual({
        decision: "denied",
        reason: "too many approvals are open",
      });
    }
    expect((await list()).records.map(({ id }) => id).sort()).toEqual(kept.sort());
    clock.advance(15 * minutes);
    expect((await ask(question(), { signal })).decision).toBe("pending");
  });

  it.each([
    ["a misspelt option", { onyl: true }],
    ["an option that is neither true nor false", { only: "yes" }],
    ["what is no object", true],
  ])("P9 approves nothing by an answer with %s", async (_, options) => {
    const { ask, answer, list } = desk();
    const first = idOf(await ask(question(), { signal }));
    await ask(question({ runId: "another" }), { signal });
    await expect(answer(first, yes, options as never)).rejects.toMatchObject({
      code: expect.stringMatching(/^ERR_(?:UNKNOWN|INVALID)_OPTION$/),
    });
    expect((await list()).records.map((record) => record.answer)).toEqual([undefined, undefined]);
  });

  it("P9 takes answers by those who may answer only, and honours no other's grant", async () => {
    const store = memoryStore();
    const clock = fakeClock(0);
    const strict = approvals({
      store,
      clock,
      approvers: ["ann"],
      ask: byFunction(() => ({ ...yes, by: "eve" })),
    });
    expect((await strict.ask(question(), { signal })).decision).toBe("denied");
    const loose = approvals({ store, clock });
    const one = question();
    const id = idOf(await loose.ask(one, { signal }));
    await expect(strict.answer(id, { ...yes, by: "eve" })).rejects.toThrow(/may not answer/);
    await loose.answer(id, { ...yes, by: "eve" });
    expect(await strict.recall(id)).toBeUndefined();
    expect(await strict.consume(id, one)).toBe(false);
    expect(await loose.consume(id, one)).toEqual({ by: "eve" });
  });

  it("counts prompts per 100 calls", async () => {
    const { ask, statistics, observer } = desk({ ask: byFunction(() => no) });
    expect(statistics().promptsPer100Calls).toBeUndefined();
    await ask(question(), { signal });
    for (let index = 0; index < 200; index++) await observer.settle({} as never);
    expect(statistics()).toMatchObject({ calls: 200, prompts: 1, promptsPer100Calls: 0.5 });
  });

  it("ends what is open when it closes, and approves nothing of it", async () => {
    const { ask: prompt, open } = somebody();
    const { ask, close } = desk({ ask: prompt });
    const answer = ask(question(), { signal });
    await settled();
    await close();
    expect((await answer).decision).toBe("denied");
    expect(open[0]?.signal.aborted).toBe(true);
  });

  it.each([
    [{ store: {} }, /'store' must be/],
    [{ ask: () => yes }, /'ask' must be/],
    [{ expiresInMs: 0 }, /'expiresInMs' must be/],
    [{ expiresInMs: 15 * 24 * 60 * minutes }, /14 days/],
    [{ maxPending: 0 }, /'maxPending' must be/],
    [{ maxPending: Number.POSITIVE_INFINITY }, /'maxPending' must be/],
    [{ approvers: [] }, /'approvers' must be/],
    [{ approvers: "ann" }, /'approvers' must be/],
    [{ approvers: new Array(1) }, /'approvers' must be/],
    [{ name: "" }, /'name' must be/],
    [{ clock: { now: Date.now } }, /'clock' must be/],
    [{ aks: undefined }, /Did you mean 'ask'/],
  ])("P5 names the option that is wrong: %j", (options, message) => {
    expect(() => approvals({ store: memoryStore(), ...options } as never)).toThrow(message);
  });
});
