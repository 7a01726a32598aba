import { rmSync } from "node:fs";
import { type CallRecord, ToolRunner, tool } from "@toolstile/core";
import { fakeClock } from "@toolstile/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type GuardFileEvent,
  type WatchedGuardFile,
  type WatchGuardFileOptions,
  watchGuardFile,
} from "../../src/index.js";
import { guardYaml, type TestFile } from "./guard-yaml.js";

const search = tool({ name: "search", execute: () => "found" });
const request = { name: "search", arguments: {} };

/** A watched file, what it told, and a runner on it that notes its records. */
async function watched(file: TestFile, options: Partial<WatchGuardFileOptions> = {}) {
  const events: GuardFileEvent[] = [];
  const loaded = await watchGuardFile(file.path, {
    onReload: (event) => void events.push(event),
    intervalMs: Number.POSITIVE_INFINITY,
    ...options,
  });
  onTestFinished(() => loaded.close());
  const records: CallRecord[] = [];
  const own = { name: "records", settle: (record: CallRecord) => void records.push(record) };
  const build = (watching: WatchedGuardFile) => {
    const { observers = [], ...rest } = watching.runnerOptions();
    return new ToolRunner({ tools: [search], ...rest, observers: [...observers, own] });
  };
  return { loaded, events, records, runner: build(loaded), build };
}

const version = (name: string, guards: string) =>
  `version: 1\npolicyVersion: "${name}"\nguards:\n${guards}`;
const allow = "  - use: ./allow.mjs\n";
const deny = "  - use: ./deny.mjs\n";

