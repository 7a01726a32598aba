import { execFileSync } from "node:child_process";
import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ToolRunner, tool } from "@toolstile/core";
import { fakeClock } from "@toolstile/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { closeAll } from "../../src/guard-file/closing.js";
import { watchGuardFile } from "../../src/index.js";
import { guardYaml } from "./guard-yaml.js";

const one = 'version: 1\npolicyVersion: "one"\nguards: [{ use: ./allow.mjs }]\n';
const two = 'version: 1\npolicyVersion: "two"\nguards: [{ use: ./deny.mjs }]\n';

async function watched(text = one) {
  const file = guardYaml(text);
  const loaded = await watchGuardFile(file.path, {
    onReload: () => {},
    intervalMs: Number.POSITIVE_INFINITY,
  });
  onTestFinished(() => loaded.close());
  return { ...file, folder: dirname(file.path), loaded };
}

describe("a watched guard.yaml that somebody tampers with", () => {
  it.each<[string, (path: string, folder: string) => void]>([
    ["a pipe", (path) => void execFileSync("mkfifo", [path])],
    ["a folder", (path) => void execFileSync("mkdir", [path])],
    ["a link to itself", (path) => symlinkSync(path, path)],
    ["a link to a device that never ends", (path) => symlinkSync("/dev/zero", path)],
    ["more than 1 MiB", (path) => writeFileSync(path, `${two}#${"x".repeat(1 << 20)}`)],
    ["bytes that are no text", (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0]))],
    ["a half-written file", (path) => writeFileSync(path, two.slice(0, 40))],
    ["a link to nothing", (path, folder) => symlinkSync(join(folder, "nowhere"), path)],
  ])("stays in force while %s is in its place, and takes the next right file", async (_, put) => {
    const { path, folder, loaded } = await watched();
    rmSync(path);
    put(path, folder);
    expect(await loaded.reload()).toMatchObject({ status: "refused" });
    expect(loaded.policyVersion).toBe("one");
    writeFileSync(join(folder, "next"), two);
    rmSync(path, { recursive: true });
    renameSync(join(folder, "next"), path);
    expect(await loaded.reload()).toMatchObject({ status: "reloaded", policyVersion: "two" });
  });

  it.each([
    ["brackets", (depth: number) => "[".repeat(depth)],
    ["braces", (depth: number) => "{a: ".repeat(depth)],
    [
      "lines that are deeper each",
      (depth: number) =>
        Array.from({ length: Math.min(depth, 1_000) }, (_, at) => `${" ".repeat(at)}a:`).join("\n"),
    ],
  ])("stays in force through twelve files of %s", async (_, nested) => {
    const { write, loaded } = await watched();
    for (let round = 0; round < 12; round++) {
      write(`version: 1\nguards: ${nested(200_000 + round)}\n`);
      expect(await loaded.reload()).toMatchObject({ status: "refused" });
    }
    expect(loaded.policyVersion).toBe("one");
    write(two);
    expect(await loaded.reload()).toMatchObject({ status: "reloaded", policyVersion: "two" });
  });

  it.each([
    ["another guard throws", "  - use: broken\n"],
    ["another guard has its name", "  - use: one\n    with: { limit: 3 }\n"],
    ["a runner cannot take another guard", "  - use: picky\n"],
  ])("P14 leaves a guard open that a plugin gives again where %s", async (_, other) => {
    let closed = 0;
    const allow = () => ({ decision: "allow" as const });
    const only = { name: "only", evaluate: allow, close: () => void closed++ };
    const plugin = (create: () => unknown) => ({
      plugin: { name: "any", optionsSchema: { type: "object" }, create },
    });
    const throwing = () => {
      throw new Error("no");
    };
    const modules = new Map([
      ["one", plugin(() => only)],
      ["broken", plugin(throwing)],
      ["picky", plugin(() => ({ name: "picky", evaluate: allow, register: throwing }))],
    ]);
    const entry = (limit: number) => `  - use: one\n    with: { limit: ${limit} }\n`;
    const file = guardYaml(`version: 1\nguards:\n${entry(1)}`);
    const loaded = await watchGuardFile(file.path, {
      onReload: () => {},
      intervalMs: Number.POSITIVE_INFINITY,
      import: async (name) => modules.get(name),
    });
    const search = tool({ name: "search", execute: () => "found" });
    const runner = new ToolRunner({ tools: [search], ...loaded.runnerOptions() });
    file.write(`version: 1\nguards:\n${entry(2)}${other}`);
    expect(await loaded.reload()).toMatchObject({ status: "refused" });
    expect(closed).toBe(0);
    expect(await runner.run({ name: "search" })).toMatchObject({ status: "executed" });
    await loaded.close();
    expect(closed).toBe(1);
  });

  it("is read through a link, and anew when the link is exchanged", async () => {
    const { path, folder, loaded } = await watched();
    writeFileSync(join(folder, "second.yaml"), two);
    symlinkSync(join(folder, "second.yaml"), join(folder, "link"));
    renameSync(join(folder, "link"), path);
    expect(await loaded.reload()).toMatchObject({ status: "reloaded", policyVersion: "two" });
  });

  it("says what is wrong of a thousand guards without making a validator for each", async () => {
    const { write, loaded } = await watched();
    const guards = Array.from(
      { length: 1_000 },
      () => "  - { use: ./allow.mjs, with: { nam: x } }",
    );
    write(`version: 1\nguards:\n${guards.join("\n")}\n`);
    const began = performance.now();
    const event = await loaded.reload();
    expect(event).toMatchObject({ status: "refused" });
    // A validator for each took most of a minute.
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it("takes a call's guard away only when the call is over, in two reloads that are asked for at once", async () => {
    const { write, loaded } = await watched();
    write(two);
    const first = loaded.reload();
    write(one.replace("one", "three"));
    const second = loaded.reload();
    await Promise.all([first, second]);
    expect(loaded.policyVersion).toBe("three");
  });
});

it("a guard that never closes is told of after 10 seconds, and holds nothing up", async () => {
  const clock = fakeClock();
  const stuck = { name: "stuck", evaluate: () => ({}), close: () => new Promise(() => {}) };
  const closing = closeAll([stuck as never], clock).catch(String);
  expect(clock.waiting()).toBe(1);
  clock.advance(10_000);
  expect(await closing).toBe("Error: 'stuck' has not closed within 10 s");
  expect(clock.waiting()).toBe(0);
});
