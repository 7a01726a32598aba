import { type CallRecord, ToolRunner, tool } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { type GuardFile, inspectGuardFile, loadGuardFile } from "../../src/index.js";
import { guardYaml } from "./guard-yaml.js";

const tools = [
  tool({ name: "search", execute: () => "found" }),
  tool({ name: "delete", execute: () => "gone" }),
];
const request = (name: string) => ({ name, arguments: {} });
const runnerOn = (file: GuardFile) => new ToolRunner({ tools, ...file.runnerOptions() });

/** What becomes of a call to a tool, by a runner on a guard.yaml. */
async function outcome(text: string, toolName = "search", agentName?: string) {
  await using file = await loadGuardFile(guardYaml(text).path);
  return runnerOn(file).run(request(toolName), agentName === undefined ? {} : { agentName });
}

describe("loadGuardFile", () => {
  it("asks the guards in the order in which they stand", async () => {
    const { decisions } = await outcome(`
version: 1
guards:
  - { use: ./allow.mjs, with: { name: b } }
  - { use: ./allow.mjs, with: { name: a } }
`);
    expect(decisions.map(({ provider }) => provider)).toEqual(["b", "a"]);
  });

  it("says of each guard where it stands and what its entry says", async () => {
    const { path } = guardYaml(`version: 1
guards:
  - use: ./allow.mjs
    tools: [search]
agents:
  support:
    guards:
      - use: ./deny.mjs
        mode: shadow
        failOpen: true
`);
    await using file = await loadGuardFile(path);
    expect(file.guards).toMatchObject([
      { name: "allow", path: "guards[0]", line: 3, column: 5, tools: ["search"], mode: "enforce" },
      {
        name: "deny",
        use: "./deny.mjs",
        path: "agents.support.guards[0]",
        line: 8,
        agent: "support",
        mode: "shadow",
        failOpen: true,
      },
    ]);
    expect(file.agents).toEqual(["support"]);
  });

  it("P3 denies every call where no guard is named", async () => {
    expect(await outcome("version: 1\nguards: []\n")).toMatchObject({ basis: "no_provider" });
  });

  it("asks a guard with tools about calls to these only", async () => {
    const text = `
version: 1
guards:
  - use: ./allow.mjs
  - use: ./deny.mjs
    tools: [delete]
`;
    expect((await outcome(text, "search")).status).toBe("executed");
    expect(await outcome(text, "delete")).toMatchObject({ status: "denied", decidedBy: "deny" });
  });

  it("P5 refuses a runner that has no tool of a guard's tools", async () => {
    const { path } = guardYaml("version: 1\nguards: [{ use: ./allow.mjs, tools: [serch] }]\n");
    await using file = await loadGuardFile(path);
    expect(() => runnerOn(file)).toThrow("Did you mean 'search'?");
  });

  it("records what a guard in shadow would have done, and does nothing of it", async () => {
    const { status, decisions } = await outcome(`
version: 1
guards:
  - use: ./allow.mjs
  - use: ./deny.mjs
    mode: shadow
`);
    expect(status).toBe("executed");
    expect(decisions).toContainEqual(expect.objectContaining({ decision: "deny", mode: "shadow" }));
  });

  it("P3 does not count a guard in shadow as having judged a call", async () => {
    const text = "version: 1\nguards: [{ use: ./allow.mjs, mode: shadow }]\n";
    expect(await outcome(text)).toMatchObject({ status: "denied", basis: "no_provider" });
  });

  it("runs everything where the whole file is in shadow, but for a guard that says enforce", async () => {
    const text = `
version: 1
mode: shadow
guards:
  - use: ./deny.mjs
  - use: ./deny.mjs
    with: { name: strict }
    mode: enforce
    tools: [delete]
`;
    expect((await outcome(text, "search")).status).toBe("executed");
    expect(await outcome(text, "delete")).toMatchObject({ decidedBy: "strict" });
  });

  it("takes on tools whose arguments nobody checks where the whole file is in shadow, and only there", async () => {
    const parameters = { type: "object", properties: { q: { type: "string" } } } as const;
    const declared = [tool({ name: "search", parameters, execute: () => "found" })];
    const build = async (mode: string) => {
      const { path } = guardYaml(`version: 1\nmode: ${mode}\nguards: [{ use: ./allow.mjs }]\n`);
      await using file = await loadGuardFile(path);
      return new ToolRunner({ tools: declared, ...file.runnerOptions() }).run(request("search"));
    };
    expect((await build("shadow")).status).toBe("executed");
    await expect(build("enforce")).rejects.toThrow("no guardrail checks its arguments");
  });

  it("P1 denies where a guard fails, and allows where its entry says failOpen", async () => {
    const guards = (failOpen: string) =>
      `version: 1\nguards: [{ use: ./allow.mjs }, { use: ./fail.mjs, failOpen: ${failOpen} }]\n`;
    expect(await outcome(guards("false"))).toMatchObject({ status: "denied", basis: "error" });
    const opened = await outcome(guards("true"));
    expect(opened.status).toBe("executed");
    expect(opened.decisions).toContainEqual(expect.objectContaining({ mode: "fail-open" }));
  });

  it("P1 denies when an answer takes longer than timeoutMs", async () => {
    const late = "version: 1\nguards: [{ use: ./hang.mjs, timeoutMs: 1 }]\n";
    expect(await outcome(late)).toMatchObject({ status: "denied", basis: "timeout" });
  });

  it("tells the observers, with the policy version on each record", async () => {
    const yaml = guardYaml(`
version: 1
policyVersion: "2026-11"
guards: [{ use: ./allow.mjs }]
observers: [{ use: ./record.mjs, with: { path: here } }]
`);
    const file = await loadGuardFile(yaml.path);
    await runnerOn(file).run(request("search"));
    const log = await yaml.log("record.mjs");
    expect((log[1] as CallRecord).policyVersion).toBe("2026-11");
    await file.close();
    expect([log[0], log[2]]).toEqual(["opened here", "closed record"]);
  });

  it("leaves closing to the file, and closes everything once", async () => {
    const yaml = guardYaml(`
version: 1
guards: [{ use: ./allow.mjs }]
observers: [{ use: ./record.mjs, with: { path: here } }]
`);
    const file = await loadGuardFile(yaml.path);
    const [one, two] = [runnerOn(file), runnerOn(file)];
    await one.close();
    expect((await two.run(request("search"))).status).toBe("executed");
    await two.close();
    expect(await yaml.log("allow.mjs")).not.toContain("closed allow");
    await file.close();
    await file.close();
    const closed = [...(await yaml.log("allow.mjs")), ...(await yaml.log("record.mjs"))].filter(
      (entry) => String(entry).startsWith("closed"),
    );
    expect(closed).toEqual(["closed allow", "closed record"]);
  });

  it("closes what it made where a later part cannot be", async () => {
    const yaml = guardYaml(`
version: 1
guards: [{ use: ./allow.mjs }]
observers: [{ use: ./record.mjs, with: { path: a } }, { use: ./record.mjs, with: { path: b } }]
`);
    await expect(loadGuardFile(yaml.path)).rejects.toThrow("a second one named 'record'");
    expect(await yaml.log("allow.mjs")).toContain("closed allow");
    expect(await yaml.log("record.mjs")).toEqual([
      "opened a",
      "opened b",
      "closed record",
      "closed record",
    ]);
  });

  it("tells what is wrong, also where what was made cannot be closed", async () => {
    const { path } = guardYaml(
      `version: 1\nguards: [{ use: ./stuck.mjs }, { use: ./stuck.mjs }]\n`,
      {
        "stuck.mjs": `export const plugin = { name: "stuck", optionsSchema: {}, create: () => ({
          name: "stuck", evaluate() {}, close() { throw new Error("no"); } }) };`,
      },
    );
    await expect(loadGuardFile(path)).rejects.toThrow("a second one named 'stuck'");
  });

  it("P8 takes no member of an observer from a polluted prototype", async () => {
    const planting = `export const plugin = { name: "plain", optionsSchema: {}, create() {
      Object.prototype.intent = () => { throw new Error("planted"); };
      Object.prototype.required = true;
      return { name: "plain", settle() {} };
    } };`;
    const { path } = guardYaml(
      "version: 1\nguards: [{ use: ./allow.mjs }]\nobservers: [{ use: ./plain.mjs }]\n",
      { "plain.mjs": planting },
    );
    const root = Object.prototype as { required?: boolean; intent?: () => void };
    const file = await loadGuardFile(path).finally(() => {
      delete root.required;
      delete root.intent;
    });
    const [observer] = file.observers;
    expect([observer?.required, observer?.intent]).toEqual([undefined, undefined]);
    await file.close();
  });

  it("makes nothing of a file that has a fault anywhere", async () => {
    const yaml = guardYaml(`
version: 1
guards: [{ use: ./allow.mjs }, { use: ./allow.mjs, with: { nmae: x } }]
observers: [{ use: ./record.mjs }]
`);
    await expect(loadGuardFile(yaml.path)).rejects.toThrow("there is no option 'nmae'");
    expect(await yaml.log("allow.mjs")).toEqual([]);
    expect(await yaml.log("record.mjs")).toEqual([]);
  });

  it("is JSON as well", async () => {
    const json = JSON.stringify({ version: 1, guards: [{ use: "./allow.mjs" }] }, null, "\t");
    expect((await outcome(json)).status).toBe("executed");
  });
});