describe("watchGuardFile", () => {
  it("puts a change in force for runners that were built before", async () => {
    const file = guardYaml(version("one", allow));
    const { loaded, events, records, runner } = await watched(file);
    expect((await runner.run(request)).status).toBe("executed");
    file.write(version("two", deny));
    expect(await loaded.reload()).toEqual({ status: "reloaded", policyVersion: "two" });
    expect(events).toEqual([{ status: "reloaded", policyVersion: "two" }]);
    expect(await runner.run(request)).toMatchObject({ status: "denied", decidedBy: "deny" });
    expect(records.map(({ policyVersion }) => policyVersion)).toEqual(["one", "two"]);
    expect([loaded.policyVersion, loaded.guards.map(({ name }) => name)]).toEqual([
      "two",
      ["deny"],
    ]);
    expect(loaded.runnerOptions().policyVersion).toBe("two");
  });

  it.each<[string, string]>([
    ["a fault", version("two", "  - use: ./nowhere.mjs\n")],
    ["no YAML", "version: [\n"],
    ["half of what was meant", "version: 1\n"],
    [
      "a guard that refuses a tool which is there",
      version("two", `${allow}  - use: ./refuse.mjs\n`),
    ],
    ["a guard for a tool that is not there", version("two", `${allow}    tools: [serch]\n`)],
    ["another observer", `${version("two", deny)}observers: [{ use: ./record.mjs }]\n`],
    ["other rules under the same policyVersion", version("one", deny)],
  ])("refuses a file with %s whole, says why, and keeps the rules that were", async (_, text) => {
    const file = guardYaml(version("one", allow));
    const { loaded, events, records, runner } = await watched(file);
    file.write(text);
    expect(await loaded.reload()).toMatchObject({ status: "refused" });
    expect(events).toMatchObject([{ status: "refused", error: { code: "ERR_CONFIG" } }]);
    expect((await runner.run(request)).status).toBe("executed");
    expect(records.map(({ policyVersion }) => policyVersion)).toEqual(["one"]);
    expect(loaded.guards.map(({ name }) => name)).toEqual(["allow"]);
  });

  it("refuses a file that is gone, and takes it up again when it is back", async () => {
    const file = guardYaml(version("one", allow));
    const { loaded, runner } = await watched(file);
    rmSync(file.path);
    expect(await loaded.reload()).toMatchObject({ status: "refused" });
    file.write(version("two", deny));
    expect(await loaded.reload()).toMatchObject({ status: "reloaded" });
    expect((await runner.run(request)).status).toBe("denied");
  });

  it("says nothing of a file that says the same", async () => {
    const file = guardYaml(`version: 1\nguards:\n${allow}`);
    const { loaded, events } = await watched(file);
    const { policyVersion } = loaded;
    file.write(`# a word more\nguards:\n${allow}version: 1\n`);
    expect(await loaded.reload()).toEqual({ status: "unchanged" });
    expect([events, loaded.policyVersion]).toEqual([[], policyVersion]);
  });

  it("knows where guards stand after a change of comments alone", async () => {
    const file = guardYaml(`version: 1\nguards:\n${allow}`);
    const { loaded } = await watched(file);
    file.write(`version: 1\n# a word more\n# and another\nguards:\n${allow}`);
    expect(await loaded.reload()).toEqual({ status: "unchanged" });
    expect(loaded.guards).toMatchObject([{ path: "guards[0]", line: 5 }]);
    expect(await file.log("allow.mjs")).toEqual(["made allow", "allow told of search"]);
  });

  it("P14 keeps what a guard has counted whose options are as before, wherever it stands now", async () => {
    const limit = "  - use: ./limit.mjs\n    with: { limit: 2 }\n";
    const file = guardYaml(version("one", limit));
    const { loaded, runner } = await watched(file);
    expect((await runner.run(request)).status).toBe("executed");
    file.write(version("two", `${allow}${limit}    tools: [search]\n    timeoutMs: 100\n`));
    await loaded.reload();
    expect((await runner.run(request)).status).toBe("executed");
    expect(await runner.run(request)).toMatchObject({ status: "denied", decidedBy: "limit" });
    expect(await file.log("limit.mjs")).toEqual(["made limit"]);
  });

  it("makes a guard anew whose options changed, and closes the old one", async () => {
    const limit = (limit: number) => `  - use: ./limit.mjs\n    with: { limit: ${limit} }\n`;
    const file = guardYaml(version("one", limit(1)));
    const { loaded, runner } = await watched(file);
    await runner.run(request);
    file.write(version("two", limit(2)));
    await loaded.reload();
    expect((await runner.run(request)).status).toBe("executed");
    expect(await file.log("limit.mjs")).toEqual(["made limit", "made limit", "closed limit"]);
  });

  it("closes what it made for a file that is refused, and nothing that is in use", async () => {
    const file = guardYaml(version("one", allow));
    const { loaded, runner } = await watched(file);
    const more = `${allow}  - { use: ./allow.mjs, with: { name: new } }\n  - use: ./refuse.mjs\n`;
    file.write(version("two", more));
    expect(await loaded.reload()).toMatchObject({ status: "refused" });
    const log = (await file.log("allow.mjs")).filter((entry) => !String(entry).includes("told"));
    expect(log).toEqual(["made allow", "made new", "closed new"]);
    expect((await runner.run(request)).status).toBe("executed");
  });

  it("P6 lets a call end under the rules that it began with, and closes a guard only then", async () => {
    const file = guardYaml(version("one", deny.replace("deny", "allow")));
    const { loaded, records, runner } = await watched(file);
    const opened = await runner.open(request);
    file.write(version("two", deny));
    await loaded.reload();
    expect((await runner.run(request)).status).toBe("denied");
    expect(await file.log("allow.mjs")).not.toContain("closed allow");
    if (opened.outcome === undefined) await opened.close({ value: "found" });
    await Promise.resolve();
    expect(await file.log("allow.mjs")).toContain("closed allow");
    expect(records.map(({ policyVersion, outcome }) => [policyVersion, outcome?.status])).toEqual([
      ["two", "denied"],
      ["one", "executed"],
    ]);
  });

  it("tells new guards of the tools before any call", async () => {
    const file = guardYaml(version("one", deny));
    const { loaded, runner } = await watched(file);
    file.write(version("two", allow));
    await loaded.reload();
    expect(await file.log("allow.mjs")).toEqual(["made allow", "allow told of search"]);
    expect((await runner.run(request)).status).toBe("executed");
  });

  it("is in force for every runner on it at once, and for agents that come later", async () => {
    const file = guardYaml(version("one", allow));
    const { loaded, runner, build } = await watched(file);
    const others = [build(loaded), runner.forAgent("support")];
    file.write(`${version("two", allow)}agents: { support: { guards: [{ use: ./deny.mjs }] } }\n`);
    await loaded.reload();
    const statuses = [runner, ...others].map((each) => each.run(request, { agentName: "support" }));
    for (const outcome of await Promise.all(statuses)) expect(outcome.status).toBe("denied");
    expect((await runner.run(request, { agentName: "other" })).status).toBe("executed");
    expect(loaded.agents).toEqual(["support"]);
  });

  it("goes one reload after the other, and ends with what the file says last", async () => {
    const file = guardYaml(version("one", allow));
    const { loaded } = await watched(file);
    file.write(version("two", deny));
    const first = loaded.reload();
    file.write(version("three", deny));
    await Promise.all([first, loaded.reload()]);
    expect(loaded.policyVersion).toBe("three");
  });

  it("tells of a guard that could not be closed, and goes on", async () => {
    const stuck = (name: string): string => `export const plugin = { name: "stuck",
      optionsSchema: { type: "object", properties: { name: { type: "string" } } },
      create: ({ name = "${name}" }) => ({ name, evaluate: () => ({ decision: "allow" }),
        close() { throw new Error("stuck"); } }) };`;
    const file = guardYaml(version("one", "  - use: ./stuck.mjs\n"), {
      "stuck.mjs": stuck("stuck"),
    });
    let note: (error: unknown) => void = () => {};
    const unclosed = new Promise((resolve) => (note = resolve));
    const { loaded, runner } = await watched(file, {
      onReload: (event) => event.status === "unclosed" && note(event.error),
    });
    file.write(version("two", deny));
    expect(await loaded.reload()).toMatchObject({ status: "reloaded" });
    expect(String(await unclosed)).toBe("Error: stuck");
    expect((await runner.run(request)).status).toBe("denied");
  });

  it("closes all, and looks no more", async () => {
    const file = guardYaml(version("one", `${allow}${deny}`));
    const clock = fakeClock();
    const { loaded } = await watched(file, { clock, intervalMs: 1_000 });
    expect(clock.waiting()).toBe(1);
    await loaded.close();
    expect(clock.waiting()).toBe(0);
    expect(await file.log("allow.mjs")).toContain("closed allow");
    expect(await file.log("deny.mjs")).toContain("closed deny");
    expect(await loaded.reload()).toEqual({ status: "unchanged" });
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no"))],
  ])("takes a change also where whoever is told of it %s", async (_, onReload) => {
    const file = guardYaml(version("one", allow));
    const { loaded } = await watched(file, { onReload: onReload as () => void });
    file.write(version("two", deny));
    expect(await loaded.reload()).toMatchObject({ status: "reloaded" });
  });

  it("P5 needs somebody to tell, and refuses what is no option", async () => {
    const { path } = guardYaml(version("one", allow));
    const code = (options: object) =>
      watchGuardFile(path, options as never).catch((error) => error.code);
    expect(await code({})).toBe("ERR_INVALID_OPTION");
    expect(await code({ onReload: () => {}, interval: 5 })).toBe("ERR_UNKNOWN_OPTION");
    expect(await code({ onReload: () => {}, intervalMs: 0 })).toBe("ERR_INVALID_OPTION");
    expect(await code({ onReload: () => {}, intervalMs: 2 ** 31 })).toBe("ERR_INVALID_OPTION");
  });
});

