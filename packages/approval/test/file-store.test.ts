import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { resolvedPath } from "@toolstile/core/files";
import { describe, expect, inject, it } from "vitest";
import { fileStore } from "../src/store/file-store.js";
import type { ApprovalStore } from "../src/store/store.js";
import { start } from "./programs.js";
import { asked, question } from "./questions.js";
import { temporaryFolder } from "./temporary.js";

const yes = { decision: "approved", by: "ann", at: 10 } as const;
const roomy = { maxOpen: 100, now: 0 };

async function approved(folder = temporaryFolder()) {
  const store = fileStore(folder);
  const one = asked();
  await store.add(one, roomy);
  await store.answer(one.id, yes);
  return { folder, store, one };
}

it("P9 lets one of eight processes through that redeem at once", { tags: "long" }, async () => {
  const { folder, one } = await approved();
  const redeemer = () => {
    const child = start("redeemer.mjs", [folder, one.id, one.binding]);
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
    });
    return { child, ready: once(child.stdout, "data"), said: () => said.split("\n")[1] };
  };
  // The first one translates the sources for the others.
  const first = redeemer();
  await first.ready;
  const redeemers = [first, ...Array.from({ length: 7 }, redeemer)];
  await Promise.all(redeemers.map(({ ready }) => ready));
  for (const { child } of redeemers) child.stdin.write("go\n");
  await Promise.all(redeemers.map(({ child }) => once(child, "close")));
  const said = redeemers.map((each) => each.said());
  expect(said.sort()).toEqual([...Array.from({ length: 7 }, () => "false"), "true"]);
});

it("P9 keeps what was pending, and approves nothing by itself, when it is killed with -9", {
  tags: "long",
}, async () => {
  const folder = temporaryFolder();
  for (const count of [1, 40, 300]) {
    const child = start("endless-asker.mjs", [folder]);
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
      if (said.split("\n").length > count) child.kill("SIGKILL");
    });
    expect((await once(child, "close"))[1]).toBe("SIGKILL");
    const lines = said.split("\n").slice(0, -1);
    const told = new Map(lines.map((line) => [line.split(" ")[1] as string, line] as const));
    const { records, damaged } = await fileStore(folder).list(20);
    expect(damaged).toEqual([]);
    const open = new Map(records.map((record) => [record.id, record]));
    for (const [id, line] of told) {
      const decision = open.get(id)?.answer?.decision;
      if (line.startsWith("pending")) expect(open.has(id)).toBe(true);
      if (line.startsWith("pending") && decision !== undefined) expect(decision).not.toBe("denied");
      if (line.startsWith("approved")) expect(decision).toBe("approved");
      if (line.startsWith("denied")) expect(open.has(id)).toBe(false);
      if (line.endsWith(" denied")) expect(decision).not.toBe("approved");
    }
    // What nobody said yes to is not approved.
    const answering = new Set(
      lines.filter((line) => line.endsWith(" approved")).map((l) => l.split(" ")[1]),
    );
    const seen = records.filter(({ id }) => told.has(id) && open.get(id)?.answer !== undefined);
    for (const { id } of seen) expect(answering).toContain(id);
  }
});

it("P17 takes as many as it may of thirty that come at once in one process", async () => {
  const store = fileStore(temporaryFolder());
  const all = Array.from({ length: 30 }, () => asked());
  const added = await Promise.all(all.map((each) => store.add(each, { maxOpen: 5, now: 0 })));
  expect(added.filter((each) => each)).toHaveLength(5);
  expect((await store.list(0)).records).toHaveLength(5);
});

