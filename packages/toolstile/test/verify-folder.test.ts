import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChainReport, FolderReport } from "@toolstile/audit-log";
import { describe, expect, it } from "vitest";
import { main } from "../src/main.js";
import { palette } from "../src/terminal/terminal.js";
import { folderInWords } from "../src/verify/folder-report.js";
import { checkpoint, outcome, writeChain } from "./audit-folder.js";
import { type CapturedTerminalOptions, capturedTerminal } from "./captured-terminal.js";
import { temporaryFolder } from "./temporary-folder.js";

const chain = "a".repeat(16);
const other = "b".repeat(16);

async function run(argv: readonly string[], options?: CapturedTerminalOptions) {
  const terminal = capturedTerminal(options);
  const code = await main(["verify", ...argv], terminal);
  return { code, ...terminal.written() };
}

/** A log of two chains: five records, and three. */
function log() {
  const folder = temporaryFolder();
  const path = folder.at("audit");
  const lines = writeChain(path, chain, [outcome("one"), outcome("two"), outcome("three")]);
  writeChain(path, other, [outcome("four")]);
  const segment = join(path, chain, "00000001.jsonl");
  const keys = generateKeyPairSync("ed25519");
  const key = folder.file("key.pem", keys.publicKey.export({ type: "spki", format: "pem" }));
  return { ...folder, path, lines, segment, keys, key };
}

