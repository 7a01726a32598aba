import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { approvals, fileStore } from "@toolstile/approval";
import type { ApprovalQuestion } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { approvalsCommand } from "../src/approvals/approvals.js";
import { main } from "../src/main.js";
import { UsageError } from "../src/terminal/command-line.js";
import { type CapturedTerminalOptions, capturedTerminal } from "./captured-terminal.js";
import { temporaryFolder } from "./temporary-folder.js";

const { signal } = new AbortController();
let runs = 0;

/** A clock that moves when told. Nothing here waits for a timer. */
function movedClock() {
  let time = 0;
  return {
    now: () => time,
    setTimeout: () => undefined,
    clearTimeout: () => {},
    advance: (ms: number) => {
      time += ms;
    },
  };
}

function question(changes: Partial<ApprovalQuestion> = {}): ApprovalQuestion {
  const number = ++runs;
  return {
    runId: `run-${number}`,
    callId: `call-${number}`,
    toolName: "transfer",
    requestedName: "transfer",
    runnerAgents: [],
    context: { sessionId: "s1", principal: "ann" },
    args: { to: "Bob\u202e", amount: 9999 },
    askedArgs: { to: "Bob\u202e", amount: 9999 },
    provider: "limits",
    code: "over_limit",
    reason: "above 100",
    approval: { summary: "Pay \u001b[2JBob" },
    ...changes,
  };
}

/** A folder of approvals with an agent that asks, and the command beside it. */
async function office(terminalOptions: CapturedTerminalOptions = {}) {
  const folder = temporaryFolder().path;
  const clock = movedClock();
  const agent = approvals({ store: fileStore(folder), clock });
  const input = Object.assign(new PassThrough(), { isTTY: false });
  const command = approvalsCommand({
    input: () => input,
    folder,
    user: () => "operator",
    clock,
  });
  async function pending(changes: Partial<ApprovalQuestion> = {}) {
    const asked = question(changes);
    const answer = await agent.ask(asked, { signal });
    if (answer.decision !== "pending") throw new Error("not pending");
    return { id: answer.approvalId, consume: () => agent.consume(answer.approvalId, asked) };
  }
  async function asked(...argv: string[]) {
    const terminal = capturedTerminal(terminalOptions);
    const code = await command.run(argv, terminal);
    return { code, ...terminal.written() };
  }
  const run = (...argv: string[]) => asked(...argv, "--store", folder);
  return { folder, clock, agent, input, pending, asked, run };
}