describe("inspectGuardFile", () => {
  it("gives the guards, and opens no observer", async () => {
    const yaml = guardYaml(`
version: 1
guards: [{ use: ./allow.mjs }]
observers: [{ use: ./record.mjs, with: { path: here } }]
`);
    const file = await inspectGuardFile(yaml.path);
    expect(file.guards.map(({ name }) => name)).toEqual(["allow"]);
    await file.close();
    expect(await yaml.log("allow.mjs")).toContain("closed allow");
    expect(await yaml.log("record.mjs")).toEqual([]);
  });

  it("uses the plugin that is given in place of one that was found, and names the approver", async () => {
    const yaml = guardYaml(
      "version: 1\nguards: [{ use: ./allow.mjs }]\napprover: { use: ./ask.mjs }\n",
    );
    const asked: string[] = [];
    const file = await inspectGuardFile(yaml.path, {
      replacePlugin: (use, plugin) => {
        asked.push(use);
        if (use !== "./allow.mjs") return plugin;
        const other = { name: "other", evaluate: () => ({ decision: "allow" as const }) };
        return { name: "other", optionsSchema: { type: "object" }, create: () => other };
      },
    });
    expect(file.guards.map(({ name }) => name)).toEqual(["other"]);
    expect(asked).toEqual(["./allow.mjs", "./ask.mjs"]);
    expect(file.approverUse).toBe("./ask.mjs");
    await file.close();
  });

  it("P5 finds what is wrong with the options of an observer", async () => {
    const { path } = guardYaml(`
version: 1
guards: []
observers: [{ use: ./record.mjs, with: { pth: here } }]
`);
    await expect(inspectGuardFile(path)).rejects.toThrow("Did you mean 'path'?");
  });
});