describe("toolstile verify of a folder", () => {
  it("ends with 0 on a log as it was written, and tells what of it nobody could see", async () => {
    const { path } = log();
    const { code, out, err } = await run([path]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("ok, 8 records in 2 chains");
    expect(out).toContain(`${chain}: whole, 5 records in 1 segment`);
    expect(out).toContain(`${other}: whole, 3 records in 1 segment`);
    expect(out).toContain("no checkpoint was checked: its end may be cut unseen");
    expect(out).toMatch(/L0 +chain +holds/);
    for (const level of ["L1", "L2", "L3"])
      expect(out).toMatch(new RegExp(`${level} .*not checked`));
  });

  it("names the public key that stands beside the log, and the option that takes it", async () => {
    const { path, file, keys } = log();
    expect((await run([path])).out).toContain("Signatures were not checked: pass --key FILE.");
    const pem = keys.publicKey.export({ type: "spki", format: "pem" }) as string;
    const beside = file("audit.public.pem", pem);
    for (const named of [path, `${path}/`]) {
      const { out } = await run([named]);
      expect(out).toMatch(/Signatures were not checked: pass --key \S+audit\.public\.pem, which/);
      expect(out).toContain("--anchor PATH");
      expect(out).not.toContain("as 'key'");
    }
    const checked = await run([path, "--key", beside, "--anchor", beside]);
    expect(checked.out).not.toContain("Signatures were not checked");
  });

  it("sends whoever names one segment to the folder of the log", async () => {
    const { path, segment } = log();
    const { code, out, err } = await run([segment]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`Verify the log's folder: ${path}`);
  });

  it("refuses the private key of the checkpoints, and quotes nothing of it", async () => {
    const { path, keys, file } = log();
    const pem = keys.privateKey.export({ type: "pkcs8", format: "pem" }) as string;
    const { code, err } = await run([path, "--key", file("private.pem", pem)]);
    expect(code).toBe(2);
    expect(err).toContain("private.pem', is the private one");
    expect(err).not.toContain(pem.split("\n")[1]);
  });

  it("names the first bad record's file, line and number, and ends with 1", async () => {
    const { path, segment } = log();
    writeFileSync(segment, readFileSync(segment, "utf8").replace('"runId":"two"', '"runId":"twO"'));
    const { code, out } = await run([path]);
    expect(code).toBe(1);
    expect(out).toContain("broken, ");
    expect(out).toContain(`${chain}: not whole`);
    expect(out).toMatch(new RegExp(`${join(chain, "00000001.jsonl")} line 4, record 4: `));
    expect(out).toMatch(/L0 +chain +fails/);
  });

  it("sees a cut tail by an anchor, and says after which record", async () => {
    const { path, segment, lines, keys, key, file } = log();
    const anchor = file("anchor", checkpoint(chain, lines, keys));
    const whole = await run([path, "--anchor", anchor]);
    expect(whole.code).toBe(0);
    expect(whole.out).toContain("anchored up to record 5; none after it");
    writeFileSync(segment, `${lines.slice(0, 4).join("\n")}\n`);
    expect((await run([path])).code).toBe(0);
    const cut = await run([path, "--key", key, "--anchor", anchor]);
    expect(cut.code).toBe(1);
    expect(cut.out).toContain("cut after record 4: 5 were there (an anchored checkpoint says so)");
  });

  it("takes several anchors", async () => {
    const { path, lines, keys, key, file } = log();
    const early = file("early", checkpoint(chain, lines.slice(0, 3), keys));
    const late = file("late", checkpoint(chain, lines, keys));
    for (const anchors of [
      [early, late],
      [late, early],
    ]) {
      const options = anchors.flatMap((each) => ["--anchor", each]);
      const { out } = await run([path, "--key", key, ...options]);
      expect(out).toContain("anchored up to record 5");
    }
    expect((await run([path, "--key", key, "--anchor", early])).out).toContain(
      "anchored up to record 3; the last 2 are covered by none, and a cut or a recomputed edit there would not show",
    );
  });

  it("P16 says whose log its checkpoints say it is, and takes no other for the one that is asked for", async () => {
    const { path, lines, keys, key } = log();
    writeFileSync(join(path, chain, "checkpoint"), checkpoint(chain, lines, keys));
    const { out } = await run([path]);
    expect(out).toContain("its checkpoints say that it is the log toolstile-audit");
    expect(JSON.parse((await run([path, "--json"])).out)).toMatchObject({
      origin: "toolstile-audit",
    });
    expect((await run([path, "--origin", "toolstile-audit"])).code).toBe(0);
    const other = await run([path, "--key", key, "--origin", "prod"]);
    expect(other.code).toBe(1);
    expect(other.out).toMatch(/L1 +signed +fails/);
  });

  it("P16 says for how many records the signatures hold, in the table, in the first line and as JSON", async () => {
    const { path, lines, keys, key } = log();
    writeChain(path, other, []);
    writeFileSync(join(path, chain, "checkpoint"), checkpoint(chain, lines.slice(0, 3), keys));
    const { code, out } = await run([path, "--key", key]);
    expect(code).toBe(0);
    expect(out).toContain("ok, 7 records in 2 chains, 3 of them signed\n");
    expect(out).toMatch(/L1 +signed +holds for 3 of 7 +It holds for 3 of 7 records; 4 at the ends/);
    const { levels } = JSON.parse((await run([path, "--key", key, "--json"])).out);
    expect(levels[1]).toMatchObject({ ok: true, covered: 3, uncovered: 4 });
  });

  it("P16 calls only those records good that a signature covers where a checkpoint contradicts the chain", async () => {
    const { path, lines, keys, key } = log();
    const forged = checkpoint(chain, [...lines.slice(0, 4), lines[0] ?? ""], keys);
    writeFileSync(join(path, chain, "checkpoint"), forged);
    const { code, out } = await run([path, "--key", key]);
    expect(code).toBe(1);
    expect(out).toMatch(/L1 +signed +fails +No record of the chain 'a+' is known/);
    expect(out).toContain("broken, 3 of the 8 records in 2 chains are good");
    expect(out).toContain("read up to record 5, ");
    expect(out).toContain("no record is known to be good");
    expect(out).not.toContain("last good");
  });

  it("tells a torn last line from a broken log, and ends with 1", async () => {
    const { path, segment } = log();
    writeFileSync(segment, readFileSync(segment, "utf8").slice(0, -10));
    const { code, out } = await run([path]);
    expect(code).toBe(1);
    expect(out).toMatch(/line 5: torn, [0-9]+ bytes without an end of line/);
  });

  it("prints its report as one JSON object", async () => {
    const { path } = log();
    const { code, out } = await run([path, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: true, records: 8, chains: [{ chain }, {}] });
    expect(out.trimEnd().split("\n")).toHaveLength(1);
  });

  it("ends with 2 when there is no log, or a key or an anchor cannot be read", async () => {
    const { path, key, at, file } = log();
    const empty = temporaryFolder().path;
    expect(await run([empty])).toMatchObject({ code: 2, out: "" });
    for (const options of [
      ["--key", at("none")],
      ["--key", file("bad", "no key")],
      ["--key", key, "--anchor", at("none")],
    ]) {
      const { code, out, err } = await run([path, ...options]);
      expect([code, out]).toEqual([2, ""]);
      expect(err).not.toBe("");
    }
  });

  it("says how an anchor comes to be when it is not there", async () => {
    const { path, at } = log();
    const { err } = await run([path, "--anchor", at("checkpoints")]);
    expect(err).toContain(`${at("checkpoints")}: there is no such file\nAn anchor is a copy of`);
    expect((await run([path, "--key", at("none")])).err).not.toContain("An anchor");
  });

  it("has options of a folder and of a file, and takes neither for the other", async () => {
    const { path, segment, key } = log();
    const head = `5:${"0".repeat(64)}`;
    expect((await run([path, "--expect", head])).err).toContain("--expect is for a file.");
    expect((await run([segment, "--anchor", key])).err).toContain("--anchor is for the folder");
    expect((await run([segment, "--origin", "x"])).err).toContain("--origin is for the folder");
  });
});

const whole: ChainReport = {
  chain,
  ok: true,
  segments: 2,
  records: 1_040,
  kinds: {
    segment: 2,
    head: 1,
    intent: 0,
    outcome: 1_035,
    gap: 0,
    repair: 1,
    checkpoint: 1,
    retention: 0,
    close: 0,
  },
  dropped: 0,
  head: { seq: 1_040, hash: "c".repeat(64) },
  good: { seq: 1_040, hash: "c".repeat(64) },
  tail: { closed: false, unprotected: 40, signed: 1_000 },
};

const report: FolderReport = {
  ok: true,
  records: 1_040,
  dropped: 0,
  levels: [],
  chains: [whole],
  payloads: { checked: 0, erased: 0, missing: 0 },
};

const colours = palette({ write: () => undefined }, {});

describe("the report of a folder", () => {
  it.each(["checkpoint", "manifest", "anchor"] as const)("says who sees a cut: %s", (seenBy) => {
    const tail = { ...whole.tail, cut: { after: 1_040, expected: 1_100, seenBy } };
    const chains = [{ ...whole, ok: false, tail }];
    const text = folderInWords("audit", { ...report, ok: false, chains }, colours);
    expect(text).toContain("audit: cut, 1,040 records in 1 chain are good");
    expect(text).toContain(`cut after record 1,040: 1,100 were there`);
    expect(text).toContain(`${seenBy === "anchor" ? "anchored checkpoint" : seenBy}`);
  });

  it("names the last good record where later ones were read", () => {
    const good = { seq: 1_000, hash: "d".repeat(64) };
    const firstBad = { file: "f", line: 9, seq: 1_041, reason: "it was changed" };
    const chains = [{ ...whole, ok: false, firstBad, good }];
    const text = folderInWords("audit", { ...report, ok: false, firstBad, chains }, colours);
    expect(text).toContain("audit: broken, 1,000 of the 1,040 records in 1 chain are good");
    expect(text).toContain("known to be good up to record 1,000: no signature");
    expect(text).toContain(`last good: 1000:${good.hash}`);
  });

  it("says of an anchored chain that is gone that nothing is there", () => {
    const cut = { after: 0, expected: 9, seenBy: "anchor" } as const;
    const gone: ChainReport = {
      ...whole,
      ok: false,
      records: 0,
      segments: 0,
      head: { seq: 0, hash: "0".repeat(64) },
      good: { seq: 0, hash: "0".repeat(64) },
      tail: { closed: false, unprotected: 0, anchored: 9, cut },
    };
    const text = folderInWords("audit", { ...report, ok: false, chains: [gone] }, colours);
    expect(text).toContain(`${chain}: not whole, 0 records in 0 segments`);
    expect(text).toContain("cut after record 0: 9 were there");
    expect(text).not.toContain("last: ");
  });

  it("speaks of one record as of one", () => {
    const tail = { ...whole.tail, unprotected: 1 };
    const chains = [{ ...whole, records: 1, tail }];
    const text = folderInWords("audit", { ...report, records: 1, chains }, colours);
    expect(text).toContain("the last one is covered by none, and");
    expect(text).toMatch(/, 1 record in 1 chain/);
    expect(text).toMatch(/: whole, 1 record in \d/);
    expect(text).not.toMatch(/\b1 records/);
  });

  it("counts removed, dropped and erased records, and repairs", () => {
    const chains = [{ ...whole, removedThrough: 500, removalHeldBy: "record" } as const];
    const payloads = { checked: 10, erased: 2, missing: 1 };
    const text = folderInWords("audit", { ...report, chains, payloads, dropped: 3 }, colours);
    expect(text).toContain("records up to 500 were removed by a recorded act: nothing but");
    expect(text).toContain("The writers dropped 3 records, and say so.");
    expect(text).toContain("10 compared, 2 erased, 1 missing");
    expect(text).toContain("repaired 1 time after a torn end");
    expect(text).toContain(
      "signed up to record 1,000; the last 40 are covered by none, and a cut or a recomputed edit there would not show",
    );
  });

  it("lets nothing that a terminal would obey out of a folder's names", () => {
    const evil = "\u001b[2J\u202e";
    const firstBad = { file: evil, line: 1, seq: 1, reason: evil };
    const chains = [{ ...whole, chain: evil, ok: false, firstBad }];
    const text = folderInWords(evil, { ...report, ok: false, firstBad, chains }, colours);
    expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  });
});
