import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { main } from "../src/main.js";
import {
  decision,
  denied,
  noon,
  outcome,
  type RecordMembers,
  writeChain,
  writePayloads,
} from "./audit-folder.js";
import { type CapturedTerminalOptions, capturedTerminal } from "./captured-terminal.js";
import { temporaryFolder } from "./temporary-folder.js";

const hour = 3_600_000;

async function run(argv: readonly string[], options?: CapturedTerminalOptions) {
  const terminal = capturedTerminal(options);
  const code = await main(["audit", ...argv], terminal);
  return { code, ...terminal.written() };
}

function logOf(...records: readonly RecordMembers[]) {
  const { path } = temporaryFolder();
  writeChain(path, "aaaaaaaaaaaaaaaa", records);
  return path;
}

/** The run ids in what `--json` printed. */
function runIds(out: string) {
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { record: { runId: string } }).record.runId);
}

const intent = { kind: "intent", status: undefined, executed: undefined, modifiedBy: undefined };

const varied = [
  outcome("one", {
    session: { id: "anna", seq: 1 },
    principal: "anna@example.com",
    tenant: "acme",
  }),
  denied("two", "It is not on the list.", { time: noon + hour, toolName: "refund" }),
  outcome("three", {
    time: noon + 2 * hour,
    modifiedBy: ["limit-rows"],
    decisions: [decision("modify", { provider: "limit-rows", reason: "A limit was added." })],
  }),
  outcome("four", { time: noon + 3 * hour, ...intent }),
] as const;

