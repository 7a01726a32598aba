import { randomBytes } from "node:crypto";
import { allow, deny, modify, ToolRunner, tool } from "@toolstile/core";
import { fakeClock } from "@toolstile/testing";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { type ApprovalStore, approvals, fileStore, memoryStore } from "../src/index.js";
import { postgresStore } from "../src/store/postgres-store.js";
import { hasPostgres, temporaryTable } from "./database.js";
import { temporaryFolder } from "./temporary.js";

/** Opens the same store anew, as a process does that was started again. */
type Reopen = () => ApprovalStore;

const stores: readonly (readonly [string, boolean, number, () => Promise<Reopen>])[] = [
  [
    "memoryStore()",
    true,
    300,
    async () => {
      const store = memoryStore();
      return () => store;
    },
  ],
  [
    "fileStore()",
    true,
    25,
    async () => {
      const folder = temporaryFolder();
      return () => fileStore(folder);
    },
  ],
  [
    "postgresStore() (needs PostgreSQL)",
    await hasPostgres(),
    25,
    async () => {
      const options = { ...(await temporaryTable()), key: randomBytes(32) };
      return () => postgresStore(options);
    },
  ],
];

const call = { name: "transfer", arguments: { to: " Bob ", amount: 9999 }, callId: "call_1" };
const said = {
  agentName: "payments",
  context: { sessionId: "s1", traceparent: "00-1", attributes: { desk: 7 } },
};

/** Guards that each deny for a reason of their own, all with one code: only their names tell them apart. */
function denying(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    name: `gate-${index}`,
    evaluate: () => deny("needs a yes", { code: "yes", approval: { summary: "A transfer" } }),
  }));
}

/** Changes the arguments to what every later guard is asked about. */
const trims = {
  name: "trims",
  evaluate: ({ args }: { readonly args: object }) => {
    const { to } = args as { to: string };
    return to === to.trim() ? allow() : modify({ ...args, to: to.trim() });
  },
};

class Agent {
  readonly ran: unknown[] = [];
  readonly #open: Reopen;
  readonly #gates: number;
  #process: ReturnType<Agent["start"]>;

  constructor(open: Reopen, gates: number) {
    this.#open = open;
    this.#gates = gates;
    this.#process = this.start();
  }