describe("damage", () => {
  /** Whether any of the question's arguments could be run under this folder's approval. */
  async function redeems(store: ApprovalStore, id: string, binding: string): Promise<boolean> {
    return store.consume(id, binding, 20);
  }

  it.each([".asked", ".answered"])(
    "P9 approves nothing with any byte of a %s file flipped",
    { tags: "long" },
    async (ending) => {
      const { folder, store, one } = await approved();
      const path = join(folder, one.id + ending);
      const bytes = readFileSync(path);
      for (let index = 0; index < bytes.length; index++) {
        for (const bit of [0x01, 0x20, 0x80]) {
          const flipped = Uint8Array.from(bytes);
          flipped[index] = (flipped[index] as number) ^ bit;
          writeFileSync(path, flipped);
          expect(await redeems(store, one.id, one.binding), `byte ${index}`).toBe(false);
        }
      }
      // Nor is it taken for one that nobody has answered.
      expect(await store.list(20)).toEqual({ records: [], damaged: [one.id] });
      writeFileSync(path, bytes);
      expect(await redeems(store, one.id, one.binding)).toBe(true);
    },
  );

  it("P9 approves nothing with a file cut anywhere, added to, or given a mark of its encoding", {
    tags: "longer",
  }, async () => {
    const { folder, store, one } = await approved();
    for (const ending of [".asked", ".answered"]) {
      const path = join(folder, one.id + ending);
      const bytes = readFileSync(path);
      const step = inject("long") ? 1 : 7;
      for (let length = (bytes.length - 1) % step; length < bytes.length; length += step) {
        writeFileSync(path, bytes.subarray(0, length));
        expect(await redeems(store, one.id, one.binding)).toBe(false);
      }
      for (const more of ["\n", "x", " ", "\0"]) {
        writeFileSync(path, Buffer.concat([bytes, Buffer.from(more)]));
        expect(await redeems(store, one.id, one.binding)).toBe(false);
      }
      writeFileSync(path, Buffer.concat([Buffer.from("\ufeff"), bytes]));
      expect(await redeems(store, one.id, one.binding)).toBe(false);
      writeFileSync(path, bytes);
    }
    expect(await redeems(store, one.id, one.binding)).toBe(true);
  });

  it("P9 approves nothing with the answer, or the question, of another approval", async () => {
    const { folder, store, one } = await approved();
    const other = asked(question({ args: { to: "Eve", amount: 1 } }));
    await store.add(other, roomy);
    writeFileSync(
      join(folder, `${other.id}.answered`),
      readFileSync(join(folder, `${one.id}.answered`)),
    );
    expect(await redeems(store, other.id, other.binding)).toBe(false);
    const third = asked();
    writeFileSync(join(folder, `${third.id}.asked`), readFileSync(join(folder, `${one.id}.asked`)));
    expect((await store.list(20)).damaged.toSorted()).toEqual([other.id, third.id].toSorted());
    renameSync(join(folder, `${other.id}.asked`), join(folder, `${one.id}.asked`));
    expect(await redeems(store, one.id, other.binding)).toBe(false);
    expect(await redeems(store, one.id, one.binding)).toBe(false);
  });

  it("P9 gives back no grant that was used to who renames and deletes what is there", async () => {
    const { folder, store, one } = await approved();
    expect(await redeems(store, one.id, one.binding)).toBe(true);
    const names = readdirSync(folder).filter((name) => /\.(?:used|ran)$/.test(name));
    expect(names).toHaveLength(2);
    for (const name of names) rmSync(join(folder, name));
    renameSync(join(folder, `${one.id}.closed`), join(folder, `${one.id}.asked`));
    expect(await redeems(fileStore(folder), one.id, one.binding)).toBe(false);
    expect(await fileStore(folder).list(20)).toEqual({ records: [], damaged: [one.id] });
  });

  it("P9 approves nothing under another key, and says which files are damaged", async () => {
    const { folder, one } = await approved();
    const other = fileStore(folder, { key: new Uint8Array(32).fill(7) });
    expect(await other.consume(one.id, one.binding, 20)).toBe(false);
    expect(await other.list(20)).toEqual({ records: [], damaged: [one.id] });
  });
});