describe("toolstile audit", () => {
  it("lists calls with who decided and why, in columns", async () => {
    const { code, out, err } = await run([logOf(...varied)]);
    expect([code, err]).toEqual([0, ""]);
    const [titles = "", , ...rows] = out.trimEnd().split("\n");
    expect(rows).toHaveLength(4);
    const cells = rows.map((row) => row.split(/ {2,}/));
    expect(cells.map(([, ...rest]) => rest)).toEqual([
      ["anna", "forecast", "executed"],
      ["refund", "denied", "allowlist", "not_allowed", "It is not on the list."],
      ["forecast", "executed", "limit-rows", "A limit was added."],
      ["forecast", "no_outcome"],
    ]);
    expect(rows[1]?.indexOf("It is not")).toBe(titles.indexOf("reason"));
    expect(rows[0]).toMatch(/^2026-11-28 12:00:00\.000 {2}/);
  });

  it("says of a call that an approval let run whose it was", async () => {
    const used = decision("allow", {
      provider: "approvals",
      phase: "admit",
      basis: "approval",
      reason: "approval 'a1' by 'bob'",
    });
    const { out } = await run([logOf(outcome("one", { decisions: [used] }))]);
    expect(out).toMatch(/executed {2,}approvals {2,}approval 'a1' by 'bob'/);
  });

  it("ends with 2 on a folder that is no log's, whatever is asked for", async () => {
    const { path } = temporaryFolder();
    for (const options of [[], ["--json"], ["--html", `${path}/page.html`], ["--run", "one"]]) {
      const { code, out, err } = await run([path, ...options]);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toBe(`${path}: there is no chain of an audit log in this folder\n`);
    }
  });

  it("says of a file what it may be, and how it is checked", async () => {
    const file = temporaryFolder().file("audit.jsonl", "{}\n");
    const { code, out, err } = await run([file]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`${file}: this is a file, and toolstile audit reads a folder`);
    expect(err).toContain("toolstile verify checks it");
  });

  it.each([
    [["--session", "anna"], ["one"]],
    [["--tool", "refund"], ["two"]],
    [["--decision", "modify"], ["three"]],
    [["--status", "denied"], ["two"]],
    [["--status", "no_outcome"], ["four"]],
    [["--provider", "limit-rows"], ["three"]],
    [["--code", "not_allowed", "--status", "denied"], ["two"]],
    [["--code", "not_allowed", "--decision", "allow"], []],
    [["--principal", "anna@example.com"], ["one"]],
    [["--tenant", "acme"], ["one"]],
    [
      ["--since", "2026-11-28T13:00Z"],
      ["two", "three", "four"],
    ],
    [["--since", "2026-11-28T13:00", "--until", "2026-11-28T14:00"], ["two"]],
    [
      ["--until", "2026-11-28T15:00+01:00"],
      ["one", "two"],
    ],
    [
      ["--limit", "2"],
      ["three", "four"],
    ],
    [["--run", "two"], ["two"]],
    [["--tool", "refund", "--session", "anna"], []],
  ])("shows with %j just those calls", async (options, expected) => {
    const { code, out } = await run([logOf(...varied), "--json", ...options]);
    expect([code, runIds(out)]).toEqual([0, expected]);
  });

  it("gives the reason of the decision that bound, not of a shadow's after it", async () => {
    const bound = decision("deny", { code: "not_allowed", reason: "It binds." });
    const shadow = decision("deny", { mode: "shadow", reason: "It does not." });
    const { out } = await run([logOf(denied("one", "", { decisions: [bound, shadow] }))]);
    expect(out).toContain("It binds.");
    expect(out).not.toContain("It does not.");
  });

  it("takes times as so long ago", async () => {
    const now = Date.now();
    const path = logOf(outcome("old", { time: now - 2 * hour }), outcome("new", { time: now }));
    expect(runIds((await run([path, "--json", "--since", "-1h"])).out)).toEqual(["new"]);
    expect(runIds((await run([path, "--json", "--until=-90m"])).out)).toEqual(["old"]);
  });

  it("shows a call once, and not as open when its outcome is later than asked for", async () => {
    const path = logOf(
      { ...outcome("one"), ...intent },
      outcome("one", { time: noon + hour }),
      outcome("two"),
    );
    expect(runIds((await run([path, "--json"])).out).sort()).toEqual(["one", "two"]);
    expect(runIds((await run([path, "--json", "--until", "2026-11-28T12:30Z"])).out)).toEqual([
      "two",
    ]);
  });

  it("says that no call is as asked, and where whole ids are", async () => {
    const { code, out, err } = await run([logOf(...varied), "--session", "ann"]);
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n")).toHaveLength(2);
    expect(err).toBe(
      "No such call was found. Names and ids are compared whole; --json prints them so.\n",
    );
  });

  it("says what it leaves out, and what the writers dropped", async () => {
    const calls = Array.from({ length: 105 }, (_, index) => outcome(`run-${index}`));
    const path = logOf(...calls, { kind: "gap", time: noon, dropped: 7 });
    const { out, err } = await run([path]);
    expect(out.trimEnd().split("\n")).toHaveLength(2 + 100);
    expect(err).toContain("The latest 100 calls are shown");
    expect(err).toContain("7 records were dropped");
  });

  it("prints the record as the log has it, and payloads only when asked to", async () => {
    const path = logOf(
      outcome("one", { payloads: { asked: { q: "tea" } } }),
      outcome("two", { salted: true }),
    );
    writePayloads(path, "aaaaaaaaaaaaaaaa", new Map([[4, { result: { content: "green" } }]]));
    const bare = await run([path, "--json"]);
    expect(bare.out).not.toMatch(/tea|green/);
    const { out } = await run([path, "--json", "--payloads"]);
    const [one, two] = out.split("\n", 2).map((line) => JSON.parse(line));
    const [, , written = ""] = readFileSync(join(path, one.file), "utf8").split("\n");
    const { payloads, ...record } = JSON.parse(written);
    expect(one).toEqual({
      chain: "aaaaaaaaaaaaaaaa",
      file: join("aaaaaaaaaaaaaaaa", "00000001.jsonl"),
      line: 3,
      record,
      payloads,
    });
    expect(two.payloads).toEqual({ result: { content: "green" } });
  });

  it("shows one call with its intent, all its decisions, its times and its payloads", async () => {
    const decisions = [
      decision("allow"),
      decision("deny", { provider: "trial", mode: "shadow", reason: "It would not." }),
      decision("deny", { provider: "redact", phase: "result", code: "secret", reason: "A key." }),
    ];
    const withheld = { status: "withheld", decidedBy: "redact", code: "secret", decisions };
    const path = logOf(
      { ...outcome("one"), ...intent },
      outcome("one", { ...withheld, time: noon + 41, payloads: { asked: { q: "te\u001ba" } } }),
      outcome("two"),
    );
    const { code, out } = await run([path, "--run", "one"]);
    expect(code).toBe(0);
    expect(out).toContain("forecast: about to run");
    expect(out).toContain("forecast: withheld");
    expect(out).toMatch(/decided by +redact, secret/);
    expect(out).toMatch(/trial +call +deny +policy +shadow +It would not\./);
    expect(out).toMatch(/settled +40 ms later/);
    expect(out).toContain('"q": "te\\u001ba"');
    expect(out).not.toContain("call_two");
    expect(await run([path, "--run", "three"])).toMatchObject({ code: 1, out: "" });
  });

  it.each([[[]], [["--json"]], [["--run", "one"]]])(
    "lets nothing that a terminal would obey out of the log: %j",
    async (options) => {
      const evil = "\u001b[2J\u009b31m\u202e\r\n\u0007";
      const path = logOf(
        denied("one", evil, {
          requestedName: evil,
          toolName: `a${evil}`,
          session: { id: evil, seq: 1 },
          decidedBy: evil,
          code: evil,
          status: evil,
          policyVersion: evil,
          traceparent: evil,
          decisions: [decision(evil, { provider: evil, mode: evil, reason: evil })],
          digests: { asked: evil },
          payloads: { asked: { [evil]: evil } },
        }),
      );
      const { code, out, err } = await run([path, ...options]);
      expect(code).toBe(0);
      expect(out + err).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    },
  );

  it.each([
    ["no object", { session: 7, decisions: [null, 7, "deny"], times: null, digests: [] }],
    ["no text", { toolName: {}, status: 7, decidedBy: [], code: null, modifiedBy: "x" }],
    ["no time", { time: null, times: { askedAt: 9e99, settledAt: "soon" } }],
    [
      "names of a prototype's",
      { toolName: "__proto__", status: "constructor", runId: "__proto__" },
    ],
  ])("lists a record in which something is %s", async (_, members) => {
    const path = logOf(outcome("one", members));
    const { code, out } = await run([path]);
    expect([code, out.trimEnd().split("\n").length]).toEqual([0, 3]);
    expect((await run([path, "--json"])).code).toBe(0);
  });

  it("colours lines on a terminal, and never with NO_COLOR", async () => {
    const path = logOf(...varied);
    const { out } = await run([path], { isTTY: true });
    expect(out).toContain("\u001b[31m2026-11-28 13:00");
    const plain = await run([path], { isTTY: true, environment: { NO_COLOR: "1" } });
    expect(plain.out).not.toContain("\u001b");
  });

  it("goes on with what is written until it is interrupted, and shows nothing twice", async () => {
    const { path } = temporaryFolder();
    const lines = writeChain(path, "aaaaaaaaaaaaaaaa", [outcome("one"), outcome("two")]);
    // The whole log first, then all but the last line of it: what is appended is a true continuation.
    writeChain(path, "aaaaaaaaaaaaaaaa", [outcome("one")]);
    const terminal = capturedTerminal();
    let seen = 0;
    let interrupting: NodeJS.Timeout | undefined;
    onTestFinished(() => clearInterval(interrupting));
    const out = {
      write: (text: string) => {
        terminal.out.write(text);
        seen++;
        const file = join(path, "aaaaaaaaaaaaaaaa", "00000001.jsonl");
        // Later, so that the first pass has come to the end of the file.
        if (seen === 1) setTimeout(() => appendFileSync(file, `${lines[3]}\n`), 20);
        // Until the command listens, which only its second pass does. Vitest listens too, and would end the process.
        if (seen === 2) interrupting = setInterval(interrupt, 20);
      },
    };
    const listening = process.listenerCount("SIGINT");
    function interrupt(): void {
      process.listeners("SIGINT")[listening]?.("SIGINT");
    }
    const code = await main(["audit", path, "--follow", "--json"], { ...terminal, out });
    clearInterval(interrupting);
    expect([code, runIds(terminal.written().out)]).toEqual([0, ["one", "two"]]);
    expect(process.listenerCount("SIGINT")).toBe(listening);
  });

  it("explains itself with its exit codes and examples", async () => {
    const { code, out } = await run(["--help"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: toolstile audit DIR/);
    expect(out).toContain("Exit codes:");
    expect(out).toContain("Example:\n  toolstile audit ");
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it.each([
    [[], "Name the folder of an audit log."],
    [["a", "b"], "One audit log at a time."],
    [["a", "--status", "denid"], "Did you mean 'denied'?"],
    [["a", "--decision", "denied"], "modify, not 'denied'. Did you mean 'deny'?"],
    [["a", "--decision", "modified"], "Did you mean 'modify'?"],
    [["a", "--decision", "yes"], "--decision is one of allow, deny, modify, not 'yes'.\n"],
    [["a", "--since", "yesterday"], "--since takes a time"],
    [["a", "--until", "2026-13-01"], "--until takes a time"],
    [["a", "--limit", "0"], "--limit takes how many calls, from 1."],
    [["a", "--html", "x", "--json"], "--html and --json do not go together."],
    [["a", "--follow", "--run", "x"], "--follow and --run do not go together."],
    [["a", "--payloads"], "--payloads is for --html and --json."],
    [["a", "--force"], "--force is for --html."],
  ])("answers %j with exit code 2 and the way out", async (argv, message) => {
    const { code, out, err } = await run(argv);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
    expect(err).toContain("Try: toolstile audit --help");
  });

  it("ends with 2 when the log cannot be read", async () => {
    const { at } = temporaryFolder();
    for (const options of [[], ["--json"], ["--run", "x"], ["--html", at("page.html")]]) {
      const { code, out, err } = await run([at("none"), ...options]);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toBe(`${at("none")}: there is no such file\n`);
    }
  });
});
