import { type AsyncHook, createHook } from "node:async_hooks";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  createFile,
  createFileSync,
  removeFile,
  replaceFile,
  replaceFileSync,
  syncFolder,
} from "../../src/files/index.js";
import { temporaryFolder } from "./temporary.js";

const isPosix = process.platform !== "win32";
const both = [
  { name: "at once", create: createFileSync, replace: replaceFileSync },
  { name: "later", create: createFile, replace: replaceFile },
] as const;

describe.each(both)("a whole file, written $name", ({ create, replace }) => {
  it("is created once, for its owner only, and leaves no draft", async () => {
    const path = join(temporaryFolder(), "file");
    expect(await create(path, "first")).toBe(true);
    expect(await create(path, "second")).toBe(false);
    expect(readFileSync(path, "utf8")).toBe("first");
    if (isPosix) expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(path, ".."))).toEqual(["file"]);
  });

  it("takes the place of another, and leaves no draft", async () => {
    const path = join(temporaryFolder(), "file");
    await replace(path, "first");
    await replace(path, Uint8Array.of(0xff, 0x00));
    expect([...readFileSync(path)]).toEqual([0xff, 0x00]);
    expect(readdirSync(join(path, ".."))).toEqual(["file"]);
  });

  it.each<[string, unknown]>([
    ["an ArrayBuffer", new ArrayBuffer(3)],
    ["a DataView", new DataView(new ArrayBuffer(3))],
    ["a promise", Promise.resolve("text")],
    ["a list of bytes", [1, 2]],
    ["a number", 5],
    ["null", null],
    ["nothing", undefined],
  ])("is not emptied by %s in place of bytes", async (_, bytes) => {
    const folder = temporaryFolder();
    const path = join(folder, "file");
    await create(path, "kept");
    const other = join(folder, "other");
    const writes = [
      async () => replace(path, bytes as string),
      async () => create(other, bytes as string),
    ];
    for (const write of writes) {
      const message = /the bytes must be text or a Uint8Array, received /;
      await expect(write()).rejects.toThrow(message);
    }
    expect(readFileSync(path, "utf8")).toBe("kept");
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  it("is not written where its bytes are fewer than they say", async () => {
    const folder = temporaryFolder();
    const bytes = Object.defineProperty(new Uint8Array(3), "length", { value: 4 });
    const message = "The file takes no more bytes.";
    await expect(async () => create(join(folder, "file"), bytes)).rejects.toThrow(message);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("leaves no draft where it cannot be put in its place", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "file", "full"), { recursive: true });
    expect(await create(join(folder, "file"), "x")).toBe(false);
    await expect(async () => replace(join(folder, "file"), "x")).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(["file"]);
    await expect(async () => create(join(folder, "no", "file"), "x")).rejects.toMatchObject({
      code: "ENOENT",
    });
  });

  it.skipIf(!isPosix)("P16 follows no link that stands in its place", async () => {
    const folder = temporaryFolder();
    const victim = join(folder, "victim");
    writeFileSync(victim, "precious");
    symlinkSync(victim, join(folder, "file"));
    expect(await create(join(folder, "file"), "x")).toBe(false);
    await replace(join(folder, "file"), "x");
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(readFileSync(join(folder, "file"), "utf8")).toBe("x");
  });
});

it("tells exactly one of many that create the same file at once that it did", async () => {
  const path = join(temporaryFolder(), "file");
  const made = await Promise.all(
    Array.from({ length: 16 }, (_, index) => createFile(path, `${index}`)),
  );
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(readFileSync(path, "utf8")).toBe(String(made.indexOf(true)));
});

it.skipIf(!isPosix)("P16 follows no link that stands in the place of a draft", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "victim"), "precious");
  symlinkSync(join(folder, "victim"), join(folder, "draft"));
  replaceFileSync(join(folder, "file"), "x", join(folder, "draft"));
  expect(readFileSync(join(folder, "victim"), "utf8")).toBe("precious");
  expect(readdirSync(folder).sort()).toEqual(["file", "victim"]);
});