  /** A process: a desk and a runner that know nothing of those before. */
  start() {
    const desk = approvals({ store: this.#open(), clock: fakeClock(0) });
    const runner = new ToolRunner({
      tools: [tool({ name: "transfer", execute: (args: unknown) => this.ran.push(args) })],
      guardrails: [trims, ...denying(this.#gates)],
      approver: desk,
      policyVersion: "1",
    });
    return { desk, runner };
  }

  restart(): void {
    this.#process = this.start();
  }

  run() {
    return this.#process.runner.run(call, said);
  }

  /** Nothing where the approval cannot be taken up. */
  async resume(id: string) {
    try {
      return await this.#process.runner.resume(id);
    } catch (error) {
      expect(error).toMatchObject({ code: "ERR_APPROVAL" });
      return undefined;
    }
  }

  async open() {
    const { records, damaged } = await this.#process.desk.list();
    expect(damaged).toEqual([]);
    return {
      pending: records.filter(({ answer }) => answer === undefined),
      approved: records.filter(({ answer }) => answer !== undefined),
    };
  }

  answer(id: string, decision: "approved" | "denied") {
    return this.#process.desk.answer(id, { decision, by: "ann" });
  }
}

const step = fc.constantFrom("approve", "resume any", "resume all", "restart");

describe.each(stores)(
  "P9 a call that several guards deny, kept in %s",
  { tags: "longer" },
  (_, isThere, allRuns, make) => {
    const runs = Math.ceil(inject("long") ? allRuns : allRuns / 10);
    const test = it.skipIf(!isThere);

    test("P9 runs once all of them were lifted and not before, and nobody is asked twice about any", async () => {
      const property = fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.tuple(step, fc.nat(9)), { maxLength: 30 }),
        async (gates, steps) => {
          const agent = new Agent(await make(), gates);
          const asked = new Map<string, string>();
          const yes = new Set<string>();
          const first = await agent.run();
          expect(first).toMatchObject({ status: "denied", basis: "approval" });
          // At the end of what happens at random, all that is pending is approved and resumed, twice.
          const rest = Array.from({ length: gates + 2 }, () => ["approve", "resume all"] as const);
          const all = [...steps, ...rest.flat().map((each) => [each, 0] as const)];
          for (const [action, at] of all) {
            const { pending, approved } = await agent.open();
            for (const { id, question } of [...pending, ...approved]) {
              expect(question.runId).toBe(first.runId);
              asked.set(id, question.provider);
            }
            if (action === "restart") agent.restart();
            if (action === "approve" && pending.length > 0) {
              const record = pending[at % pending.length] as (typeof pending)[number];
              expect((await agent.answer(record.id, "approved")).answered).toEqual([record.id]);
              yes.add(record.question.provider);
            }
            if (action.startsWith("resume") && approved.length > 0) {
              const chosen = approved[at % approved.length] as (typeof approved)[number];
              const ids = action === "resume any" ? [chosen.id] : approved.map(({ id }) => id);
              for (const id of ids) {
                const before = agent.ran.length;
                const outcome = await agent.resume(id);
                if (outcome === undefined) continue;
                expect(outcome.runId).toBe(first.runId);
                expect(agent.ran.length - before).toBe(outcome.status === "executed" ? 1 : 0);
              }
            }
            expect(agent.ran).toHaveLength(yes.size === gates ? agent.ran.length : 0);
          }
          expect(agent.ran).toEqual([{ to: "Bob", amount: 9999 }]);
          expect([...asked.values()].sort()).toEqual(denying(gates).map(({ name }) => name));
          expect(await agent.open()).toEqual({ pending: [], approved: [] });
        },
      );
      await fc.assert(property, { numRuns: runs });
    });

    test("P9 runs once however many resume it at once, whatever is approved of it after that", async () => {
      const property = fc.asyncProperty(
        fc.integer({ min: 2, max: 3 }),
        fc.integer({ min: 2, max: 4 }),
        async (gates, processes) => {
          const open = await make();
          const agents = Array.from({ length: processes }, () => new Agent(open, gates));
          const agent = agents[0] as Agent;
          await agent.run();
          for (let round = 0; round < gates + 3; round++) {
            for (const { id } of (await agent.open()).pending) await agent.answer(id, "approved");
            const { approved } = await agent.open();
            await Promise.all(agents.flatMap((each) => approved.map(({ id }) => each.resume(id))));
          }
          expect(agents.flatMap(({ ran }) => ran)).toHaveLength(1);
        },
      );
      await fc.assert(property, { numRuns: Math.ceil(runs / 3) });
    });

    test("P9 is over once one of them was refused, whatever was approved before", async () => {
      const property = fc.asyncProperty(
        fc.integer({ min: 2, max: 4 }),
        fc.nat(2),
        async (gates, refusedAt) => {
          const agent = new Agent(await make(), gates);
          await agent.run();
          for (let lifted = 0; lifted < refusedAt % gates; lifted++) {
            const { pending } = await agent.open();
            const { id } = pending[0] as (typeof pending)[number];
            await agent.answer(id, "approved");
            await agent.resume(id);
          }
          agent.restart();
          const { pending, approved } = await agent.open();
          await agent.answer((pending[0] as (typeof pending)[number]).id, "denied");
          for (const { id } of approved) expect(await agent.resume(id)).toBeUndefined();
          expect(await agent.open()).toEqual({ pending: [], approved: [] });
          expect(agent.ran).toEqual([]);
        },
      );
      await fc.assert(property, { numRuns: Math.ceil(runs / 3) });
    });
  },
);
