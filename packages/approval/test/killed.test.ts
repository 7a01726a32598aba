import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ApprovalStore, fileStore } from "../src/index.js";
import type { AskedApproval } from "../src/record/record.js";
import { countedFiles } from "./counted-files.js";
import { start } from "./programs.js";
import { asked, question } from "./questions.js";
import { temporaryFolder } from "./temporary.js";

const yes = { decision: "approved", by: "ann", at: 10 } as const;
const no = { decision: "denied", by: "ann", at: 10 } as const;
const roomy = { maxOpen: 100, now: 0 };
const now = 20;

/** All that a store finds of some approvals, first by what it knows of them, and then by a look at all. */
async function found(store: ApprovalStore, all: readonly AskedApproval[]) {
  const ids = async (sought?: Parameters<ApprovalStore["list"]>[1]) => {
    const { records, damaged } = await store.list(now, sought);
    return [records.map(({ id }) => id).sort(), damaged];
  };
  const ways = [];
  for (const { id, question, likeness } of all) {
    const { runId, callId, context } = question;
    ways.push({
      byRun: await ids({ runId }),
      alike: await ids({ likeness }),
      byCall: await ids({ callId, sessionId: context.sessionId }),
      byId: await ids({ id }),
      record: await store.read(id),
      hasUsed: await store.hasUsed(runId),
    });
  }
  return { open: await ids(), ways };
}

/** Each act prepares its approvals first, and returns the step during which the process is killed. */
const acts: readonly (readonly [
  string,
  (store: ApprovalStore, one: AskedApproval) => Promise<() => unknown>,
])[] = [
  ["asks", async (store, one) => () => store.add(one, roomy)],
  [
    "approves",
    async (store, one) => {
      await store.add(one, roomy);
      return () => store.answer(one.id, yes);
    },
  ],
  [
    "denies",
    async (store, one) => {
      await store.add(one, roomy);
      return () => store.answer(one.id, no);
    },
  ],
  [
    "uses a grant",
    async (store, one) => {
      await store.add(one, roomy);
      await store.answer(one.id, yes);
      return () => store.consume(one.id, one.binding, now);
    },
  ],
  [
    "withdraws",
    async (store, one) => {
      await store.add(one, roomy);
      return () => store.withdraw(one.id);
    },
  ],
];

describe("P9 a process that is killed at any call to the file system while it", {
  tags: "long",
}, () => {
  it.each(acts)(
    "%s leaves nothing that another process, which goes on, does not find",
    async (_, act) => {
      const files = countedFiles();
      let isKilled = true;
      for (let calls = 0; isKilled; calls++) {
        const folder = temporaryFolder();
        const survivor = fileStore(folder);
        const [one, twin] = [asked(), asked()];
        const another = asked(question({ runId: one.question.runId, provider: "another" }));
        await survivor.add(twin, roomy);
        await survivor.add(another, roomy);
        const run = await act(fileStore(folder), one);
        await found(survivor, [one]);
        isKilled = await files.killedAfter(calls, run);
        const all = [one, twin, another];
        const seen = await found(survivor, all);
        // Nothing but the files says how it stands: neither the journal nor what a process remembers.
        rmSync(join(folder, "journal"), { recursive: true });
        const truth = await found(fileStore(folder), all);
        const after = `after ${calls} calls`;
        expect(seen, after).toEqual(truth);
        // It was used, or it can be.
        const isUsed = truth.ways[0]?.record?.used === true;
        const isGiven = truth.ways[0]?.record?.answer?.decision === "approved";
        expect(await survivor.consume(one.id, one.binding, now), after).toBe(isGiven && !isUsed);
        expect(await survivor.consume(one.id, one.binding, now), after).toBe(false);
      }
      expect(isKilled).toBe(false);
    },
  );
});

it("P9 processes that ask and answer at once, and are killed, leave nothing that one who goes on does not find", {
  tags: "long",
}, async () => {
  const folder = temporaryFolder();
  const survivor = fileStore(folder);
  expect(await survivor.hasUsed("none")).toBe(false);
  const children = Array.from({ length: 3 }, () => start("endless-asker.mjs", [folder]));
  let lines = 0;
  for (const { stdout } of children) {
    stdout.on("data", (chunk) => {
      lines += String(chunk).split("\n").length - 1;
      if (lines > 600) for (const child of children) child.kill("SIGKILL");
    });
  }
  await Promise.all(children.map((child) => once(child, "close")));
  // Another process reads the files, so that this one learns nothing from them.
  const { records } = await fileStore(folder).list(now);
  expect(records.length).toBeGreaterThan(100);
  const ids = async (sought: Parameters<ApprovalStore["list"]>[1]) =>
    (await survivor.list(now, sought)).records.map((each) => each.id);
  const [{ likeness = "" } = {}] = records;
  const pending = records.filter(({ answer }) => answer === undefined);
  expect((await ids({ likeness })).sort()).toEqual(pending.map(({ id }) => id).sort());
  for (const { id, question } of records) {
    const { runId, callId, context } = question;
    expect(await ids({ runId })).toContain(id);
    expect(await ids({ callId, sessionId: context.sessionId })).toContain(id);
  }
});
