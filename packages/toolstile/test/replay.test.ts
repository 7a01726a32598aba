import { readFileSync } from "node:fs";
import { verify } from "@toolstile/audit-log";
import { describe, expect, it } from "vitest";
import { main } from "../src/main.js";
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
      `${file}:2: the line is not JSON\n${file}:4: the line is no conversation: it is not an object\n`,
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
    const folder = temporaryFolder();
    const { err } = await replay([folder.at("\u001b[2Jx")]);
    expect(err).not.toContain("\u001b");
  });
});
