import { chain, ToolRunner, tool } from "@toolstile/core";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type GuardFileEvent,
  type WatchGuardFileOptions,
  watchGuardFile,
} from "../../src/index.js";
import { guardYaml, type TestFile } from "./guard-yaml.js";

async function watched({ path }: TestFile, options: Partial<WatchGuardFileOptions> = {}) {
  const events: GuardFileEvent[] = [];
  const onReload = (event: GuardFileEvent) => void events.push(event);
  const intervalMs = Number.POSITIVE_INFINITY;
  const file = await watchGuardFile(path, { intervalMs, onReload, ...options });
  onTestFinished(() => file.close());
  return { file, events };
}

const entry = (name: string, more = "") =>
  `  - use: ./limit.mjs\n    with: { name: ${name}, limit: 1${more} }\n`;
const many = (count: number, change: (at: number) => string | undefined = () => undefined) =>
  `version: 1\nguards:\n${Array.from({ length: count }, (_, at) => change(at) ?? entry(`g${at}`)).join("")}`;

describe("a guard.yaml of many guards", () => {
  it("is loaded with more values than a text that is read at once", { tags: "long" }, async () => {
    const { file } = await watched(guardYaml(many(2_500)));
    expect(file.guards).toHaveLength(2_500);
    expect(file.guards[2_499]).toMatchObject({ name: "g2499", path: "guards[2499]", line: 5_001 });
  });

  it("imports each plugin once for a reading, and makes only what has changed", async () => {
    const imports: string[] = [];
    let checks = 0;
    const made: unknown[] = [];
    const plugin = {
      name: "counted",
      optionsSchema: { type: "object" },
      create: (options: { readonly name: string }) => {
        made.push(options.name);
        return { name: options.name, evaluate: () => ({ decision: "allow" }) };
      },
    };
    const counted = {
      get plugin() {
        checks++;
        return plugin;
      },
    };
    const named = (name: string) => `  - use: counted\n    with: { name: ${name} }\n`;
    const text = (change?: string) =>
      many(100, (at) => named(at === 40 && change !== undefined ? change : `g${at}`));
    const yaml = guardYaml(text());
    const importModule = async (name: string) => {
      imports.push(name);
      return counted;
    };
    const { file, events } = await watched(yaml, { import: importModule });
    const before = file.guards.map(({ guardrail }) => guardrail);
    yaml.write(text("new"));
    await file.reload();
    expect(events).toMatchObject([{ status: "reloaded" }]);
    expect([imports, checks]).toEqual([["counted", "counted"], 2]);
    expect(made.slice(100)).toEqual(["new"]);
    expect(file.guards.filter(({ guardrail }) => !before.includes(guardrail))).toMatchObject([
      { name: "new", path: "guards[40]" },
    ]);
  });

  it("P14 says the new places of guards that stay, and keeps their counts", async () => {
    const yaml = guardYaml(many(3));
    const { file } = await watched(yaml);
    const runner = new ToolRunner({
      tools: [tool({ name: "search", execute: () => "found" })],
      ...file.runnerOptions(),
    });
    const run = () => runner.run({ name: "search", arguments: {} });
    expect((await run()).status).toBe("executed");
    yaml.write(
      `# a comment\n${many(3, (at) => (at === 0 ? entry("first") + entry("g0") : undefined))}`,
    );
    expect(await file.reload()).toMatchObject({ status: "reloaded" });
    expect(file.guards.map(({ name, path, line }) => [name, path, line])).toEqual([
      ["first", "guards[0]", 4],
      ["g0", "guards[1]", 6],
      ["g1", "guards[2]", 8],
      ["g2", "guards[3]", 10],
    ]);
    expect(await run()).toMatchObject({ status: "denied", decidedBy: "g0" });
  });

  it("P5 tells a fault of one entry in its place, and keeps the guards that were", async () => {
    const yaml = guardYaml(many(50));
    const { file, events } = await watched(yaml);
    yaml.write(many(50, (at) => (at === 30 ? entry("g30", ", limmit: 2") : undefined)));
    expect(await file.reload()).toMatchObject({ status: "refused" });
    expect(events).toMatchObject([
      { error: { faults: [{ line: 64, path: "guards[30].with.limmit" }] } },
    ]);
    expect(file.guards[30]).toMatchObject({ name: "g30" });
  });

  it("looks again at an entry whose variable has another value", async () => {
    const env = { NAME: "one", MORE: "1" };
    const yaml = guardYaml(
      many(2, (at) => (at === 1 ? entry(`"${["$", "{env:NAME}"].join("")}"`) : undefined)),
    );
    const { file } = await watched(yaml, { env });
    env.NAME = "two";
    expect(await file.reload()).toMatchObject({ status: "reloaded" });
    expect(file.guards.map(({ name }) => name)).toEqual(["g0", "two"]);
  });

  it("P5 checks an entry anew where its plugin is another, or it stands among observers", async () => {
    const yaml = guardYaml(many(2));
    const { file, events } = await watched(yaml);
    yaml.write(`${many(2)}observers:\n${entry("g0")}`);
    expect(await file.reload()).toMatchObject({ status: "refused" });
    expect(events).toMatchObject([{ error: { faults: [{ path: "observers" }] } }]);
  });

  it("P5 refuses two guards of one name inside of what plugins composed", async () => {
    const inner = { name: "inner", evaluate: () => ({ decision: "allow" as const }) };
    const modules = new Map(
      ["one", "two"].map((name) => [
        name,
        { plugin: { name, optionsSchema: {}, create: () => chain([inner], { name }) } },
      ]),
    );
    const yaml = guardYaml("version: 1\nguards:\n  - use: one\n");
    const { file } = await watched(yaml, { import: async (name) => modules.get(name) });
    yaml.write("version: 1\nguards:\n  - use: one\n  - use: two\n");
    expect(await file.reload()).toMatchObject({
      status: "refused",
      error: {
        faults: [{ path: "", message: expect.stringMatching(/^Two guardrails are named 'inner'/) }],
      },
    });
    expect(file.guards).toHaveLength(1);
  });
});