describe("toolstile approvals", () => {
  it("lists what is pending, those that are alike on one line, and nothing a terminal obeys", async () => {
    const { run, pending } = await office();
    expect(await run("list")).toEqual({
      code: 0,
      out: "Nothing waits for an approval.\n",
      err: "",
    });
    const { id } = await pending();
    await pending();
    const other = await pending({ args: {} });
    const { code, out } = await run("list");
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n")).toHaveLength(4);
    expect(out).toMatch(
      new RegExp(
        `(${id}|0[0-9a-z-]+) +pending +transfer +ann +s1 +2 +15 min +Pay \\\\u\\{1b\\}\\[2JBob +\\{"amount":9999,"to":"Bob\\\\u\\{202e\\}"\\}\\n`,
      ),
    );
    expect(out).toContain(other.id);
    expect(out).not.toMatch(/[^\P{Cc}\n]/u);
    const { approvals: listed } = JSON.parse((await run("list", "--json")).out);
    expect(listed).toHaveLength(3);
    expect(listed[0]).toMatchObject({ state: "pending", question: { toolName: "transfer" } });
  });

  it("lists each argument, long texts cut, so that one cannot hide another", async () => {
    const { run, pending } = await office();
    const args = { note: "x".repeat(1_000), to: ["eve"], amount: 9_999 };
    await pending({ args, context: { sessionId: "s".repeat(100) } });
    const { out } = await run("list");
    expect(out).toContain(`  {"amount":9999,"note":"${"x".repeat(24)}"…,"to":["eve"]}\n`);
    expect(out).toContain(`  ${"s".repeat(20)}…  `);
    const many = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`n${index}`, index]));
    await pending({ args: many });
    expect((await run("list")).out).toMatch(/ {2}\{"n0":0,"n1":1,.{90,110},… 85 more\}$/m);
    const { approvals: whole } = JSON.parse((await run("list", "--json")).out);
    const listed = whole.map((each: { question: ApprovalQuestion }) => each.question.args);
    expect(listed).toEqual(expect.arrayContaining([args, many]));
  });

  it("shows one in full, as it can be seen", async () => {
    const { run, pending } = await office();
    const { id } = await pending();
    const { code, out } = await run("show", id);
    expect(code).toBe(0);
    expect(out).toContain('"to": "Bob\\u{202e}"');
    expect(out).toContain('session:         "s1"');
    expect(JSON.parse((await run("show", id, "--json")).out)).toMatchObject({
      id,
      state: "pending",
    });
  });

  it("shows who refused one, and why", async () => {
    const { run, pending } = await office();
    const { id } = await pending();
    await run("deny", id, "--yes", "--by", "ann", "--reason", "not this month, Zo\u0308e");
    const { out } = await run("show", id);
    expect(out).toContain("state:           denied, answered by ann\n");
    expect(out).toContain("answer's reason: not this month, Zo\\u{308}e\n");
  });

  it("P9 approves each run that waits for just the same, and says who did", async () => {
    const { run, pending, agent } = await office();
    const alike = [await pending(), await pending()] as const;
    const other = await pending({ args: {} });
    const { code, out } = await run("approve", alike[0].id, "--yes", "--by", "ann");
    expect(code).toBe(0);
    expect(out).toBe(`approved by ann: ${alike[0].id}\napproved by ann: ${alike[1].id}\n`);
    const { records } = await agent.list();
    expect(records.filter(({ answer }) => answer?.by === "ann")).toHaveLength(2);
    for (const each of alike)
      expect([await each.consume(), await each.consume()]).toEqual([{ by: "ann" }, false]);
    expect(await other.consume()).toBe(false);
  });

  it("P9 answers one run only on request, by the user who is logged in", async () => {
    const { run, pending } = await office();
    const [one, other] = [await pending(), await pending()];
    const { out } = await run("approve", one.id, "--yes", "--only", "--json");
    expect(JSON.parse(out)).toEqual({ decision: "approved", by: "operator", answered: [one.id] });
    expect([await one.consume(), await other.consume()]).toEqual([{ by: "operator" }, false]);
  });

  it("denies, with a reason, for good", async () => {
    const { run, pending } = await office();
    const { id, consume } = await pending();
    expect((await run("deny", id, "--yes", "--reason", "not today")).code).toBe(0);
    const again = await run("approve", id, "--yes");
    expect([again.code, again.out]).toEqual([1, ""]);
    expect(again.err).toContain("is denied");
    expect(await consume()).toBe(false);
  });

  it.each<[string, (code: string) => string, number]>([
    ["the code that is shown", (code) => `${code}\n`, 0],
    ["that code in capitals", (code) => `${code.toUpperCase()} \n`, 0],
    ["y", () => "y\n", 1],
    ["yes", () => "yes\n", 1],
    ["a y before the code", (code) => `y${code}\n`, 1],
    ["nothing", () => "\n", 1],
    ["the end of the input", () => "", 1],
  ])(
    "P9 approves at a terminal by the code, and takes %s for what it is",
    async (_, typed, code) => {
      const onError = (shown: string): void => {
        const [, given] = /To approve this run, type (\w{4}): $/.exec(shown) ?? [];
        if (given !== undefined) input.end(typed(given));
      };
      const { run, pending, input } = await office({ onError });
      const { id, consume } = await pending();
      input.isTTY = true;
      expect((await run("approve", id)).code).toBe(code);
      expect((await consume()) !== false).toBe(code === 0);
    },
  );

  it("P9 approves nothing by a y that was typed before the question was shown", async () => {
    const { run, pending, input } = await office();
    const { id, consume } = await pending();
    input.isTTY = true;
    input.end("y\n");
    expect((await run("approve", id)).code).toBe(1);
    expect(await consume()).toBe(false);
  });

  it.each([
    ["y\n", 0],
    ["n\n", 1],
    ["yep\n", 1],
    ["", 1],
  ])("asks at a terminal whether a no is meant: %j", async (typed, code) => {
    const { run, pending, input } = await office();
    const { id } = await pending();
    input.isTTY = true;
    input.end(typed);
    const answered = await run("deny", id);
    expect(answered.code).toBe(code);
    expect(answered.err).toContain("Deny this run? [y/n] ");
  });

  it("P9 approves nothing that has expired, was answered, or is damaged", async () => {
    const { run, pending, clock, folder } = await office();
    const [damaged, answered, late] = [
      await pending(),
      await pending({ args: {} }),
      await pending({ args: { n: 1 } }),
    ];
    writeFileSync(`${folder}/${damaged.id}.asked`, "{}");
    expect(await run("approve", damaged.id, "--yes")).toMatchObject({ code: 1, out: "" });
    const list = await run("list");
    expect(list.code).toBe(1);
    expect(list.err).toContain(`'${damaged.id}' is damaged, and counts as denied`);
    await run("approve", answered.id, "--yes");
    expect((await run("approve", answered.id, "--yes")).err).toContain("is approved: it takes no");
    clock.advance(900_000);
    expect((await run("approve", late.id, "--yes")).err).toContain("is expired: it takes no");
    for (const each of [damaged, answered, late]) expect(await each.consume()).toBe(false);
  });

  it.each([
    [[], "Say what to do: list, show, approve, deny."],
    [["aprove"], "There is no action 'aprove'. Did you mean 'approve'?"],
    [["approve"], "Name the approval to approve, by its id."],
    [["approve", "a", "b"], "One approval at a time."],
    [["list", "a"], "list takes no id."],
    [["list", "--yes"], "--yes does not go with list."],
    [["approve", "a", "--reason", "x"], "--reason does not go with approve."],
    [["list", "--database", "x"], "Say where approvals are kept"],
    [["list", "--table", "x"], "--table goes with --database."],
  ])("refuses %j, and says what is right", async (argv, message) => {
    const { run } = await office();
    await expect(run(...argv)).rejects.toThrow(UsageError);
    await expect(run(...argv)).rejects.toThrow(message);
  });

  it("refuses to answer without a terminal or --yes, and a name that is none", async () => {
    const { run, pending } = await office();
    const { id, consume } = await pending();
    await expect(run("approve", id)).rejects.toThrow(
      "A terminal is needed to ask at, and there is none. Pass --yes",
    );
    await expect(run("approve", id, "--yes", "--by", "a\nb")).rejects.toThrow("--by takes a name");
    expect(await consume()).toBe(false);
  });

  it("makes no store where there is none, and ends with 2", async () => {
    const { path, at } = temporaryFolder();
    for (const store of [at("none"), path]) {
      const terminal = capturedTerminal();
      expect(await main(["approvals", "list", "--store", store], terminal)).toBe(2);
      expect(terminal.written().err).toMatch(/folder of approvals|key file/);
    }
    expect(readdirSync(path)).toEqual([]);
  });

  it("says how to get pg where none can be loaded, and repeats no address", async () => {
    const { path } = temporaryFolder();
    mkdirSync(`${path}/node_modules/pg`, { recursive: true });
    writeFileSync(`${path}/node_modules/pg/index.js`, "throw new Error('half installed')");
    const clock = movedClock();
    const command = approvalsCommand({
      input: () => new PassThrough(),
      folder: path,
      user: () => "operator",
      clock,
    });
    const terminal = capturedTerminal();
    const url = "postgres://ann:hunter2@127.0.0.1:1/none";
    expect(await command.run(["list", "--database", url], terminal)).toBe(2);
    expect(terminal.written().err).toContain("npm install pg");
    expect(terminal.written().err).not.toContain("hunter2");
  });

  it("colours for terminals only, and not with NO_COLOR", async () => {
    for (const [environment, coloured] of [
      [{}, true],
      [{ NO_COLOR: "1" }, false],
    ] as const) {
      const { run, pending } = await office({ isTTY: true, environment });
      const { id } = await pending();
      const { out } = await run("approve", id, "--yes");
      expect(out.includes("\u001b[32m")).toBe(coloured);
    }
  });

  it("explains itself with its exit codes and an example, in 80 columns", async () => {
    const terminal = capturedTerminal();
    expect(await main(["approvals", "--help"], terminal)).toBe(0);
    const { out } = terminal.written();
    expect(out).toMatch(/^Usage: toolstile approvals/);
    expect(out).toContain("Exit codes:");
    expect(out).toContain("Example:\n  toolstile approvals");
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe("toolstile approvals --config", () => {
  it("P9 answers in the folder of the guard.yaml's approver, for those whom it names", async () => {
    const { folder, pending, asked } = await office();
    const { id } = await pending();
    const config = temporaryFolder().file(
      "guard.yaml",
      `version: 1\nguards: []\napprover:\n  use: "@toolstile/approval"\n  with: { folder: { path: ${JSON.stringify(folder)} }, approvers: [ann] }\n`,
    );
    const given = ["--config", config];
    expect((await asked("list", ...given)).out).toContain(id);
    const eve = asked("approve", id, ...given, "--by", "eve", "--yes");
    await expect(eve).rejects.toThrow("'eve' may not answer");
    await expect(eve).rejects.toThrow(UsageError);
    expect((await asked("approve", id, ...given, "--by", "ann", "--yes")).code).toBe(0);
  });

  it.each([
    ["", "names no approver"],
    ["approver: { use: ./own.js }\n", "has the approver './own.js'"],
  ])("P5 refuses a guard.yaml with %j", async (text, message) => {
    const { asked } = await office();
    const config = temporaryFolder().file("guard.yaml", `version: 1\nguards: []\n${text}`);
    await expect(asked("list", "--config", config)).rejects.toThrow(message);
  });

  it.each([
    ["--store", "x"],
    ["--database", "x"],
    ["--key", "x"],
    ["--table", "x"],
  ])("P5 refuses %s beside it", async (...more) => {
    const { asked } = await office();
    await expect(asked("list", "--config", "guard.yaml", ...more)).rejects.toThrow(UsageError);
  });
});
