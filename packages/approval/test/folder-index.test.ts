import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ApprovalStore, fileStore } from "../src/index.js";
import { graceMs, newApprovalId } from "../src/record/approval-id.js";
import type { AskedApproval } from "../src/record/record.js";
import { ApprovalFiles } from "../src/store/approval-files.js";
import { FolderIndex } from "../src/store/folder-index.js";
import { SealedTexts } from "../src/store/sealed-text.js";
import { countedFiles } from "./counted-files.js";
import { asked, question } from "./questions.js";
import { temporaryFolder } from "./temporary.js";

const yes = { decision: "approved", by: "ann", at: 10 } as const;
const no = { decision: "denied", by: "ann", at: 10 } as const;
const roomy = { maxOpen: 1_000, now: 0 };
const now = 20;

let amount = 0;
/** One that is like no other. */
const unlike = () => asked(question({ args: { amount: amount++ } }));

/** Finds an approval by its run, its likeness and its call, of which no other has the same. */
async function standing(store: ApprovalStore, { id, question, likeness }: AskedApproval) {
  const { runId, callId, context } = question;
  const call = { callId, sessionId: context.sessionId };
  const ids = async (sought: Parameters<ApprovalStore["list"]>[1]) => {
    const { records } = await store.list(now, sought);
    return records.every((record) => record.id === id) ? records.length : Number.NaN;
  };
  return {
    run: await ids({ runId }),
    pending: await ids({ likeness }),
    call: await ids(call),
    refused: (await store.refused?.(now, call))?.length,
    used: await store.hasUsed(runId),
  };
}

const waits = { run: 1, pending: 1, call: 1, refused: 0, used: false };
const given = { ...waits, pending: 0 };
const refused = { run: 0, pending: 0, call: 0, refused: 1, used: false };
const used = { run: 0, pending: 0, call: 0, refused: 0, used: true };
const gone = { ...used, used: false };

/** One of each in a folder. */
async function oneOfEach(store: ApprovalStore) {
  const each = {
    waiting: [unlike(), waits],
    approved: [unlike(), given],
    denied: [unlike(), refused],
    consumed: [unlike(), used],
    withdrawn: [unlike(), gone],
  } as const;
  const { waiting, approved, denied, consumed, withdrawn } = each;
  for (const [one] of Object.values(each)) await store.add(one, roomy);
  for (const [one] of [approved, consumed]) await store.answer(one.id, yes);
  await store.answer(denied[0].id, no);
  await store.consume(consumed[0].id, consumed[0].binding, now);
  await store.withdraw(withdrawn[0].id);
  return { all: Object.values(each), waiting: waiting[0], approved: approved[0] };
}

async function expectFound(
  store: ApprovalStore,
  all: readonly (readonly [AskedApproval, object])[],
) {
  for (const [one, how] of all) expect(await standing(store, one)).toEqual(how);
}

const journalOf = (folder: string) => join(folder, "journal");
const segments = (folder: string) =>
  readdirSync(journalOf(folder)).map((name) => join(journalOf(folder), name));

