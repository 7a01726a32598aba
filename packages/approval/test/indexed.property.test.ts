import type { ApprovalQuestion } from "@toolstile/core";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import {
  type ApprovalStore,
  type Approvals,
  approvals,
  fileStore,
  memoryStore,
} from "../src/index.js";
import { plainStore } from "./plain-store.js";
import { question } from "./questions.js";
import { temporaryFolder } from "./temporary.js";

const { signal } = new AbortController();
/** A run asks within half an hour: how long a run is remembered whose time is long over is each store's own. */
const runMs = 1_800_000;
const hourMs = 3_600_000;

type Step =
  | { what: "ask"; desk: number; run: number; amount: number; provider: number; lasts: number }
  | { what: "answer"; desk: number; which: number; isYes: boolean; only: boolean }
  | { what: "resume" | "of another" | "read" | "find" | "withdraw"; desk: number; which: number }
  | { what: "restart"; desk: number }
  | { what: "wait"; ms: number };

const desk = fc.nat(1);
const which = fc.nat();
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constant("ask" as const),
      desk,
      run: fc.nat(3),
      amount: fc.nat(2),
      provider: fc.nat(1),
      lasts: fc.constantFrom(1_000, 60_000, 3 * hourMs),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant("answer" as const),
      desk,
      which,
      isYes: fc.boolean(),
      only: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constantFrom("resume", "resume", "of another", "read", "find", "find", "withdraw"),
      desk,
      which,
    }) as fc.Arbitrary<Step>,
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("restart" as const), desk }) },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant("wait" as const),
      ms: fc.constantFrom(1, 999, 1_000, 59_000, hourMs, -1, -1_000),
    }),
  },
) satisfies fc.Arbitrary<Step>;

interface Desk {
  readonly store: ApprovalStore;
  readonly approvals: Approvals;
}

/** Two desks that share a store, as two processes do. What they say has the number of a question for its id. */
class Office {
  readonly #clock = { time: 10 * hourMs, now: () => this.#clock.time, setTimeout, clearTimeout };
  readonly #open: () => ApprovalStore;
  readonly #desks: Desk[];
  readonly #asked: { readonly id: string; readonly question: ApprovalQuestion }[] = [];

  constructor(open: () => ApprovalStore) {
    this.#open = open;
    this.#desks = [this.#desk(), this.#desk()];
  }

  #desk(): Desk {
    const store = this.#open();
    return { store, approvals: approvals({ store, clock: this.#clock, maxPending: 6 }) };
  }

  async take(step: Step): Promise<unknown> {
    if (step.what === "wait") return this.#wait(step.ms);
    const { store, approvals } = this.#desks[step.desk] as Desk;
    if (step.what === "restart") {
      this.#desks[step.desk] = this.#desk();
      return undefined;
    }
    if (step.what === "ask") {
      const { run, amount, provider, lasts } = step;
      const runId = `${Math.floor(this.#clock.time / runMs)}-${run}`;
      const approval = { summary: "Pay Bob", expiresInMs: lasts };
      return this.#ask(
        approvals,
        question({
          runId,
          callId: `call-${run}`,
          args: { amount },
          provider: `${provider}`,
          approval,
        }),
      );
    }
    const chosen = this.#asked[step.which % Math.max(1, this.#asked.length)];
    if (chosen === undefined) return undefined;
    const { id, question: asked } = chosen;
    switch (step.what) {
      case "answer": {
        const answer = { decision: step.isYes ? "approved" : "denied", by: "ann" } as const;
        const { answered, found } = await approvals.answer(id, answer, { only: step.only });
        return { found, answered: answered.map((each) => this.#numberOf(each)).sort() };
      }
      case "resume":
        return [(await approvals.recall(id))?.runId, await approvals.consume(id, asked)];
      case "of another":
        return approvals.consume(id, { ...asked, code: "another" });
      case "read":
        return (await approvals.read(id)).state;
      case "withdraw":
        return store.withdraw(id);
      case "find": {
        const isIt = ({ args }: ApprovalQuestion) => args["amount"] === asked.args["amount"];
        const { callId, context } = asked;
        const call = { callId, sessionId: context.sessionId };
        const found = await approvals.find((each) => each.callId === callId && isIt(each), call);
        return found && [found.answer?.decision, found.question.callId];
      }
    }
  }

  /** All that is open, as each desk lists it and finds it by its run, and what was counted. */
  async state() {
    return Promise.all(
      this.#desks.map(async ({ store, approvals }) => {
        const { records, damaged } = await approvals.list();
        const found = new Map<string, string | undefined>();
        for (const { question } of records) {
          const { runId } = question;
          const { records: ofRun } = await store.list(this.#clock.time, { runId });
          for (const each of ofRun) found.set(each.id, each.answer?.decision);
        }
        const open = records.map(({ id, answer }) => [this.#numberOf(id), answer?.decision]);
        const again = [...found].map(([id, decision]) => [this.#numberOf(id), decision]);
        expect(again.sort()).toEqual(open.sort());
        return { open, damaged, statistics: approvals.statistics() };
      }),
    );
  }

  async #ask(desk: Approvals, asked: ApprovalQuestion) {
    const answer = await desk.ask(asked, { signal });
    if (answer.decision === "denied") return answer;
    const { decision, approvalId: id } = answer;
    if (this.#numberOf(id) === -1) this.#asked.push({ id, question: asked });
    return { decision, number: this.#numberOf(id) };
  }

  async #wait(ms: number) {
    this.#clock.time += ms;
    // Each process that asks deletes what expired long ago, and forgets it.
    if (ms < hourMs) return;
    for (const [index, { approvals }] of this.#desks.entries()) {
      const runId = `sweeping-${index}-${this.#clock.time}`;
      await this.#ask(approvals, question({ runId, callId: runId }));
    }
  }

  #numberOf(id: string): number {
    return this.#asked.findIndex((each) => each.id === id);
  }
}

/** Expects that desks of a store say and list the same as those of a plain one. */
async function alike(steps: readonly Step[], open: () => ApprovalStore, plain: ApprovalStore) {
  const [office, model] = [new Office(open), new Office(() => plain)];
  for (const each of steps) {
    const said = await office.take(each);
    expect(said, JSON.stringify(each)).toEqual(await model.take(each));
    expect(await office.state(), JSON.stringify(each)).toEqual(await model.state());
  }
}

describe("P9 P17 two processes", { tags: "longer" }, () => {
  it("get the same from a folder with an index as from a list that is gone through", async () => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const folder = temporaryFolder();
      await alike(steps, () => fileStore(folder), plainStore({ graceMs: hourMs }));
    });
    await fc.assert(property, { numRuns: inject("long") ? 300 : 20 });
  });

  it("get the same from memory with an index as from a list that is gone through", async () => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const store = memoryStore();
      // What has expired in memory stays so.
      const onward = steps.filter((each) => each.what !== "wait" || each.ms > 0);
      await alike(onward, () => store, plainStore({ graceMs: Number.POSITIVE_INFINITY }));
    });
    await fc.assert(property, { numRuns: inject("long") ? 2_000 : 100 });
  });
});
