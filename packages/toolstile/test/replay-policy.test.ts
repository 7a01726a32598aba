import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { main } from "../src/main.js";
import { capturedTerminal } from "./captured-terminal.js";
import { answer, asks, call, conversation, forecast, jsonl } from "./conversations.js";
import { folderWithPackages, packagesAreBuilt } from "./installed-packages.js";

const policy = `version: 1
guards:
  - use: "@toolstile/schema"
  - use: "@toolstile/rules"
    with:
      rules:
        - { id: much, tools: [water_bed], when: { at: /litres, above: 20, optional: true }, ask: a lot of water }
        - { id: roses, tools: [water_bed], when: { at: /bed, equals: roses }, deny: not the roses }
        - { id: again, tools: [water_bed], repeats: 2, deny: once more }
        - { id: short, tools: [water_bed], change: { at: /bed, trim: true } }
        - { id: long, cut: 200 }
        - { id: keys, when: { result: /text, contains: KEY }, withhold: a key }
  - use: "@toolstile/allowlist"
    mode: shadow
    with: { allow: [water_bed] }
`;

const water = (args: object, id: string) => call("water_bed", JSON.stringify(args), id);

/** Runs a replay with a policy, and gives what it printed; paths are without their folder. */
async function replay(
  conversations: readonly object[],
  options: readonly string[] = [],
  text = policy,
) {
  const folder = folderWithPackages();
  const config = folder.file("guard.yaml", text);
  const file = folder.file("day.jsonl", jsonl(...conversations));
  const terminal = capturedTerminal();
  const argv = options.map((option) =>
    option.startsWith("@") ? folder.at(option.slice(1)) : option,
  );
  const code = await main(["replay", file, "--config", config, ...argv], terminal);
  const { out, err } = terminal.written();
  const short = (each: string) => each.replaceAll(`${folder.path}/`, "");
  return { code, out: short(out), err: short(err), folder };
}

const day = [
  conversation([
    asks(water({ bed: "beans" }, "1"), water({ bed: "roses" }, "2")),
    answer("1"),
    answer("2"),
    asks(water({ bed: " peas ", litres: 30 }, "3")),
    answer("3"),
    asks(water({ litres: 1 }, "4")),
    answer("4"),
    asks(call("forecast", "{}", "5"), call("forecast", "{}", "6"), call("burn", "{}", "7")),
    answer("5", "x".repeat(500)),
    answer("6", "the KEY"),
    answer("7"),
  ]),
];

const row = ({ rule, code, tool, verdict, shadow, calls }: Record<string, unknown>) =>
  `${rule ?? code} ${tool} ${verdict}${shadow ? " (shadow)" : ""} ${calls}`;