describe("P9 what is found in a folder", () => {
  it("is found after a restart, by the journal alone: no question is opened for it", async () => {
    const folder = temporaryFolder();
    const { all } = await oneOfEach(fileStore(folder));
    const files = countedFiles();
    const later = fileStore(folder);
    const opened = async (store: ApprovalStore) =>
      (await files.during(() => store.hasUsed("none")))["openSync"];
    // The journal, once: it has what is in the folder, and the files need not be read for it.
    expect(await opened(later)).toBe(1);
    expect(await opened(later)).toBeUndefined();
    await expectFound(later, all);
  });

  it("is found after a restart where there is no journal, by the files", async () => {
    const folder = temporaryFolder();
    const { all } = await oneOfEach(fileStore(folder));
    rmSync(journalOf(folder), { recursive: true });
    await expectFound(fileStore(folder), all);
    // One file says of a run that it used a grant, whatever became of the approval.
    for (const [{ id }] of all) rmSync(join(folder, `${id}.closed`), { force: true });
    const later = fileStore(folder);
    const hasUsed = all.map(([{ question }]) => later.hasUsed(question.runId));
    expect(await Promise.all(hasUsed)).toEqual(all.map(([, how]) => how.used));
  });

  it("is found when another process asked, answered, used or withdrew it meanwhile", async () => {
    const folder = temporaryFolder();
    const [here, there] = [fileStore(folder), fileStore(folder)];
    const one = unlike();
    expect(await standing(here, one)).toEqual(gone);
    await there.add(one, roomy);
    expect(await standing(here, one)).toEqual(waits);
    await here.answer(one.id, yes);
    expect(await standing(there, one)).toEqual(given);
    await there.consume(one.id, one.binding, now);
    expect(await standing(here, one)).toEqual(used);
    const { all } = await oneOfEach(there);
    await expectFound(here, all);
  });

  it.each([
    ["is deleted", (folder: string) => rmSync(journalOf(folder), { recursive: true })],
    [
      "is cut",
      (folder: string) => {
        for (const path of segments(folder)) truncateSync(path, 3);
      },
    ],
    ["is moved away", (folder: string) => renameSync(journalOf(folder), `${folder}-moved`)],
  ])("is found when the journal %s under those who read it", async (_, harm) => {
    const folder = temporaryFolder();
    const [here, there] = [fileStore(folder), fileStore(folder)];
    expect(await here.hasUsed("none")).toBe(false);
    await here.add(unlike(), roomy);
    expect(await there.hasUsed("none")).toBe(false);
    const { all } = await oneOfEach(there);
    harm(folder);
    await expectFound(here, all);
    const { all: more } = await oneOfEach(there);
    await expectFound(here, [...all, ...more]);
    rmSync(`${folder}-moved`, { recursive: true, force: true });
  });

  it("is what the files say, whatever is written to the journal", async () => {
    const folder = temporaryFolder();
    const [here, there] = [fileStore(folder), fileStore(folder)];
    const { all, waiting, approved } = await oneOfEach(here);
    await expectFound(there, all);
    const [, letters] = waiting.id.split("-");
    const outside = join(folder, "..", `${letters}.asked`);
    writeFileSync(outside, "");
    const [time] = waiting.id.split("-");
    const lines = [
      "",
      "asked",
      `asked ${waiting.id}`,
      `asked ${newApprovalId(1_000)} constructor __proto__ x`,
      `approved ${waiting.id}`,
      `approved ${newApprovalId(1_000)}`,
      `asked ../../key a b c`,
      `used ${newApprovalId(1_000)} /../../${letters}`,
      `unheard of ${approved.id}`,
      "\0".repeat(100),
      "x".repeat(200_000),
      `asked ${waiting.id} cut of`,
    ];
    for (const path of segments(folder)) appendFileSync(path, lines.join("\n"));
    expect(await there.consume(waiting.id, waiting.binding, now)).toBe(false);
    expect((await there.list(now)).records).toHaveLength(2);
    const more = unlike();
    expect(await here.add(more, roomy)).toBe(true);
    expect(await standing(there, more)).toEqual(waits);
    await here.add(asked(question(), 0, 9_000_000), { maxOpen: 9, now: 3_700_000 });
    expect(readdirSync(folder).filter((name) => name.startsWith(`${time}-`))).toEqual([]);
    expect(existsSync(outside)).toBe(true);
    rmSync(outside);
  });

  it("is found by a line that another process was writing while it was read", async () => {
    const [folder, scratch] = [temporaryFolder(), temporaryFolder()];
    const key = new Uint8Array(32);
    const [here, elsewhere] = [folder, scratch].map((each) => fileStore(each, { key })) as [
      ApprovalStore,
      ApprovalStore,
    ];
    await here.add(unlike(), roomy);
    const one = unlike();
    await elsewhere.add(one, roomy);
    const line = readFileSync(segments(scratch)[0] as string, "utf8");
    const [path = ""] = segments(folder);
    for (const half of [line.slice(0, 50), line.slice(50)]) {
      expect(await standing(here, one)).toEqual(gone);
      appendFileSync(path, half);
    }
    copyFileSync(join(scratch, `${one.id}.asked`), join(folder, `${one.id}.asked`));
    expect(await standing(here, one)).toEqual(waits);
  });
});

describe("what has expired in a folder", () => {
  it("is found by its run again, and takes its room, when the clock is set back", async () => {
    const store = fileStore(temporaryFolder());
    const one = unlike();
    const { runId } = one.question;
    await store.add(one, { maxOpen: 1, now: 0 });
    const found = async (at: number) => (await store.list(at, { runId })).records.length;
    expect([await found(999), await found(1_000), await found(999)]).toEqual([1, 0, 1]);
    expect(await store.add(unlike(), { maxOpen: 1, now: 999 })).toBe(false);
    expect(await found(Number.NaN)).toBe(0);
    expect(await found(0)).toBe(1);
    const later = asked(question(), 0, 9_000);
    expect(await store.add(later, { maxOpen: 1, now: 1_000 })).toBe(true);
    expect(await store.add(unlike(), { maxOpen: 2, now: 999 })).toBe(false);
  });
});

