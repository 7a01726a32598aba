import { existsSync, linkSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { verify } from "@toolstile/audit-log";
import { describe, expect, it, vi } from "vitest";
import { main } from "../src/main.js";
import { FindingsFile } from "../src/replay/findings-file.js";
import { Tally } from "../src/replay/tally.js";
import { type CapturedTerminalOptions, capturedTerminal } from "./captured-terminal.js";
import { answer, asks, call, conversation, jsonl } from "./conversations.js";
import { temporaryFolder } from "./temporary-folder.js";

const good = conversation([asks(call("water_bed", '{"bed":"beans"}')), answer("c1")]);
const bad = conversation([
  asks(call("burn_bed", '{"why":"hunter2"')),
  answer("c1", "hunter2", { name: "water_bed" }),
]);

async function replay(argv: readonly string[], options: CapturedTerminalOptions = {}) {
  const terminal = capturedTerminal(options);
  const code = await main(["replay", ...argv], terminal);
  return { code, ...terminal.written() };
}

describe("toolstile replay", () => {
  it("counts per file and in all, and ends well whatever was found", async () => {
    const folder = temporaryFolder();
    const one = folder.file("one.jsonl", jsonl(good, bad));
    const two = folder.file("two.jsonl", jsonl(bad));
    const { code, out, err } = await replay([one, two, "--json"]);
    const codes = { invalid_json: 1, name_mismatch: 1, not_allowed: 1 };
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toEqual({
      files: [
        { file: one, conversations: 2, calls: 2, results: 2, codes },
        { file: two, conversations: 1, calls: 1, results: 1, codes },
      ],
      total: {
        conversations: 3,
        calls: 3,
        results: 3,
        codes: { invalid_json: 2, name_mismatch: 2, not_allowed: 2 },
      },
    });
  });

  it("ends with a table: a line a file, under it one a code, and the sum", async () => {
    const folder = temporaryFolder();
    const files = [
      folder.file("one.jsonl", jsonl(good)),
      folder.file("two.jsonl", jsonl(bad, bad)),
    ];
    const { out } = await replay(files, { tick: 100 });
    expect(out.split("\n").map((line) => line.replace(/─+/g, "─").replace(/ +/g, " "))).toEqual([
      "file conversations calls results findings calls/s",
      "─ ─ ─ ─ ─ ─",
      "one.jsonl 1 1 1 0 10",
      "two.jsonl 2 2 2 6 20",
      " invalid_json 2",
      " name_mismatch 2",
      " not_allowed 2",
      "all files 3 3 3 6 15",
      " invalid_json 2",
      " name_mismatch 2",
      " not_allowed 2",
      "",
    ]);
  });

  it("keeps the folders where two files have one name", async () => {
    const [one, other] = [temporaryFolder(), temporaryFolder()];
    const files = [one.file("x.jsonl", jsonl(good)), other.file("x.jsonl", jsonl(good))];
    const { out } = await replay(files);
    for (const file of files) expect(out).toContain(file);
  });

  it("reports each line that cannot be read with its number, reads the rest, and ends with 1", async () => {
    const text = `${jsonl(good)}{"messages": hunter2}\n\n[]\n${jsonl(bad)}`;
    const file = temporaryFolder().file("torn.jsonl", text);
    const { code, out, err } = await replay([file, "--json"]);
    expect(code).toBe(1);
    expect(err).toBe(
      `${file}:2: the line is not JSON\n${file}:4: the line is not a conversation: it must be an object\n`,
    );
    expect(JSON.parse(out).total.conversations).toBe(2);
  });

  it("reports a file that cannot be read, reads the others, and ends with 1", async () => {
    const folder = temporaryFolder();
    const file = folder.file("good.jsonl", jsonl(good));
    const { code, out, err } = await replay([folder.at("none.jsonl"), folder.path, file, "--json"]);
    expect(code).toBe(1);
    expect(err).toBe(
      `${folder.at("none.jsonl")}: there is no such file\n${folder.path}: it is a folder\n`,
    );
    expect(JSON.parse(out).total.calls).toBe(1);
  });

  it("prints no table where no file could be read", async () => {
    expect(await replay([temporaryFolder().at("none.jsonl")])).toMatchObject({ code: 1, out: "" });
  });

  it.each<[string, object[]]>([
    [
      "Anthropic's calls",
      [
        { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "burn", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t9", content: "ash" }] },
      ],
    ],
    ["a model's parts of Gemini", [{ role: "model", parts: [{ functionCall: { name: "burn" } }] }]],
    ["an output item of Responses", [{ type: "function_call", name: "burn", arguments: "{}" }]],
    ["calls under a name of LangChain's", [{ role: "assistant", toolCalls: [{ name: "burn" }] }]],
    [
      "calls that are no list",
      [{ role: "assistant", content: null, tool_calls: { name: "burn" } }],
    ],
  ])("says that it does not read %s, and ends with 1", async (_, messages) => {
    const file = temporaryFolder().file("other.jsonl", jsonl({ messages }));
    const { code, out, err } = await replay([file, "--json"]);
    expect(code).toBe(1);
    expect(err).toContain("calls in it were put before no guard");
    const { calls, codes } = JSON.parse(out).total;
    expect(calls).toBe(0);
    expect(Object.values(codes).length).toBeGreaterThan(0);
  });

  it("lists findings as JSON Lines that hold no argument and no result", async () => {
    const folder = temporaryFolder();
    const file = folder.file("one.jsonl", jsonl(good, { ...bad, id: undefined }));
    const findings = folder.at("findings.jsonl");
    await replay([file, "--findings", findings]);
    const text = readFileSync(findings, "utf8");
    expect(text).not.toContain("hunter2");
    const place = { file, line: 2, conversation: "line 2" };
    const listed = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(listed).toEqual([
      { ...place, messageIndex: 0, callIndex: 0, code: "invalid_json", reason: expect.any(String) },
      { ...place, messageIndex: 0, callIndex: 0, code: "not_allowed", reason: expect.any(String) },
      { ...place, messageIndex: 1, code: "name_mismatch", reason: expect.any(String) },
    ]);
  });

  it("writes an audit log that verifies, a record a call, and goes on with it the next time", async () => {
    const folder = temporaryFolder();
    const file = folder.file("one.jsonl", jsonl(good, bad));
    const audit = folder.at("audit.jsonl");
    expect((await replay([file, "--audit", audit])).code).toBe(0);
    expect((await verify(audit)).kinds).toMatchObject({ head: 1, outcome: 2, intent: 0 });
    expect((await replay([file, "--audit", audit])).code).toBe(0);
    const { ok, kinds } = await verify(audit);
    expect([ok, kinds.outcome]).toEqual([true, 4]);
    expect(readFileSync(audit, "utf8")).not.toContain("hunter2");
  });

  it("says so, and ends with 1, when what it should write cannot be written", async () => {
    const folder = temporaryFolder();
    const file = folder.file("one.jsonl", jsonl(good));
    for (const option of ["--audit", "--findings"]) {
      const { code, out, err } = await replay([file, option, folder.path]);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain(folder.path);
    }
    const notALog = folder.file("letter.txt", "Dear all\n");
    expect((await replay([file, "--audit", notALog])).code).toBe(1);
    expect(readFileSync(notALog, "utf8")).toBe("Dear all\n");
  });

  it("says so, and ends with 1, when the audit log cannot be gone on with half-way", async () => {
    const folder = temporaryFolder();
    const file = folder.file("one.jsonl", jsonl(good, good, good));
    const audit = folder.at("audit.jsonl");
    const terminal = capturedTerminal();
    let meddled = false;
    const clock = terminal.now;
    const now = () => {
      // The first look at the clock comes after the log was opened.
      if (!meddled) folder.file("audit.jsonl", "meddled\n");
      meddled = true;
      return clock();
    };
    const code = await main(["replay", file, "--audit", audit], { ...terminal, now });
    expect(code).toBe(1);
    expect(terminal.written().err.trimEnd().split("\n")).toHaveLength(1);
    expect(terminal.written().err).toContain(audit);
  });

  it.each([
    ["--audit", "--audit would write over "],
    ["--findings", "--findings would write over "],
  ])("refuses to write %s over a file that it reads", async (option, complaint) => {
    const file = temporaryFolder().file("one.jsonl", jsonl(good));
    const { code, err } = await replay([file, option, file]);
    expect([code, err.startsWith(complaint)]).toEqual([2, true]);
    expect(readFileSync(file, "utf8")).toBe(jsonl(good));
  });

  it.each([
    ["a symbolic link", symlinkSync],
    ["a hard link", linkSync],
  ])("refuses to write over a file that it reads by way of %s", async (_, link) => {
    const folder = temporaryFolder();
    const file = folder.file("one.jsonl", jsonl(good));
    link(file, folder.at("other"));
    for (const option of ["--findings", "--audit"]) {
      const { code, err } = await replay([file, option, folder.at("other")]);
      expect([code, err.startsWith(`${option} would write over ${file}.`)]).toEqual([2, true]);
    }
    expect(readFileSync(file, "utf8")).toBe(jsonl(good));
    expect(existsSync(folder.at("other.lock"))).toBe(false);
  });

  it.each([".key", ".lock", ".lock.takeover", ""])(
    "refuses to list findings in what belongs to the audit log: its name and '%s'",
    async (end) => {
      const folder = temporaryFolder();
      const file = folder.file("one.jsonl", jsonl(bad));
      const audit = folder.at("audit.jsonl");
      const [first, again] = [`${audit}${end}`, folder.at("link")];
      expect((await replay([file, "--audit", audit, "--findings", first])).code).toBe(2);
      expect(existsSync(first)).toBe(false);
      await replay([file, "--audit", audit]);
      symlinkSync(first, again);
      const before = existsSync(first) ? readFileSync(first) : undefined;
      for (const findings of [first, again]) {
        expect((await replay([file, "--audit", audit, "--findings", findings])).code).toBe(2);
        expect(existsSync(first) ? readFileSync(first) : undefined).toEqual(before);
      }
      const { ok, kinds } = await verify(audit);
      expect([ok, kinds]).toEqual([true, expect.objectContaining({ head: 1, outcome: 1 })]);
    },
  );

  it("refuses to list findings over an audit log, or over any file that is no list of them", async () => {
    const folder = temporaryFolder();
    const file = folder.file("one.jsonl", jsonl(bad));
    const audit = folder.at("audit.jsonl");
    await replay([file, "--audit", audit]);
    const other = folder.file("two.jsonl", jsonl(good));
    for (const path of [audit, `${audit}.key`, other]) {
      const before = readFileSync(path);
      const { code, err } = await replay([file, "--findings", path]);
      expect([code, err]).toEqual([2, expect.stringContaining("not a list of findings")]);
      expect(readFileSync(path)).toEqual(before);
    }
  });

  it("writes over the findings of an earlier run, but not when the audit log cannot be opened", async () => {
    const folder = temporaryFolder();
    const file = folder.file("one.jsonl", jsonl(bad));
    const findings = folder.at("findings.jsonl");
    await replay([file, "--findings", findings]);
    const before = readFileSync(findings, "utf8");
    const letter = folder.file("letter.txt", "Dear all\n");
    expect((await replay([file, "--findings", findings, "--audit", letter])).code).toBe(1);
    expect(readFileSync(findings, "utf8")).toBe(before);
    expect((await replay([file, "--findings", findings])).code).toBe(0);
    expect(readFileSync(findings, "utf8")).toBe(before);
  });

  it("lets the audit log go when the findings cannot be written", async () => {
    const folder = temporaryFolder();
    const file = folder.file("one.jsonl", jsonl(bad));
    const audit = folder.at("audit.jsonl");
    const { code } = await replay([file, "--audit", audit, "--findings", folder.at("no/f.jsonl")]);
    expect([code, existsSync(`${audit}.lock`)]).toEqual([1, false]);
    vi.spyOn(FindingsFile.prototype, "begin").mockImplementationOnce(() => {
      throw Object.assign(new Error("EPERM"), { code: "EPERM", syscall: "ftruncate" });
    });
    const findings = folder.at("f.jsonl");
    expect(await replay([file, "--audit", audit, "--findings", findings])).toEqual({
      code: 1,
      out: "",
      err: `${findings}: it may not be read or written\n`,
    });
    expect(existsSync(`${audit}.lock`)).toBe(false);
    const { err } = await replay([file, "--audit", folder.at("no/a.jsonl")]);
    expect(err).toContain("The directory of the audit log");
  });

  it("lists every finding of a long conversation under a cut id", async () => {
    const folder = temporaryFolder();
    const long = { id: "x".repeat(1e6), messages: Array.from({ length: 600 }, () => 0) };
    const file = folder.file("long.jsonl", jsonl(long, bad));
    const findings = folder.at("findings.jsonl");
    const { code, err } = await replay([file, "--findings", findings]);
    expect(code).toBe(1);
    expect(err).toMatch(/long\.jsonl: 600 messages have something that is not of Chat Completions/);
    const lines = readFileSync(findings, "utf8").trimEnd().split("\n");
    expect(lines.length).toBe(603);
    expect(JSON.parse(lines[599] as string)).toMatchObject({
      conversation: `${"x".repeat(256)}…`,
      messageIndex: 599,
    });
    expect(JSON.parse(lines[602] as string)).toMatchObject({ line: 2, conversation: "garden" });
  });

  it("goes on after a line that throws, with the calls before it on record", async () => {
    const folder = temporaryFolder();
    const file = folder.file("three.jsonl", jsonl(good, good, good));
    const audit = folder.at("audit.jsonl");
    const count = vi.spyOn(Tally.prototype, "count").mockImplementationOnce(() => {
      throw new RangeError("hunter2");
    });
    const { code, out, err } = await replay([file, "--json", "--audit", audit]);
    count.mockRestore();
    expect([code, err]).toEqual([
      1,
      `${file}:1: the line cannot be replayed to its end (RangeError)\n`,
    ]);
    expect(JSON.parse(out).total.conversations).toBe(2);
    expect(await verify(audit)).toMatchObject({ ok: true, kinds: { outcome: 3 } });
  });

  it("finds calls beyond those that a runner has open, under a code that docs/replay.md has", {
    tags: "long",
  }, async () => {
    const calls = Array.from({ length: 100_001 }, (_, index) =>
      call("forecast", "{}", `c${index}`),
    );
    const file = temporaryFolder().file("many.jsonl", jsonl(conversation([asks(...calls)])));
    const { out } = await replay([file, "--json"]);
    expect(JSON.parse(out).total.codes).toEqual({ too_many_open: 1 });
    const documented = readFileSync(new URL("../../../docs/replay.md", import.meta.url), "utf8");
    expect(documented).toContain("| `too_many_open` ");
  });

  it("refuses to write two things to one file", async () => {
    const folder = temporaryFolder();
    const file = folder.file("one.jsonl", jsonl(good));
    const both = folder.at("both.jsonl");
    expect((await replay([file, "--audit", both, "--findings", both])).code).toBe(2);
  });

  it("shows progress and colours on a terminal, and neither in a pipe", async () => {
    const file = temporaryFolder().file("one.jsonl", jsonl(bad, bad));
    const seen = await replay([file], { isTTY: true, tick: 1_000 });
    expect(seen.err).toContain("one.jsonl: 1 calls");
    expect(seen.err.endsWith("\r\u001b[2K")).toBe(true);
    expect(seen.out).toContain("\u001b[");
    const plain = await replay([file], { isTTY: true, environment: { NO_COLOR: "1" } });
    expect(plain.out).not.toContain("\u001b");
    const piped = await replay([file]);
    expect(piped.err + piped.out).not.toContain("\u001b");
  });

  it("gives a terminal nothing to obey from the name of a file", async () => {
    const file = temporaryFolder().at("\u001b[2J\u009b2Jx");
    for (const more of [[], ["--json"], ["--audit", "\u009b/a"]]) {
      const { out, err } = await replay([file, ...more]);
      expect(err + out).not.toMatch(/[^\P{Cc}\n]/u);
    }
    writeFileSync(file, jsonl(good));
    expect(JSON.parse((await replay([file, "--json"])).out).files[0].file).toBe(file);
  });
});
