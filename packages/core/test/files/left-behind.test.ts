import { spawn } from "node:child_process";
import { constants, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  codeOf,
  createFile,
  createFileSync,
  openRegularFile,
  readRegularFile,
  replaceFile,
  replaceFileSync,
  syncFolder,
  takeLock,
} from "../../src/files/index.js";
import { errorOf } from "../support/errors.js";
import { idle } from "../support/promises.js";
import { temporaryFolder } from "./temporary.js";

const onLinux = it.skipIf(process.platform !== "linux");

describe("P17 the files that a process has open", () => {
  const count = () => readdirSync("/proc/self/fd").length;

  onLinux.each<[string, (folder: string) => unknown]>([
    ["a folder was refused as a file", (folder) => openRegularFile(folder, constants.O_RDONLY)],
    ["a file was read", (folder) => readRegularFile(join(folder, "file"))],
    [
      "a file was refused that is too long",
      (folder) => readRegularFile(join(folder, "file"), { mostBytes: 1 }),
    ],
    ["a file was made", (folder) => createFileSync(join(folder, "new"), "x")],
    ["a file was made later", (folder) => createFile(join(folder, "new"), "x")],
    ["a file was replaced", (folder) => replaceFileSync(join(folder, "file"), "x")],
    ["a file was replaced later", (folder) => replaceFile(join(folder, "file"), "x")],
    ["a folder was synced", (folder) => syncFolder(folder)],
  ])("P17 are no more after %s", async (_, act) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "text");
    const before = count();
    for (let time = 0; time < 5; time++) {
      try {
        await act(folder);
      } catch {
        // What is refused must leave nothing behind either.
      }
    }
    expect(count()).toBe(before);
  });
});

describe("a lock", () => {
  onLinux(
    "is taken over from a process that has ended, and that nobody has waited for",
    async () => {
      // Its parent becomes a program that waits for nobody, and only then is it told to end.
      const script = "(read word <&3) & echo $!; exec sleep 60";
      const child = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore", "pipe"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      const [, output, , input] = child.stdio;
      const pid = Number(await new Promise((resolve) => output?.once("data", resolve)));
      while (readFileSync(`/proc/${child.pid}/comm`, "utf8") !== "sleep\n") await idle();
      (input as Writable).end("end\n");
      const fields = () => {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      };
      while (fields()[0] !== "Z") await idle();
      const path = join(temporaryFolder(), "lock");
      writeFileSync(path, JSON.stringify({ pid, host: hostname(), started: fields()[19] }));
      expect(takeLock(path).obstacle).toBeUndefined();
    },
  );

  onLinux("is taken over from an earlier process with the id 1, as a container's has", () => {
    const path = join(temporaryFolder(), "lock");
    writeFileSync(path, JSON.stringify({ pid: 1, host: hostname(), started: "another" }));
    expect(takeLock(path).obstacle).toBeUndefined();
  });

  it("stays where its file cannot be read as a text", () => {
    const path = join(temporaryFolder(), "lock");
    mkdirSync(path);
    expect(takeLock(path)).toEqual({ obstacle: path });
  });
});

describe("P5 an error says what was wrong:", () => {
  it("a limit that is no number of bytes", () => {
    expect(errorOf(() => readRegularFile("/none", { mostBytes: -1 })).message).toBe(
      "readRegularFile(): 'mostBytes' must be a whole number of at least 0, or Infinity, received -1.",
    );
  });

  it("bytes that are none", () => {
    const path = join(temporaryFolder(), "file");
    expect(errorOf(() => createFileSync(path, new ArrayBuffer(2) as never)).message).toBe(
      "@toolstile/core/files: the bytes must be text or a Uint8Array, received object.",
    );
  });
});

describe("the code of a system's error", () => {
  const coded = (code: unknown) => Object.assign(new Error("at /home/ada"), { code });

  it.each([["ENOENT"], ["ERR_2"], ["E".repeat(40)]])("is given where it is one: %s", (code) => {
    expect(codeOf(coded(code))).toBe(code);
  });

  it.each([
    ["no code", new Error("x")],
    ["a number as code", coded(2)],
    ["a path as code", coded("/home/ada")],
    ["an empty code", coded("")],
    ["a code that is too long", coded("E".repeat(41))],
    ["a code, and is no error", { code: "ENOENT" }],
  ])("P2 is not told of what has %s", (_, error) => {
    expect(codeOf(error)).toBeUndefined();
  });

  it.each([undefined, null, "ENOENT", 7])("is none of %s", (error) => {
    expect(codeOf(error)).toBeUndefined();
  });
});