it("removes a file, and minds none that is not there", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "x");
  for (let turn = 0; turn < 2; turn++) removeFile(join(folder, "file"));
  expect(readdirSync(folder)).toEqual([]);
  expect(() => removeFile(folder)).toThrow();
});

it.skipIf(!isPosix)("syncs a folder, and no link to one", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "real"));
  symlinkSync(join(folder, "real"), join(folder, "link"));
  syncFolder(join(folder, "real"));
  expect(() => syncFolder(join(folder, "link"))).toThrow();
});

it.skipIf(process.platform !== "linux")("tells that a folder cannot be synced", () => {
  // The system syncs nothing of this one, and says so.
  expect(() => syncFolder(`/proc/${process.pid}`)).toThrow("EINVAL");
});

/** Acts when Node is about to ask the system for a sync, and when that is over. What else is written goes without requests. */
function onSync(asked: () => void, over: () => void = () => {}): AsyncHook {
  const syncs = new Set<number>();
  return createHook({
    init: (id, type) => {
      if (type !== "FSREQCALLBACK") return;
      syncs.add(id);
      asked();
    },
    after: (id) => void (syncs.has(id) && over()),
  }).enable();
}

it.skipIf(!isPosix)("P16 is there when the system has synced it, and then its folder", async () => {
  const path = join(temporaryFolder(), "file");
  const log: string[] = [];
  const hook = onSync(
    () => void log.push("asked"),
    () => void log.push("over"),
  );
  await createFile(path, "x");
  hook.disable();
  expect(log).toEqual(["asked", "over", "asked", "over"]);
});

it.skipIf(process.platform !== "linux")(
  "P16 keeps the old file, and no draft, where the system does not sync the new one",
  async () => {
    const folder = temporaryFolder();
    const path = join(folder, "file");
    writeFileSync(path, "old");
    // The least descriptor that is free is that of the draft. The system syncs nothing of /proc.
    const free = openSync(folder, "r");
    closeSync(free);
    let swapped: number | undefined;
    const hook = onSync(() => {
      hook.disable();
      closeSync(free);
      swapped = openSync("/proc/self", "r");
    });
    await expect(replaceFile(path, "new")).rejects.toThrow("EINVAL");
    expect(swapped).toBe(free);
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["file"]);
  },
);

const writer = fileURLToPath(new URL("endless-writer.mjs", import.meta.url));
const command = ["--conditions=@toolstile/source", writer] as const;

it("P16 leaves a whole file at a kill -9 at any instant, and at most one draft", {
  tags: "long",
}, async () => {
  const folder = temporaryFolder();
  for (const count of [1, 4, 9]) {
    const child = spawn(process.execPath, [...command, folder], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
      if (said.split("\n").length > count) child.kill("SIGKILL");
    });
    const [, signal] = await once(child, "close");
    expect(signal).toBe("SIGKILL");
    const text = readFileSync(join(folder, "file"), "utf8");
    expect(text).toHaveLength(100_000);
    expect(new Set(text).size).toBe(1);
    expect(readdirSync(folder).filter((name) => !["file", "file.draft"].includes(name))).toEqual(
      [],
    );
  }
});

const canTrace =
  spawnSync("strace", ["-f", "-e", "trace=fsync", "true"], { stdio: "ignore" }).status === 0;

it.skipIf(!canTrace).each([
  ["EIO", "at once"],
  ["ENOSPC", "at once"],
  ["EIO", "later"],
])(
  "P16 keeps the old file, and no draft, when the sync fails with %s, written %s (needs strace)",
  (error, when) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "old");
    const inject = ["-e", "trace=fsync", "-e", `inject=fsync:error=${error}:when=1`];
    const { stderr } = spawnSync(
      "strace",
      ["-f", "-qq", "-o", "/dev/null", ...inject, process.execPath, ...command, folder, when],
      { encoding: "utf8" },
    );
    expect(stderr).toContain(error);
    expect(readFileSync(join(folder, "file"), "utf8")).toBe("old");
    rmSync(join(folder, "file"));
    expect(readdirSync(folder)).toEqual([]);
  },
);
