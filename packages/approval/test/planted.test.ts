import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { approvals } from "../src/approvals/approvals.js";
import { fileStore } from "../src/store/file-store.js";
import { asked, question } from "./questions.js";
import { temporaryFolder } from "./temporary.js";

const yes = { decision: "approved", by: "ann", at: 10 } as const;
const roomy = { maxOpen: 100, now: 0 };
const isPosix = process.platform !== "win32";
const isRoot = process.geteuid?.() === 0;

/** What somebody can put where a file of the store should be. */
const plants: readonly (readonly [string, (path: string) => void])[] = [
  ["a pipe that nobody writes to", (path) => void execFileSync("mkfifo", [path])],
  ["a folder", (path) => mkdirSync(path)],
  ["a link to itself", (path) => symlinkSync(path, path)],
  ["a link to /dev/zero", (path) => symlinkSync("/dev/zero", path)],
  ["a link to nowhere", (path) => symlinkSync("/nowhere/at/all", path)],
  [
    "a file of 128 MB",
    (path) => {
      writeFileSync(path, "");
      truncateSync(path, 134_217_728);
    },
  ],
];

describe.skipIf(!isPosix)(
  "a folder of approvals with something else in it (not on Windows)",
  () => {
    it.each(plants)(
      "P9 goes on beside %s in place of a question, and names it",
      async (_, plant) => {
        const folder = temporaryFolder();
        const store = fileStore(folder);
        const [planted, pending] = [asked(), asked(question({ args: {} }))];
        for (const each of [planted, pending]) expect(await store.add(each, roomy)).toBe(true);
        const path = join(folder, `${planted.id}.asked`);
        unlinkSync(path);
        plant(path);
        expect(await store.read(planted.id)).toBeUndefined();
        expect(await store.answer(planted.id, yes)).toBe(false);
        expect(await store.consume(planted.id, planted.binding, 20)).toBe(false);
        const { records, damaged } = await store.list(20);
        expect(records.map(({ id }) => id)).toEqual([pending.id]);
        expect(damaged).toEqual([planted.id]);
        const desk = approvals({ store, clock: { now: () => 20, setTimeout, clearTimeout } });
        expect(await desk.answer(planted.id, { decision: "approved", by: "ann" })).toEqual({
          answered: [],
          found: "damaged",
        });
        expect(
          (await desk.answer(pending.id, { decision: "approved", by: "ann" })).answered,
        ).toEqual([pending.id]);
        expect(await store.add(asked(), roomy)).toBe(true);
        expect(await store.consume(pending.id, pending.binding, 30)).toBe(true);
        // Nor is it in the way when its time is over.
        expect(
          await store.add(asked(question(), 0, 9_000_000), { maxOpen: 100, now: 4_000_000 }),
        ).toBe(true);
      },
    );

    it.each(plants)(
      "P9 approves nothing with %s in place of an answer, or of its use",
      async (_, plant) => {
        for (const ending of [".answered", ".used"]) {
          const folder = temporaryFolder();
          const store = fileStore(folder);
          const one = asked();
          await store.add(one, roomy);
          if (ending === ".used") await store.answer(one.id, yes);
          plant(join(folder, one.id + ending));
          expect(await store.consume(one.id, one.binding, 20)).toBe(false);
          expect(await store.answer(one.id, yes)).toBe(false);
          const { records, damaged } = await store.list(20);
          expect([records, damaged]).toEqual([[], ending === ".used" ? [] : [one.id]]);
          expect(existsSync(join(folder, `${one.id}.asked`))).toBe(true);
        }
      },
    );
  },
);

describe.skipIf(!isPosix)("a key file (not on Windows)", () => {
  const made = () => {
    const folder = temporaryFolder();
    fileStore(folder);
    return { folder, key: join(folder, "key") };
  };

  it.each(plants.filter(([what]) => what !== "a link to nowhere"))(
    "P9 is refused, by its name, when it is %s",
    (_, plant) => {
      const { folder, key } = made();
      unlinkSync(key);
      plant(key);
      expect(() => fileStore(folder)).toThrow(
        /The key file '.*key' .*(must be a regular file|must have at most)/,
      );
    },
  );

  it("P9 is refused when it is a link, though to a key of one's own", () => {
    const { folder, key } = made();
    renameSync(key, join(folder, "real"));
    symlinkSync("real", key);
    expect(() => fileStore(folder)).toThrow(
      /received a link.*Give the path of the file itself, or its bytes/,
    );
    unlinkSync(key);
    symlinkSync("/nowhere/at/all", key);
    expect(() => fileStore(folder)).toThrow(/received a link/);
    // Another name of the same file is no link that could be turned.
    unlinkSync(key);
    linkSync(join(folder, "real"), key);
    expect(() => fileStore(folder)).not.toThrow();
  });

  it.each([
    [0o620, /may be written to by others.*chmod 600/],
    [0o602, /may be written to by others.*chmod 600/],
    [0o640, /may be read by others.*chmod 600/],
    [0o604, /may be read by others.*chmod 600/],
  ])("P9 is refused with mode %o", (mode, words) => {
    const { folder, key } = made();
    chmodSync(key, mode);
    expect(() => fileStore(folder)).toThrow(words);
  });

  it.skipIf(!isRoot)("P9 is refused when it belongs to somebody else (needs root)", () => {
    const { folder, key } = made();
    chownSync(key, 65_534, 65_534);
    expect(() => fileStore(folder)).toThrow(/'.*key' .*belongs to another user \(65534\).*chown 0/);
    expect(() => fileStore(folder, { key: readFileSync(key) })).not.toThrow();
  });
});

describe.skipIf(!isPosix)("a folder of approvals (not on Windows)", () => {
  it.each([
    [0o777, true],
    [0o702, true],
    [0o1777, false],
    [0o770, false],
    [0o755, false],
  ])("P9 with mode %o is refused: %s", (mode, isRefused) => {
    const folder = temporaryFolder();
    chmodSync(folder, mode);
    for (const options of [{}, { key: new Uint8Array(32) }]) {
      const open = () => fileStore(folder, options);
      if (isRefused)
        expect(open).toThrow(/folder of approvals '.*' may be written to by anybody.*chmod 700/);
      else expect(open).not.toThrow();
    }
    expect(existsSync(join(folder, "key"))).toBe(!isRefused);
  });
});
