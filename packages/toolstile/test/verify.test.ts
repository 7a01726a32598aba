import { spawn, spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { memory, auditLog as payloadLog } from "@toolstile/audit-log";
import { allowAll, ToolRunner, tool } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { main } from "../src/main.js";
import { capturedTerminal } from "./captured-terminal.js";
import { asks, call, conversation, jsonl } from "./conversations.js";
import { temporaryFolder } from "./temporary-folder.js";

async function run(...argv: string[]) {
  const terminal = capturedTerminal();
  const code = await main(argv, terminal);
  return { code, ...terminal.written() };
}

/** A log of five records: its opening, and four calls. */
async function auditLog() {
  const folder = temporaryFolder();
  const one = conversation([asks(call("forecast", "{}"))]);
  const file = folder.file("one.jsonl", jsonl(one, one, one, one));
  const path = folder.at("audit.jsonl");
  await run("replay", file, "--audit", path);
  return { folder, path, text: readFileSync(path, "utf8") };
}

describe("toolstile verify", () => {
  it("ends with 0 on a log as it was written, and says how far it goes", async () => {
    const { path } = await auditLog();
    const { code, out, err } = await run("verify", path, "--key", `${path}.key`);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("ok, 5 records");
    expect(out).toContain("A cut tail is not detected");
  });

  it.skipIf(process.platform === "win32")("reads a log that comes by a pipe whole", async () => {
    const { folder, path } = await auditLog();
    const pipe = folder.at("pipe");
    expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
    const writer = spawn("sh", ["-c", 'exec cat "$0" > "$1"', path, pipe], { stdio: "ignore" });
    const { code, out } = await run("verify", pipe);
    expect([code, out]).toEqual([0, expect.stringContaining("ok, 5 records")]);
    if (writer.exitCode === null) await once(writer, "exit");
  });

  it("sees that the end was cut off when told which record was the last", async () => {
    const { path, text } = await auditLog();
    const { out } = await run("verify", path);
    const [last = ""] = /5:[0-9a-f]{64}/.exec(out) ?? [];
    expect((await run("verify", path, "--expect", last)).code).toBe(0);
    writeFileSync(path, text.split("\n").slice(0, 4).join("\n").concat("\n"));
    expect((await run("verify", path)).code).toBe(0);
    const cut = await run("verify", path, "--expect", last);
    expect(cut.code).toBe(1);
    expect(cut.out).toContain("record 5 was there and is gone");
    expect((await run("verify", path, "--expect", "5")).code).toBe(2);
  });

  it("names the first bad record, and ends with 1", async () => {
    const { path, text } = await auditLog();
    const lines = text.split("\n");
    lines[2] = (lines[2] as string).replace(
      '"requestedName":"forecast"',
      '"requestedName":"forecasT"',
    );
    writeFileSync(path, lines.join("\n"));
    const { code, out } = await run("verify", path);
    expect(code).toBe(1);
    expect(out).toContain("broken, 2 whole records before it");
    expect(out).toContain("line 3, which says it is record 3: the record's bytes were changed");
  });

  it("counts one record as one, and says how a cut end is found the next time", async () => {
    const { path, text } = await auditLog();
    const { out } = await run("verify", path);
    expect(out).toContain("give it the next time: --expect NUMBER:SHA256");
    const [, last = ""] = /last: (\S+)/.exec(out) ?? [];
    expect((await run("verify", path, "--expect", last)).out).not.toContain("--expect");
    writeFileSync(path, `${text.split("\n", 1)[0]}\nnone\n`);
    expect((await run("verify", path)).out).toContain("broken, 1 whole record before it");
  });

  it("P16 calls no record good before one that is not the one that was kept", async () => {
    const { path } = await auditLog();
    const { code, out } = await run("verify", path, "--expect", `5:${"0".repeat(64)}`);
    expect(code).toBe(1);
    expect(out).toContain("broken, 4 whole records before it");
    expect(out).toContain("the chain was rewritten");
    expect(out).not.toContain("good");
  });

  it("tells a torn last line from a broken log, and ends with 1", async () => {
    const { path, text } = await auditLog();
    writeFileSync(path, text.slice(0, -10));
    const { code, out } = await run("verify", path);
    expect(code).toBe(1);
    expect(out).toContain("torn, 4 whole records before it");
    expect(out).toContain("line 5: ");
  });

  it("prints its report as one JSON object", async () => {
    const { path, text } = await auditLog();
    writeFileSync(path, text.replace('"seq":4', '"seq":5'));
    const { code, out } = await run("verify", path, "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ ok: false, records: 3, firstBad: { line: 4, seq: 5 } });
  });

  it("ends with 2 when the log or the key cannot be read", async () => {
    const { folder, path } = await auditLog();
    expect(await run("verify", folder.at("none"))).toEqual({
      code: 2,
      out: "",
      err: `${folder.at("none")}: there is no such file\n`,
    });
    expect(await run("verify", folder.path)).toMatchObject({ code: 2, out: "" });
    const { code, err } = await run("verify", path, "--key", folder.at("none"));
    expect(code).toBe(2);
    expect(err).toContain("key file cannot be read");
  });

  it.each([
    ["a name that a terminal would obey", '"\\u009b2J\\u001b[2J":1'],
    ["a value nested 50,000 deep", `"asked":${"[".repeat(50_000)}${"]".repeat(50_000)}`],
    ["half a letter", '"asked":"\\ud800"'],
    ["a number that is none", '"asked":1e999'],
  ])("names the record whose payload was forged, in plain text: %s", async (_, forged) => {
    for (const { code, out, err } of await verifiedWith(forged)) {
      expect([code, err]).toEqual([1, ""]);
      expect(out).toMatch(/the payload '.+' is not the one that the record commits to/);
      expect(out).not.toMatch(/[^\P{Cc}\n]/u);
    }
  });

  it("names a record with a byte that a terminal would obey, without printing that byte", async () => {
    for (const { code, out, err } of await verifiedWith('"\u009b2J":1')) {
      expect([code, err]).toEqual([1, ""]);
      expect(out).toContain("the record is not in printable ASCII");
      expect(out).not.toMatch(/[^\P{Cc}\n]/u);
    }
  });
});

/** What the command says of a log whose one call has these payloads, in text and in JSON. */
async function verifiedWith(forged: string) {
  const folder = temporaryFolder();
  const key = folder.file("key", Buffer.alloc(32, 7));
  const sink = memory();
  await using runner = new ToolRunner({
    tools: [tool({ name: "search", execute: () => "found" })],
    guardrails: [allowAll()],
    observers: [payloadLog({ sink, key, payloads: true })],
  });
  await runner.run({ name: "search", arguments: {} });
  const [head, record = ""] = sink.lines;
  const body = record.slice(0, -75).replace(/(?<="payloads":\{).*(?=\},"times")/, () => forged);
  const line = `${body},"hash":"${hash("sha256", Buffer.from(body))}"}`;
  const path = folder.file("audit.jsonl", `${head}\n${line}\n`);
  return [
    await run("verify", path, "--key", key),
    await run("verify", path, "--key", key, "--json"),
  ];
}