describe.skipIf(!packagesAreBuilt)("toolstile replay with a guard.yaml", () => {
  it("counts by rule, tool and verdict what the policy would have done", async () => {
    const { code, out, err } = await replay(day, ["--json"]);
    expect([code, err]).toEqual([0, ""]);
    const { policy: head, total, files } = JSON.parse(out);
    expect(head).toMatchObject({ file: "guard.yaml", mode: "enforce" });
    expect(total.policy.verdicts).toEqual({ allow: 1, cut: 1, withhold: 1, ask: 1, deny: 3 });
    expect(total.policy.counts.map(row)).toEqual([
      "not_allowed burn deny (shadow) 1",
      "not_allowed forecast deny (shadow) 2",
      "not_found burn deny 1",
      "keys forecast withhold 1",
      "long forecast cut 1",
      "much water_bed ask 1",
      "roses water_bed deny 1",
      "short water_bed change 1",
      "schema water_bed deny 1",
    ]);
    expect(files[0].policy).toEqual(total.policy);
  });

  it("prints it as a table, after the findings, as docs/replay.md shows it", async () => {
    const { out } = await replay(day);
    const text = out.slice(out.indexOf("guard.yaml, "));
    const shown = readFileSync(new URL("../../../docs/replay.md", import.meta.url), "utf8");
    expect(shown).toContain(`\`\`\`text\n${text.replace(/[0-9a-f]{64}/, "…")}\`\`\``);
  });

  it("lists each call that it would have stopped, under the rule's id, and no other", async () => {
    const { folder, out } = await replay(day, ["--findings", "@findings.jsonl", "--json"]);
    const listed = readFileSync(folder.at("findings.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(
      listed.map(({ messageIndex, callIndex, code }) => [messageIndex, callIndex, code]),
    ).toEqual([
      [0, 1, "roses"],
      [3, 0, "much"],
      [5, 0, "schema"],
      [7, 1, "keys"],
      [7, 2, "not_found"],
    ]);
    expect(JSON.parse(out).total.codes).toEqual({
      keys: 1,
      much: 1,
      not_found: 1,
      roses: 1,
      schema: 1,
    });
  });

  it("counts a row of calls by conversation, and a call that was denied for none of them", async () => {
    const thrice = conversation(
      ["1", "2", "3"].flatMap((id) => [asks(water({ bed: "beans" }, id)), answer(id)]),
    );
    const { out } = await replay([thrice, thrice], ["--json"]);
    expect(JSON.parse(out).total.policy.verdicts).toEqual({ allow: 4, deny: 2 });
  });

  it("takes the tools of the guard.yaml for a conversation without tools, and else the names that it calls", async () => {
    const bare = conversation([asks(call("burn", "{}", "1"), call("dig", "{}", "2"))], []);
    const counts = async (text: string) => {
      const { out } = await replay([bare], ["--json"], text);
      return JSON.parse(out).total.policy.counts.map(row);
    };
    const rules = `version: 1
guards: [{ use: "@toolstile/rules", with: { unknownTools: ignore, rules: [{ id: no-fire, tools: [burn], deny: no }] } }]
`;
    expect(await counts(rules)).toEqual(["no-fire burn deny 1"]);
    expect(await counts(`${rules}tools: [{ name: burn }]\n`)).toEqual([
      "not_found dig deny 1",
      "no-fire burn deny 1",
    ]);
  });

  it("holds no recorded result against an outputSchema, and names the tools of which it was left out", async () => {
    const bare = conversation([asks(call("forecast", "{}", "1")), answer("1")], []);
    const schema = { type: "object", properties: { sun: { type: "boolean" } }, required: ["sun"] };
    const tools = ["forecast", "never_called"].map((name) => ({
      name,
      inputSchema: { type: "object" },
      outputSchema: schema,
    }));
    const guards = `version: 1\nguards: [{ use: "@toolstile/schema" }]\n`;
    const text = `${guards}tools: ${JSON.stringify(tools)}\n`;
    const { policy: head, total } = JSON.parse((await replay([bare], ["--json"], text)).out);
    expect(total.policy.verdicts).toEqual({ allow: 1 });
    expect(head.withoutOutputSchema).toEqual(["forecast"]);
    const note =
      "Results were not held against an outputSchema, since recorded ones have no structured content: forecast\n";
    expect((await replay([bare], [], text)).out).toContain(note);
    expect((await replay(day)).out).not.toContain("outputSchema");
    const saying = conversation([asks(call("forecast", "{}", "1")), answer("1")], tools);
    expect((await replay([saying], [], guards)).out).toContain(note);
  });

  it("refuses tools whose arguments no guard checks, unless that is meant", async () => {
    const text = `version: 1\nguards: [{ use: "@toolstile/allowlist", with: { allow: [water_bed] } }]\n`;
    const one = conversation([asks(water({ bed: "beans" }, "1")), answer("1")]);
    const verdicts = async (...options: string[]) =>
      JSON.parse((await replay([one], ["--json", ...options], text)).out).total.policy.verdicts;
    expect(await verdicts()).toEqual({ deny: 1 });
    expect(await verdicts("--unchecked")).toEqual({ allow: 1 });
  });

  it("asks the guards of the agent that it is told of", async () => {
    const text = `version: 1
guards: [{ use: "@toolstile/allowlist", with: { allow: [forecast] } }]
agents: { clerk: { guards: [{ use: "@toolstile/rules", with: { rules: [{ id: no, deny: no }] } }] } }
`;
    const one = conversation([asks(call("forecast", "{}", "1")), answer("1")], [forecast]);
    const { out } = await replay([one], ["--unchecked", "--json", "--agent", "clerk"], text);
    expect(JSON.parse(out).total.policy.verdicts).toEqual({ deny: 1 });
    const { code, err } = await replay([one], ["--agent", "clrek"], text);
    expect([code, err]).toEqual([2, expect.stringContaining("Did you mean 'clerk'?")]);
  });

  it("replays nothing with a guard.yaml that is wrong, and says each fault", async () => {
    const { code, out, err } = await replay(day, [], "version: 2\nguards: 3\n");
    expect([code, out]).toEqual([2, ""]);
    expect(err).toBe(
      "guard.yaml:1:1: version: must be 1\nguard.yaml:2:1: guards: must be a list of guards\n",
    );
  });

  it.each([
    [["--findings", "@guard.yaml"], "--findings would write over guard.yaml."],
    [["--audit", "@guard.yaml"], "guard.yaml"],
  ])("does not write over its guard.yaml: %j", async (options, message) => {
    const { code, err, folder } = await replay(day, options);
    expect(code).toBeGreaterThan(0);
    expect(err).toContain(message);
    expect(readFileSync(folder.at("guard.yaml"), "utf8")).toBe(policy);
  });

  it("records each call in the audit log that is asked for", async () => {
    const { folder, code } = await replay(day, ["--audit", "@audit.jsonl"]);
    const records = readFileSync(folder.at("audit.jsonl"), "utf8").trim().split("\n");
    expect(code).toBe(0);
    expect(records.filter((record) => record.includes('"roses"'))).toHaveLength(1);
    expect(records.filter((record) => record.includes('"requestedName":"forecast"'))).toHaveLength(
      2,
    );
  });

  it("does not take options of a policy without one", async () => {
    const terminal = capturedTerminal();
    expect(await main(["replay", "x.jsonl", "--unchecked"], terminal)).toBe(2);
    expect(terminal.written().err).toContain("--unchecked goes with --config.");
  });
});
