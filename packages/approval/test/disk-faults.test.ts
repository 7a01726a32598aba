import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileStore } from "../src/index.js";
import { graceMs, newApprovalId } from "../src/record/approval-id.js";
import { ApprovalFiles } from "../src/store/approval-files.js";
import { FolderIndex } from "../src/store/folder-index.js";
import { SealedTexts } from "../src/store/sealed-text.js";
import { asked, question } from "./questions.js";
import { temporaryFolder } from "./temporary.js";

const roomy = { maxOpen: 1_000, now: 0 };
const longAfter = 3_600_000 + graceMs;
const nobody = 65_534;
const isRoot = process.geteuid?.() === 0;

/** Acts as a user for whom the modes of folders count: root may write to all of them. */
async function withoutRoot(folder: string, act: () => Promise<void>): Promise<void> {
  if (!isRoot) return act();
  const above = dirname(folder);
  const { mode } = statSync(above);
  // The folder of all temporary files may be root's alone.
  chmodSync(above, mode | 0o011);
  chownSync(folder, nobody, nobody);
  process.seteuid?.(nobody);
  try {
    await act();
  } finally {
    process.seteuid?.(0);
    chmodSync(above, mode);
  }
}

/** Moves a folder away while something is done, with a file in its place: none of its files can be deleted then. */
async function withAFileInPlaceOf(folder: string, act: () => Promise<unknown>): Promise<void> {
  renameSync(folder, `${folder}-moved`);
  writeFileSync(folder, "");
  await act();
  rmSync(folder);
  renameSync(`${folder}-moved`, folder);
}

describe.skipIf(process.platform === "win32")("a fault of the disk (not on Windows)", () => {
  it("leaves what could not be deleted to the next sweep, and keeps nobody else from theirs", async () => {
    const folder = temporaryFolder();
    const store = fileStore(folder);
    for (let count = 0; count < 40; count++) await store.add(asked(), roomy);
    // A crash left one of them half written.
    writeFileSync(join(folder, `${newApprovalId(1_000)}.draft`), "");
    const files = new ApprovalFiles(folder, new SealedTexts(new Uint8Array(32)));
    const index = new FolderIndex(folder, files);
    await index.update();
    await withAFileInPlaceOf(folder, async () => {
      for (let count = 0; count < 4; count++) await index.sweep(longAfter);
    });
    const left = () => readdirSync(folder).filter((name) => /\.(asked|draft)$/.test(name)).length;
    expect([left(), readdirSync(join(folder, "journal")).length]).toEqual([41, 1]);
    const sweeps = [];
    for (let count = 0; count < 3; count++) {
      await index.sweep(longAfter);
      sweeps.push(left());
    }
    expect(sweeps).toEqual([25, 9, 0]);
    expect(readdirSync(join(folder, "journal"))).toEqual([]);
  });

  it("leaves its own files in a folder that cannot be written to the next sweep", async () => {
    const folder = temporaryFolder();
    const index = new FolderIndex(
      folder,
      new ApprovalFiles(folder, new SealedTexts(new Uint8Array(32))),
    );
    const left = () => readdirSync(folder).filter((name) => name.endsWith(".asked")).length;
    await withoutRoot(folder, async () => {
      const store = fileStore(folder);
      for (let count = 0; count < 8; count++) await store.add(asked(), roomy);
      await index.update();
      chmodSync(folder, 0o500);
      await index.sweep(longAfter);
      chmodSync(folder, 0o700);
    });
    expect(left()).toBe(8);
    await index.sweep(longAfter);
    expect(left()).toBe(0);
  });

  it("deletes others beside those that cannot be deleted", async () => {
    const folder = temporaryFolder();
    const store = fileStore(folder);
    for (let count = 0; count < 16; count++) await store.add(asked(), roomy);
    const files = new ApprovalFiles(folder, new SealedTexts(new Uint8Array(32)));
    const index = new FolderIndex(folder, files);
    await index.update();
    await withAFileInPlaceOf(folder, () => index.sweep(longAfter));
    for (let count = 0; count < 16; count++) await store.add(asked(), roomy);
    await index.update();
    await index.sweep(longAfter);
    expect(readdirSync(folder).filter((name) => name.endsWith(".asked"))).toEqual([]);
  });

  it("P9 denies a question where its line cannot be written to the journal, and keeps no file of it", async () => {
    const folder = temporaryFolder();
    const store = fileStore(folder, { key: new Uint8Array(32) });
    const journal = join(folder, "journal");
    mkdirSync(journal);
    chmodSync(journal, 0o555);
    await withoutRoot(folder, async () => {
      await expect(store.add(asked(question()), roomy)).rejects.toThrow(
        /journal.*must be writable, and is not/,
      );
    });
    expect(readdirSync(folder)).toEqual(["journal"]);
    chmodSync(journal, 0o777);
    await withoutRoot(folder, async () => {
      expect(await store.add(asked(question()), roomy)).toBe(true);
    });
  });
});
