import { hash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { auditLog, memory, verify } from "../src/index.js";
import { settledCall } from "./calls.js";
import { temporaryPath } from "./temporary.js";

const key = Buffer.alloc(32, 7);

async function logOf(calls: number, payloads = false): Promise<readonly string[]> {
  const sink = memory();
  const log = auditLog({ sink, key, payloads, now: () => 5_000 });
  for (let index = 1; index <= calls; index++) {
    await log.settle(
      settledCall({ runId: `run-${index}`, askedArgs: { index }, context: { sessionId: "s" } }),
    );
  }
  return sink.lines;
}

/** The line with a valid seal again, as a forger without the rest of the chain would make it. */
function resealed(line: string): string {
  const body = line.slice(0, -75);
  return `${body},"hash":"${hash("sha256", body)}"}`;
}

/** The whole chain computed anew, as a forger with all of it would. */
function rechained(lines: readonly string[]): string[] {
  let prev = "0".repeat(64);
  return lines.map((line, index) => {
    const next = resealed(
      line.replace(/"seq":\d+,"prev":"\w+"/, `"seq":${index + 1},"prev":"${prev}"`),
    );
    prev = next.slice(-66, -2);
    return next;
  });
}

const bytesOf = (lines: readonly string[]) =>
  Buffer.from(lines.map((line) => `${line}\n`).join(""));

describe("verify", () => {
  let lines: readonly string[];
  beforeAll(async () => {
    lines = await logOf(5);
  });

  it("reads a path, bytes and lines alike", async () => {
    const path = temporaryPath();
    writeFileSync(path, bytesOf(lines));
    const report = await verify(lines);
    expect(report).toMatchObject({
      ok: true,
      level: "chain",
      records: 6,
      kinds: { head: 1, intent: 0, outcome: 5, repair: 0, gap: 0 },
      head: { seq: 6 },
      firstBad: undefined,
      torn: undefined,
    });
    expect(await verify(path)).toEqual(report);
    expect(await verify(bytesOf(lines))).toEqual(report);
  });

  it("P16 detects every flipped bit, at the line it is in", { tags: "long" }, async () => {
    const bytes = bytesOf(lines);
    let line = 1;
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] as number;
      for (let bit = 0; bit < 8; bit++) {
        bytes[index] = byte ^ (1 << bit);
        const { ok, firstBad, torn } = await verify(bytes);
        if (ok || (firstBad?.line ?? torn?.line) !== line) {
          expect.fail(`byte ${index}, bit ${bit}: ${JSON.stringify({ ok, firstBad, torn })}`);
        }
      }
      bytes[index] = byte;
      if (byte === 0x0a) line++;
    }
    expect((await verify(bytes)).ok).toBe(true);
  });

  it("P16 names the line where a record was removed", async () => {
    for (let index = 0; index < lines.length - 1; index++) {
      const { firstBad } = await verify(lines.toSpliced(index, 1));
      expect(firstBad).toMatchObject({ line: index + 1, seq: index + 2 });
      expect(firstBad?.reason).toMatch(/removed, repeated or reordered/);
    }
  });

  it("P16 names the line where a record was repeated", async () => {
    for (const [index, line] of lines.entries()) {
      const { firstBad } = await verify(lines.toSpliced(index, 0, line));
      expect(firstBad).toMatchObject({ line: index + 2, seq: index + 1 });
    }
  });

  it("P16 names the first of two lines that were swapped", async () => {
    for (let first = 0; first < lines.length; first++) {
      for (let second = first + 1; second < lines.length; second++) {
        const swapped = [...lines];
        [swapped[first], swapped[second]] = [lines[second] as string, lines[first] as string];
        expect((await verify(swapped)).firstBad).toMatchObject({
          line: first + 1,
          seq: second + 1,
        });
      }
    }
  });

  it("P16 sees a changed record that was sealed again, at the line after it", async () => {
    const forged = lines.with(2, resealed((lines[2] as string).replace("run-2", "run-9")));
    expect((await verify(forged)).firstBad).toMatchObject({
      line: 4,
      seq: 4,
      reason: expect.stringMatching(/does not follow/),
    });
  });

  it("reports every cut inside a line as torn, and not as tampering", async () => {
    const bytes = bytesOf(lines);
    const start = bytes.lastIndexOf("\n", -2) + 1;
    for (let end = start + 1; end < bytes.length; end++) {
      const report = await verify(bytes.subarray(0, end));
      expect(report).toMatchObject({ ok: false, torn: { line: 6, bytes: end - start } });
      expect(report.firstBad).toBeUndefined();
    }
  });

  it("says that a bare chain does not show a cut tail", async () => {
    const report = await verify(lines.slice(0, 3));
    expect(report).toMatchObject({ ok: true, level: "chain" });
    expect(report.note).toMatch(/cut tail is not detected without a checkpoint/);
  });

  it("P16 detects every cut before a head that was kept", async () => {
    const { head } = await verify(lines);
    for (let length = 0; length < lines.length; length++) {
      const { ok, firstBad } = await verify(lines.slice(0, length), { expect: head });
      expect(ok).toBe(false);
      expect(firstBad?.line).toBe(length + 1);
    }
    expect(await verify(lines, { expect: head })).toMatchObject({ ok: true });
  });

  it("P16 detects a chain that was recomputed whole before a head that was kept", async () => {
    const { head } = await verify(lines);
    const forged = rechained(lines.with(2, (lines[2] as string).replace("run-2", "run-9")));
    expect((await verify(forged)).ok).toBe(true);
    expect((await verify(forged, { expect: head })).firstBad).toMatchObject({
      line: 6,
      reason: expect.stringMatching(/not the one that was kept/),
    });
  });

  it("does not hold a log that grew against the head that was kept", async () => {
    const { head } = await verify(lines.slice(0, 4));
    expect(await verify(lines, { expect: head })).toMatchObject({ ok: true, records: 6 });
  });

  it("does not take an emptied log for a whole one", async () => {
    expect(await verify("/dev/null")).toMatchObject({ ok: false, firstBad: { line: 1 } });
    expect(await verify([])).toMatchObject({ ok: false });
  });

  it.each([
    ["no JSON", (line: string) => line.replace('"kind"', "kind"), /not valid JSON/],
    ["another version", (line: string) => line.replace('"v":1', '"v":2'), /format version/],
    ["an unknown kind", (line: string) => line.replace('"outcome"', '"toString"'), /no kind/],
    ["no record", () => "hello", /not a record of an audit log/],
    ["an injected line", (line: string) => `${line}\n{}`, /not a record of an audit log/],
  ])("refuses a line that is sealed right and is %s", async (_, change, reason) => {
    const line = change(lines[2] as string);
    const forged = lines.with(
      2,
      line.includes('"hash"') && !line.includes("\n") ? resealed(line) : line,
    );
    expect((await verify(forged)).firstBad?.reason).toMatch(reason);
  });

  it("refuses a log that does not begin with an opening", async () => {
    expect((await verify(rechained(lines.slice(1)))).firstBad).toMatchObject({ line: 1 });
  });

  it("goes on from the head that older lines were let go after", async () => {
    const { head: after } = await verify(lines.slice(0, 3));
    expect(await verify(lines.slice(3), { after })).toMatchObject({ ok: true, records: 3 });
    expect(await verify(lines.slice(4), { after })).toMatchObject({ ok: false });
  });

  it("with the key, sees a payload that is not what its record commits to", async () => {
    const log = await logOf(2, true);
    expect(await verify(log, { key })).toMatchObject({ ok: true, digestsChecked: 6, otherKey: 0 });
    const forged = rechained(
      log.with(1, (log[1] as string).replace('"asked":{"index":1}', '"asked":{"index":2}')),
    );
    expect((await verify(forged)).ok).toBe(true);
    expect((await verify(forged, { key })).firstBad).toMatchObject({
      line: 2,
      reason: expect.stringMatching(/payload 'asked'/),
    });
  });

  it.each([
    ["nested 50,000 deep", `${"[".repeat(50_000)}${"]".repeat(50_000)}`],
    ["a lone surrogate", '"\\ud800"'],
    ["a number that is none", "1e999"],
  ])("with the key, names the record whose payload is %s", async (_, payload) => {
    const log = await logOf(2, true);
    const forged = rechained(
      log.with(2, (log[2] as string).replace('"asked":{"index":2}', `"asked":${payload}`)),
    );
    expect(await verify(forged, { key })).toMatchObject({
      ok: false,
      digestsChecked: 3,
      firstBad: {
        line: 3,
        seq: 3,
        reason: expect.stringMatching(/payload 'asked' is not the one/),
      },
    });
  });

  it("gives a terminal nothing to obey from the name of a payload", async () => {
    const log = await logOf(1, true);
    const name = '"\\u001b[2J\\u009b2J\\n"';
    const forged = rechained(
      log.with(
        1,
        (log[1] as string).replace(/"asked":(?=\{)/, () => `${name}:`),
      ),
    );
    const { firstBad } = await verify(forged, { key });
    expect(firstBad?.reason).toMatch(/^the payload '[ -~]+' is not the one/);
  });

  it("refuses a record that has more than printable ASCII in it, which no writer writes", async () => {
    const forged = rechained(
      lines.map((line) => line.replace('"kind":"outcome"', '"kind":"outcome","more":"\u009b2J"')),
    );
    const { firstBad } = await verify(forged);
    expect(firstBad).toEqual({ line: 2, seq: 2, reason: "the record is not in printable ASCII" });
  });

  it.each(["1e999", '"3"', "-2", "null"])(
    "refuses a record that says it dropped %s records",
    async (dropped) => {
      const gap = (lines[2] as string).replace(
        /"kind":"outcome".*(?=,"hash")/,
        `"kind":"gap","time":5000,"dropped":${dropped}`,
      );
      const { firstBad, dropped: counted } = await verify(rechained(lines.with(2, gap)));
      expect(firstBad).toMatchObject({ line: 3, reason: expect.stringMatching(/how many/) });
      expect(counted).toBe(0);
    },
  );

  it("says so when the log was written under another key", async () => {
    const log = await logOf(2, true);
    expect(await verify(log, { key: Buffer.alloc(32, 8) })).toMatchObject({
      ok: true,
      digestsChecked: 0,
      otherKey: 2,
    });
  });

  it("reads lines that are longer than the blocks it reads", { tags: "long" }, async () => {
    const sink = memory();
    const log = auditLog({ sink, payloads: true });
    for (let index = 0; index < 5; index++) {
      await log.settle(settledCall({ askedArgs: { text: "\u2028".repeat(170_000 * index) } }));
    }
    const path = temporaryPath();
    writeFileSync(path, bytesOf(sink.lines));
    const report = await verify(path);
    expect(report).toMatchObject({ ok: true, records: 6 });
    expect(await verify(bytesOf(sink.lines))).toEqual(report);
  });

  it("P5 refuses wrong options by name", async () => {
    const head = { seq: 1, hash: "0".repeat(64) };
    await expect(verify([], { keys: 1 } as never)).rejects.toThrow(/Did you mean 'key'/);
    await expect(verify([], { expect: { seq: 1, hash: "x" } })).rejects.toThrow(/'expect'/);
    await expect(verify([], { after: head, expect: head })).rejects.toThrow(/comes after 'after'/);
    await expect(verify("/nowhere/log")).rejects.toThrow("ENOENT");
    await expect(verify(import.meta.dirname)).rejects.toThrow("verifyFolder() checks a folder");
  });
});