describe("a watched file is looked at", () => {
  /** What is told next; and a clock whose every look is waited for. */
  async function looking(file: TestFile) {
    const clock = fakeClock();
    const told: ((event: GuardFileEvent) => void)[] = [];
    const next = () => new Promise<GuardFileEvent>((resolve) => told.push(resolve));
    const onReload = (event: GuardFileEvent) => told.shift()?.(event);
    await watched(file, { onReload, clock, intervalMs: 1_000 });
    const look = async (): Promise<void> => {
      clock.advance(1_000);
      // Reading a file ends outside of this clock; the next look is set when it is over.
      while (clock.waiting() === 0) await new Promise((resolve) => setImmediate(resolve));
    };
    return { look, next };
  }

  it("again and again, and taken once it holds still", async () => {
    const file = guardYaml(version("one", allow));
    const { look, next } = await looking(file);
    await look();
    const event = next();
    let isTold = false;
    void event.then(() => (isTold = true));
    file.write(version("two", ""));
    await look();
    file.write(version("two", deny));
    await look();
    expect(isTold).toBe(false);
    await look();
    expect(await event).toEqual({ status: "reloaded", policyVersion: "two" });
  });

  it("with the file of its tools", async () => {
    const tools = (names: string[]) => names.map((name) => ({ name }));
    const file = guardYaml(`version: 1\nguards:\n${allow}    tools: [search]\ntools: ./t.json\n`, {
      "t.json": tools(["search"]),
    });
    const { look, next } = await looking(file);
    await look();
    await look();
    const event = next();
    const { writeFileSync } = await import("node:fs");
    writeFileSync(file.path.replace("guard.yaml", "t.json"), JSON.stringify(tools(["find"])));
    await look();
    await look();
    expect(await event).toMatchObject({
      status: "refused",
      error: { message: expect.stringContaining("no tool 'search' is declared") },
    });
  });

  it("and tells once of a file that is wrong", async () => {
    const file = guardYaml(version("one", allow));
    const { look, next } = await looking(file);
    const first = next();
    file.write("version: 3");
    await look();
    await look();
    expect(await first).toMatchObject({ status: "refused" });
    const second = next();
    await look();
    await look();
    file.write(version("two", allow));
    await look();
    await look();
    expect(await second).toMatchObject({ status: "reloaded" });
  });
});
