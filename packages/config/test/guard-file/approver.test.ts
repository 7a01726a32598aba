import { ToolRunner, tool } from "@toolstile/core";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type GuardFileEvent,
  inspectGuardFile,
  loadGuardFile,
  loadPlugin,
  watchGuardFile,
} from "../../src/index.js";
import { faultLines, guardYaml } from "./guard-yaml.js";

const tools = [tool({ name: "search", execute: () => "found" })];
const request = { name: "search", arguments: {} };
const guards = "version: 1\nguards:\n  - use: ./liftable.mjs\n";
const approver = "approver:\n  use: ./ask.mjs\n";

describe("the approver of a guard.yaml", () => {
  it("is asked about denials that can be lifted, and closed with the file, not with a runner", async () => {
    const file = guardYaml(`${guards}${approver}  with: { store: a, name: ann }\n`);
    const loaded = await loadGuardFile(file.path);
    const runner = new ToolRunner({ tools, ...loaded.runnerOptions() });
    expect(await runner.run(request)).toMatchObject({
      status: "denied",
      reason: "no; not by ann",
    });
    expect(loaded.approver).toMatchObject({ name: "ann" });
    await runner.close();
    expect(await file.log("ask.mjs")).toEqual(["opened a"]);
    await loaded.close();
    expect(await file.log("ask.mjs")).toEqual(["opened a", "closed ann"]);
  });

  it("is not there where the file names none", async () => {
    await using loaded = await loadGuardFile(guardYaml(guards).path);
    expect(loaded.approver).toBeUndefined();
    expect(Object.keys(loaded.runnerOptions())).not.toContain("approver");
  });

  it("is not opened by those who only look at the file", async () => {
    const file = guardYaml(`${guards}${approver}`);
    await using _ = await inspectGuardFile(file.path);
    expect(await file.log("ask.mjs")).toEqual([]);
  });

  it.each([
    ["  use: ./ask.mjs\n  with: { stroe: a }\n", "6:11 approver.with.stroe: there is no option"],
    ["  use: ./ask.mjs\n  tools: [a]\n", "6:3 approver.tools: there is no key 'tools' here."],
    ["  with: { store: a }\n", "4:1 approver.use: is missing"],
    ["  [./ask.mjs]\n", "4:1 approver: must be a mapping"],
    ["  use: ./asc.mjs\n", "4:1 approver: the plugin './asc.mjs' is not a file."],
    [
      `  use: ./ask.mjs\n  with: { store: "\${env:NOWHERE}" }\n`,
      "6:11 approver.with.store: the environment variable 'NOWHERE' is not set",
    ],
    ["  use: ./allow.mjs\n", "makes a guard, which belongs under guards"],
    ["  use: ./record.mjs\n", "makes an observer, which belongs under observers"],
  ])("P5 is refused as %j", async (entry, fault) => {
    const [found = "", ...others] = await faultLines(guardYaml(`${guards}approver:\n${entry}`));
    expect(others).toEqual([]);
    expect(found).toContain(fault);
  });

  it.each([
    ["guards:\n  - use: ./ask.mjs\n", "guards[0]"],
    ["guards: []\nobservers:\n  - use: ./ask.mjs\n", "observers[0]"],
  ])("P5 is refused in another place: %j", async (text, place) => {
    const [found = ""] = await faultLines(guardYaml(`version: 1\n${text}`));
    expect(found).toContain(`${place}: the plugin './ask.mjs' makes an approver, which belongs`);
  });

  it("P5 is refused by those who load a guard or an observer", async () => {
    const { path } = guardYaml(guards);
    const base = path.slice(0, -"/guard.yaml".length);
    await expect(loadPlugin({ use: "./ask.mjs" }, { base })).rejects.toThrow("under approver");
  });

  it.each<[string, string]>([
    ["promise", "Promise.resolve({})"],
    ["no approver", "({ name: 'x', ask: () => {} })"],
    ["nothing", "undefined"],
  ])("P5 is refused where its plugin makes a %s", async (_, made) => {
    const source = `export const plugin = { name: "x", optionsSchema: {}, create: () => ${made} };`;
    const file = guardYaml(`${guards}approver: { use: ./x.mjs }\n`, { "x.mjs": source });
    expect(await faultLines(file)).toEqual([
      expect.stringMatching(/approver: the plugin '\.\/x\.mjs' made .*approver/),
    ]);
  });

  it("closes the observers that were opened before it, where it cannot be made", async () => {
    const file = guardYaml(
      `${guards}observers:\n  - use: ./record.mjs\napprover: { use: ./allow.mjs }\n`,
    );
    await faultLines(file);
    expect(await file.log("record.mjs")).toEqual(["opened undefined", "closed record"]);
  });
});

describe("the approver of a watched guard.yaml", () => {
  async function watched(text: string) {
    const file = guardYaml(text);
    const events: GuardFileEvent[] = [];
    const loaded = await watchGuardFile(file.path, {
      onReload: (event) => void events.push(event),
      intervalMs: Number.POSITIVE_INFINITY,
    });
    onTestFinished(() => loaded.close());
    return { file, loaded, events, runner: new ToolRunner({ tools, ...loaded.runnerOptions() }) };
  }
  const reason = "no; not by ask";

  it("stays the same while the guards change", async () => {
    const { file, loaded, runner } = await watched(`${guards}${approver}`);
    file.write(`${guards}    timeoutMs: 100\n${approver}`);
    expect(await loaded.reload()).toMatchObject({ status: "reloaded" });
    expect(await runner.run(request)).toMatchObject({ reason });
    expect(await file.log("ask.mjs")).toEqual(["opened undefined"]);
  });

  it.each([
    ["other options", `${guards}${approver}  with: { name: eve }\n`],
    ["none", guards],
  ])("cannot change to %s without a restart, and stays open", async (_, text) => {
    const { file, loaded, events, runner } = await watched(`${guards}${approver}`);
    file.write(text);
    expect(await loaded.reload()).toMatchObject({ status: "refused" });
    expect(events).toMatchObject([{ error: { message: expect.stringContaining("approver") } }]);
    expect(await runner.run(request)).toMatchObject({ reason });
    expect(await file.log("ask.mjs")).toEqual(["opened undefined"]);
  });

  it("cannot come later", async () => {
    const { file, loaded } = await watched(guards);
    file.write(`${guards}${approver}`);
    expect(await loaded.reload()).toMatchObject({ status: "refused" });
    expect(loaded.approver).toBeUndefined();
    expect(await file.log("ask.mjs")).toEqual([]);
  });
});