describe.skipIf(process.platform === "win32")(
  "a journal with something else in it (not on Windows)",
  () => {
    const plants = [
      ["a pipe", (path: string) => void execFileSync("mkfifo", [path])],
      ["a folder", (path: string) => mkdirSync(path)],
      ["a link to nowhere", (path: string) => symlinkSync("/nowhere/at/all", path)],
      ["a link to /dev/zero", (path: string) => symlinkSync("/dev/zero", path)],
    ] as const;

    it.each(plants)("P9 goes on beside %s", async (_, plant) => {
      const folder = temporaryFolder();
      const [here, there] = [fileStore(folder), fileStore(folder)];
      expect(await there.hasUsed("none")).toBe(false);
      await here.add(unlike(), roomy);
      for (const path of segments(folder)) {
        rmSync(path);
        plant(path);
      }
      plant(join(journalOf(folder), newApprovalId(3_600_000)));
      const { all } = await oneOfEach(here);
      await expectFound(there, all);
      await expectFound(fileStore(folder), all);
    });

    it.each(plants)("P9 denies where %s stands in its place", async (_, plant) => {
      const folder = temporaryFolder();
      if (_ === "a folder") return;
      plant(journalOf(folder));
      const store = fileStore(folder);
      await expect(store.add(unlike(), roomy)).rejects.toThrow(/journal/);
      await expect(store.hasUsed("none")).rejects.toThrow(/journal/);
      expect(await store.list(now)).toEqual({ records: [], damaged: [] });
    });
  },
);

describe("P17 a folder", () => {
  it("takes as many as it may from two processes, in turn and at once", async () => {
    const folder = temporaryFolder();
    const desks = [fileStore(folder), fileStore(folder)] as const;
    const limit = { maxOpen: 5, now: 0 };
    for (let index = 0; index < 5; index++) {
      expect(await desks[index % 2]?.add(unlike(), limit)).toBe(true);
    }
    for (const store of desks) expect(await store.add(unlike(), limit)).toBe(false);
    const all = Array.from({ length: 20 }, (_, index) =>
      desks[index % 2]?.add(unlike(), { maxOpen: 9, now: 0 }),
    );
    const added = (await Promise.all(all)).filter((each) => each === true).length;
    expect(added).toBeLessThanOrEqual(4);
    expect((await desks[0].list(0)).records).toHaveLength(5 + added);
  });

  it("has room for what was never asked, though the journal says so, and for what was deleted", async () => {
    const folder = temporaryFolder();
    const [here, there] = [fileStore(folder), fileStore(folder)];
    const limit = { maxOpen: 3, now: 0 };
    const all = [unlike(), unlike(), unlike()];
    for (const one of all) await here.add(one, limit);
    expect(await there.add(unlike(), limit)).toBe(false);
    for (const { id } of all) rmSync(join(folder, `${id}.asked`));
    for (let added = 0; added < 3; added++) expect(await there.add(unlike(), limit)).toBe(true);
    expect(await there.add(unlike(), limit)).toBe(false);
    expect(await here.add(unlike(), limit)).toBe(false);
  });

  it("counts its files for one refusal in many, where many wait", { tags: "long" }, async () => {
    const folder = temporaryFolder();
    const store = fileStore(folder);
    const maxOpen = 600;
    const later = newApprovalId(1_000).slice(0, 9);
    for (let index = 0; index < maxOpen; index++) {
      writeFileSync(join(folder, `${later}-${newApprovalId(0).slice(10)}.asked`), "");
    }
    const files = countedFiles();
    const refuse = () => store.add(unlike(), { maxOpen, now: 0 });
    expect(await refuse()).toBe(false);
    const counted = [];
    for (let turn = 0; turn < 9; turn++) {
      const { readdir = 0 } = await files.during(async () => expect(await refuse()).toBe(false));
      counted.push(readdir);
    }
    expect(counted).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0]);
  });
});

describe("a sweep of approvals that expired long ago", () => {
  it("lets others run while the disk deletes their files", async () => {
    const folder = temporaryFolder();
    const store = fileStore(folder);
    const old = Array.from({ length: 8 }, () => unlike());
    for (const one of old) await store.add(one, roomy);
    const filesOf = ({ id }: AskedApproval) =>
      readdirSync(folder).filter((name) => name.startsWith(id));
    expect(old.flatMap(filesOf)).toHaveLength(old.length);

    const index = new FolderIndex(
      folder,
      new ApprovalFiles(folder, new SealedTexts(Buffer.alloc(32))),
    );
    await index.update();
    const order: string[] = [];
    const swept = index.sweep(1_000 + graceMs).then(() => order.push("swept"));
    // What is done without the disk comes to its end in so many steps.
    for (let step = 0; step < 1_000; step++) await undefined;
    order.push("others ran");
    await swept;
    expect(order).toEqual(["others ran", "swept"]);
    expect(old.flatMap(filesOf)).toEqual([]);
  });
});