describe("the folder", () => {
  it("is its owner's only, as is every file in it", async () => {
    const folder = join(temporaryFolder(), "approvals");
    await approved(folder);
    for (const path of [folder, join(folder, "journal")]) {
      expect(statSync(path).mode & 0o777).toBe(0o700);
      for (const name of readdirSync(path)) {
        if (name === "journal") continue;
        expect(statSync(join(path, name)).mode & 0o777, name).toBe(0o600);
      }
    }
  });

  it("is cleared of what expired more than an hour ago, and of nothing else", async () => {
    const { folder, store, one } = await approved();
    await store.consume(one.id, one.binding, 20);
    writeFileSync(join(folder, "notes.txt"), "mine");
    await store.add(asked(question(), 0, 3_700_000), { maxOpen: 9, now: 3_600_999 });
    expect(existsSync(join(folder, `${one.id}.used`))).toBe(true);
    await store.add(asked(question(), 0, 3_700_000), { maxOpen: 9, now: 3_601_000 });
    const names = readdirSync(folder);
    expect(names.filter((name) => name.startsWith(one.id))).toEqual([]);
    expect(names).toContain("notes.txt");
    // Those of two questions, the notes, the key and the journal.
    expect(names).toHaveLength(5);
  });

  it("is cleared of at most 16 approvals by one question, so that none waits long", async () => {
    const folder = temporaryFolder();
    const store = fileStore(folder);
    for (let count = 0; count < 40; count++) await store.add(asked(question(), 0, 1_000), roomy);
    const left: number[] = [];
    for (let count = 0; count < 3; count++) {
      await store.add(asked(question(), 0, 9_000_000), { maxOpen: 9, now: 3_601_000 });
      const old = readdirSync(folder).filter((name) => name.endsWith(".asked"));
      left.push(old.length - count - 1);
    }
    expect(left).toEqual([24, 8, 0]);
  });

  it("is cleared of what a crash left, and of what another process asked and used", async () => {
    const { folder, store, one } = await approved();
    writeFileSync(join(folder, `${one.id}.asked.0123456789ab.new`), "");
    const other = fileStore(folder);
    expect(await other.hasUsed("none")).toBe(false);
    const second = asked();
    await store.add(second, roomy);
    await store.answer(second.id, yes);
    await store.consume(second.id, second.binding, 20);
    await other.add(asked(question(), 0, 9_000_000), { maxOpen: 9, now: 3_601_000 });
    const [time] = one.id.split("-");
    expect(readdirSync(folder).filter((name) => name.startsWith(`${time}-`))).toEqual([]);
    // Nor has the journal anything about them, once its hour is over.
    await other.add(asked(question(), 0, 9_000_000), { maxOpen: 9, now: 7_200_000 });
    expect(readdirSync(join(folder, "journal"))).toHaveLength(1);
  });

  it("is refused when its key may be read by others, or is too short", () => {
    const folder = temporaryFolder();
    fileStore(folder);
    chmodSync(join(folder, "key"), 0o640);
    expect(() => fileStore(folder)).toThrow(/Run chmod 600/);
    expect(() => fileStore(folder, { key: new Uint8Array(31) })).toThrow(
      "fileStore(): 'key' must have at least 32 random bytes, received 31.",
    );
    const short = join(folder, "short");
    writeFileSync(short, "short", { mode: 0o600 });
    expect(() => fileStore(folder, { key: short })).toThrow(
      `The key file ${resolvedPath(short)} of an approval store must have at least 32 random bytes, received 5.`,
    );
  });

  it("is refused when it must be there and is not, and when it is a file", () => {
    const folder = temporaryFolder();
    expect(() => fileStore("no-such-folder", { create: false })).toThrow(
      `${resolvedPath("no-such-folder")} is not there. The program whose calls are asked about`,
    );
    expect(() => fileStore(folder, { create: false })).toThrow(/key file .* cannot be read/);
    writeFileSync(join(folder, "file"), "");
    for (const create of [true, false]) {
      expect(() => fileStore(join(folder, "file"), { create })).toThrow(/must be a folder/);
    }
    for (const none of [undefined, ""]) {
      expect(() => fileStore(none as never)).toThrow(
        "fileStore(): 'folder' must be the path of a folder, received",
      );
    }
  });
});
