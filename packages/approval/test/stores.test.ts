import { describe, expect, it } from "vitest";
import { bindingOf } from "../src/record/binding.js";
import { stores } from "./every-store.js";
import { asked, flips, question } from "./questions.js";

const yes = { decision: "approved", by: "ann", at: 10 } as const;
const no = { decision: "denied", by: "ann", reason: "not today", at: 10 } as const;
const roomy = { maxOpen: 100, now: 0 };

describe.each(stores)("%s", (_, isThere, make) => {
  const test = it.skipIf(!isThere);

  /** A store with one approval that was approved. */
  async function approved() {
    const store = await make();
    const one = asked();
    expect(await store.add(one, roomy)).toBe(true);
    expect(await store.answer(one.id, yes)).toBe(true);
    return { store, one };
  }

  test("P9 lets one of eight concurrent redemptions through", async () => {
    const { store, one } = await approved();
    const redemptions = Array.from({ length: 8 }, () => store.consume(one.id, one.binding, 20));
    const consumed = await Promise.all(redemptions);
    expect(consumed.filter((each) => each === true)).toHaveLength(1);
    expect(await store.consume(one.id, one.binding, 20)).toBe(false);
  });

  test("P9 remembers of a run that it used a grant, and of no other, and not before", async () => {
    const { store, one } = await approved();
    const { runId } = one.question;
    expect(await store.hasUsed(runId)).toBe(false);
    await store.consume(one.id, bindingOf({ ...one.question, code: "other" }), 20);
    expect(await store.hasUsed(runId)).toBe(false);
    await store.consume(one.id, one.binding, 20);
    expect(await store.hasUsed(runId)).toBe(true);
    for (const other of ["", `${runId}x`, "../key", "%", "constructor"]) {
      expect(await store.hasUsed(other), other).toBe(false);
    }
  });

  test("tells of what was denied or used who answered it and why, and has it open no more", async () => {
    const { store, one } = await approved();
    const other = asked();
    await store.add(other, roomy);
    await store.answer(other.id, no);
    await store.consume(one.id, one.binding, 20);
    expect(await store.read(one.id)).toMatchObject({ id: one.id, answer: yes, used: true });
    expect(await store.read(other.id)).toMatchObject({ id: other.id, answer: no, used: false });
    expect(await store.list(20)).toEqual({ records: [], damaged: [] });
    expect(await store.answer(other.id, yes)).toBe(false);
    expect(await store.consume(other.id, other.binding, 20)).toBe(false);
  });

  test("P9 consumes nothing for a question with any bound field flipped", async () => {
    const { store, one } = await approved();
    for (const [what, flipped] of flips(one.question)) {
      expect(await store.consume(one.id, bindingOf(flipped), 20), what).toBe(false);
    }
    expect(await store.consume(one.id, one.binding, 20)).toBe(true);
  });

  test("P9 consumes nothing that is pending, denied, expired, withdrawn or unknown", async () => {
    const store = await make();
    const all = Array.from({ length: 5 }, () => asked());
    const [pending, denied, late, withdrawn, unknown] = all as [
      ReturnType<typeof asked>,
      ReturnType<typeof asked>,
      ReturnType<typeof asked>,
      ReturnType<typeof asked>,
      ReturnType<typeof asked>,
    ];
    for (const each of [pending, denied, late, withdrawn]) await store.add(each, roomy);
    await store.answer(denied.id, no);
    await store.answer(late.id, yes);
    await store.answer(withdrawn.id, yes);
    await store.withdraw(withdrawn.id);
    for (const each of [pending, denied, withdrawn, unknown]) {
      expect(await store.consume(each.id, each.binding, 20)).toBe(false);
    }
    expect(await store.consume(late.id, late.binding, 1_000)).toBe(false);
    expect(await store.consume(late.id, late.binding, 999)).toBe(true);
    for (const id of ["", "../key", "constructor", "__proto__", "a'; --"]) {
      expect(await store.consume(id, pending.binding, 20)).toBe(false);
      expect(await store.answer(id, yes)).toBe(false);
      expect(await store.read(id)).toBeUndefined();
    }
  });

  test("P9 takes the first of eight concurrent answers, and none that is late", async () => {
    const store = await make();
    const [one, late] = [asked(), asked()];
    await store.add(one, roomy);
    await store.add(late, roomy);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (__, index) => store.answer(one.id, index % 2 === 0 ? yes : no)),
    );
    expect(answers.filter((each) => each)).toHaveLength(1);
    expect(await store.answer(one.id, yes)).toBe(false);
    expect(await store.answer(late.id, { ...yes, at: 1_000 })).toBe(false);
    expect(await store.consume(late.id, late.binding, 20)).toBe(false);
  });

  test("P17 holds no more than its limit, and puts none out for another", async () => {
    const store = await make();
    const all = Array.from({ length: 12 }, () => asked());
    const limit = { maxOpen: 3, now: 0 };
    const added = await Promise.all(all.map((each) => store.add(each, limit)));
    const kept = all.filter((__, index) => added[index]);
    // Where several come at once, all may step back; whatever was told true is there.
    expect(kept.length).toBeLessThanOrEqual(3);
    while (kept.length < 3) {
      const more = asked();
      expect(await store.add(more, limit)).toBe(true);
      kept.push(more);
    }
    expect(await store.add(asked(), limit)).toBe(false);
    const { records } = await store.list(0);
    expect(records.map(({ id }) => id).sort()).toEqual(kept.map(({ id }) => id).sort());
    // An approval that was not used yet still takes its place; one that was is gone.
    const [first] = kept as [ReturnType<typeof asked>];
    await store.answer(first.id, yes);
    expect(await store.add(asked(), limit)).toBe(false);
    expect(await store.consume(first.id, first.binding, 20)).toBe(true);
    expect(await store.add(asked(), limit)).toBe(true);
    // So is one that has expired.
    expect(await store.add(asked(question(), 1_000, 2_000), { maxOpen: 3, now: 1_000 })).toBe(true);
  });

  test("gives back the question as it was asked, frozen, and who answered", async () => {
    const odd = question({ args: { text: "\u0000\u202e\n'\"\\ é 日", list: [1e21, 0.1, null] } });
    const store = await make();
    const one = asked(odd);
    await store.add(one, roomy);
    expect(await store.read(one.id)).toEqual({ ...one, answer: undefined, used: false });
    await store.answer(one.id, yes);
    const record = await store.read(one.id);
    expect(record).toMatchObject({ question: one.question, answer: yes, used: false });
    expect(Object.isFrozen(record?.question.args)).toBe(true);
    expect((await store.list(20)).records).toHaveLength(1);
    expect((await store.list(1_000)).records).toHaveLength(0);
  });
});