describe("the guards of an agent", () => {
  const text = `
version: 1
guards: [{ use: ./allow.mjs }]
agents:
  support: { guards: [{ use: ./deny.mjs, with: { name: s }, tools: [delete] }] }
  clerk: { guards: [{ use: ./deny.mjs, with: { name: c }, tools: [search] }] }
`;

  it("have a say about its calls, and not about those of others", async () => {
    expect(await outcome(text, "delete", "support")).toMatchObject({ decidedBy: "s" });
    expect((await outcome(text, "search", "support")).status).toBe("executed");
    expect((await outcome(text, "delete", "boss")).status).toBe("executed");
  });

  it("all have a say about a call that names no agent: it may be any one's", async () => {
    expect(await outcome(text, "delete")).toMatchObject({ decidedBy: "s" });
    expect(await outcome(text, "search")).toMatchObject({ decidedBy: "c" });
    expect(await outcome(text, "search", "")).toMatchObject({ decidedBy: "c" });
  });

  it("are asked for the runner of an agent, without being given to it", async () => {
    await using file = await loadGuardFile(guardYaml(text).path);
    const agent = runnerOn(file).forAgent("support");
    expect(await agent.run(request("delete"))).toMatchObject({ decidedBy: "s" });
  });

  const own = `
version: 1
guards: [{ use: ./allow.mjs, tools: [search] }]
agents: { admin: { guards: [{ use: ./allow.mjs, with: { name: a } }] } }
`;

  it("P3 are not enough for a call that names no agent", async () => {
    expect((await outcome(own, "delete", "admin")).status).toBe("executed");
    expect(await outcome(own, "delete")).toMatchObject({ decidedBy: "agents", code: "no_agent" });
    expect(await outcome(own, "delete", "other")).toMatchObject({ basis: "no_provider" });
    expect((await outcome(own, "search")).status).toBe("executed");
  });

  it("P8 are those of an agent called constructor only where the file says so", async () => {
    expect((await outcome(text, "delete", "constructor")).status).toBe("executed");
    const named = text.replace("support:", "constructor:");
    expect(await outcome(named, "delete", "constructor")).toMatchObject({ decidedBy: "s" });
  });
});

describe("P5 loadGuardFile() refuses", () => {
  it.each<[string, unknown[], string]>([
    ["no path", [undefined], "ERR_INVALID_OPTION"],
    ["an unknown option", ["guard.yaml", { environment: {} }], "ERR_UNKNOWN_OPTION"],
    ["an import that is no function", ["guard.yaml", { import: "x" }], "ERR_INVALID_OPTION"],
    ["an env that is no object", ["guard.yaml", { env: "x" }], "ERR_INVALID_OPTION"],
  ])("%s", async (_, given, code) => {
    await expect(loadGuardFile(...(given as [string]))).rejects.toMatchObject({ code });
  });
});
