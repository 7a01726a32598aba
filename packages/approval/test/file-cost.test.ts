import { type ApprovalQuestion, deny } from "@toolstile/core";
import { ApprovalRequests } from "@toolstile/core/host";
import { fakeClock } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { approvals, fileStore } from "../src/index.js";
import { countedFiles } from "./counted-files.js";
import { question } from "./questions.js";
import { temporaryFolder } from "./temporary.js";

const { signal } = new AbortController();
const yes = { decision: "approved", by: "ann" } as const;
const no = { decision: "denied", by: "ann" } as const;
const few = 5;
const many = 105;

/** A desk, and another of the same folder that knows it as it is, as in another process. */
function desks() {
  const folder = temporaryFolder();
  const desk = () => approvals({ store: fileStore(folder), clock: fakeClock(0), maxPending: 200 });
  return { folder, first: desk(), second: desk(), desk };
}

type Desks = ReturnType<typeof desks>;

async function ask({ first }: Desks, asked: ApprovalQuestion) {
  const answer = await first.ask(asked, { signal });
  if (answer.decision !== "pending") throw new Error(answer.decision);
  return { asked, id: answer.approvalId };
}

let amount = 0;
/** Each entry is something that all waiting questions share with the one that is looked at. */
const beside = [
  ["nothing", () => question({ args: { amount: amount++ } })],
  ["all but their runs", () => question()],
] as const;
type Next = (typeof beside)[number][1];

/** Each act prepares its approvals first, and returns the step that is measured. */
const acts: readonly (readonly [string, (all: Desks, next: Next) => Promise<() => unknown>])[] = [
  [
    "asking",
    async ({ first }, next) =>
      () =>
        first.ask(next(), { signal }),
  ],
  [
    "asking about a run of which something waits",
    async (all, next) => {
      const { asked } = await ask(all, next());
      return () => all.first.ask({ ...asked, provider: `${amount++}` }, { signal });
    },
  ],
  [
    "answering in another process",
    async (all, next) => {
      const { id } = await ask(all, next());
      await all.second.read(id);
      return () => all.second.answer(id, yes, { only: true });
    },
  ],
  [
    "answering all that are alike",
    async (all) => {
      const { id } = await ask(all, question({ args: { amount: amount++ } }));
      return () => all.first.answer(id, yes);
    },
  ],
  [
    "refusing",
    async (all, next) => {
      const { id } = await ask(all, next());
      return () => all.first.answer(id, no, { only: true });
    },
  ],
  [
    "resuming",
    async (all, next) => {
      const { asked, id } = await ask(all, next());
      await all.second.answer(id, yes, { only: true });
      return async () => {
        expect(await all.first.recall(id)).toBeDefined();
        expect(await all.first.consume(id, asked)).toEqual({ by: "ann" });
      };
    },
  ],
  [
    "looking for one that is not there",
    async ({ first }) =>
      () =>
        first.read(missing),
  ],
];
const missing = `${(1_000_000).toString(36).padStart(9, "0")}-${"a".repeat(20)}`;

describe("P17 among waiting approvals in a folder", { tags: "long" }, () => {
  describe.each(beside)("that share %s", (_, other) => {
    it.each(acts)(
      "%s opens, reads and lists as much beside many as beside few",
      async (__, act) => {
        const all = desks();
        const files = countedFiles();
        const counts = [];
        let waiting = 0;
        for (const n of [few, many]) {
          for (; waiting < n; waiting++) await ask(all, other());
          const run = await act(all, other);
          for (const each of [all.first, all.second]) await each.find(() => false, nobodys);
          counts.push(await files.during(run));
        }
        expect(counts[0]).not.toEqual({});
        expect(counts[1]).toEqual(counts[0]);
      },
    );
  });

  it("finding a framework's call, whichever process asked about it, opens, reads and lists as much beside many as beside few", async () => {
    const all = desks();
    const files = countedFiles();
    const counts = [];
    const call = { name: "transfer", arguments: { amount: 9999 } };
    let waiting = 0;
    for (const n of [few, many]) {
      for (; waiting < n; waiting++) await ask(all, question({ args: { amount: amount++ } }));
      const facts = { callId: `framework-${n}`, context: { sessionId: "s1" } };
      const requests = (approver: Desks["first"]) =>
        new ApprovalRequests({
          tools: [{ name: "transfer", execute: () => "sent" }],
          guardrails: [
            { name: "limits", evaluate: () => deny("no", { approval: { summary: "x" } }) },
          ],
          approver,
        });
      const request = { ...call, callId: facts.callId };
      const options = { context: facts.context };
      expect(await requests(all.first).neededFor(request, options)).toMatchObject({ summary: "x" });
      await all.second.find(() => false, nobodys);
      const again = requests(all.second);
      counts.push(
        await files.during(async () => {
          expect(await again.neededFor(request, options)).toMatchObject({ summary: "x" });
        }),
      );
      waiting++;
    }
    expect(all.second.statistics().questions).toBe(0);
    expect(counts[1]).toEqual(counts[0]);
  });
});

const nobodys = { callId: "nobody's", sessionId: undefined };
