import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type FolderReport, verifyFolder } from "../../src/index.js";
import { ChainVerifier } from "../../src/verify/chain-verifier.js";
import { ContentCheck } from "../../src/verify/content-check.js";
import { OriginCheck } from "../../src/verify/origin-check.js";
import { publicKey as key, LogFolder, segmentFile } from "./log-folder.js";

const isSoak = process.env["TOOLSTILE_SOAK"] === "1";

interface Place {
  readonly segment: number;
  readonly line: number;
  readonly seq: number;
}

/**
 * A log of about so many bytes, with a checkpoint at the end of each segment of
 * so many calls, whose last segment has records after the last checkpoint.
 */
function logOf(bytes: number, callsInSegment = 6): LogFolder {
  const log = new LogFolder();
  const segments = Math.max(2, Math.round(bytes / (bytesOfCall * callsInSegment + 700)));
  for (let segment = 1; segment <= segments; segment++) {
    for (let call = 0; call < callsInSegment; call++) log.call(`run-${segment}-${call}`);
    log.checkpoint();
    if (segment < segments) log.rotate();
  }
  return log.call("last-1").call("last-2").write();
}

function placesOf(log: LogFolder): readonly Place[] {
  return [...log.segments].flatMap(([segment, lines]) =>
    lines.map(({ seq }, index) => ({ segment, line: index + 1, seq })),
  );
}

/** What the verifier finds in one segment, read from memory: a file for each of a million flips takes too long. */
function foundIn(log: LogFolder, segment: number, bytes: Buffer): ChainVerifier {
  const content = new ContentCheck({
    chain: log.chain,
    key: undefined,
    origins: new OriginCheck(undefined),
    anchors: new Map(),
  });
  const records = new ChainVerifier({ content });
  content.segment = segment;
  records.beginSegment(segmentFile(segment));
  records.block(bytes);
  const next = log.segments.get(segment + 1)?.[0];
  records.endSegment(next === undefined);
  if (records.firstBad !== undefined || next === undefined) return records;
  content.segment = segment + 1;
  records.beginSegment(segmentFile(segment + 1));
  records.block(Buffer.from(`${next.text}\n`));
  return records;
}

/** Every so many flips, one is made in the file too, and the whole folder verified. */
const lookAtFiles = isSoak ? 20_011 : 997;
const bytesOfLog = isSoak ? 1 << 20 : 60_000;
const bytesOfCall = 366;
/** A soak takes minutes. */
const timeout = isSoak ? 3_600_000 : undefined;
const logOfRecords = () => (isSoak ? logOf(1 << 20, 60) : logOf(12_000));

describe(`a log of ${bytesOfLog} bytes`, { tags: "long" }, () => {
  const verified = (log: LogFolder): Promise<FolderReport> => verifyFolder(log.path, { key });

  it(
    "P16 detects a flip of any byte, and names its record",
    async () => {
      const log = logOf(bytesOfLog);
      let flips = 0;
      let files = 0;
      for (const segment of log.segments.keys()) {
        const file = log.file(segmentFile(segment));
        const bytes = readFileSync(file);
        expect(foundIn(log, segment, bytes).firstBad).toBeUndefined();
        for (let at = 0, line = 1; at < bytes.length; at++) {
          const was = bytes[at] ?? 0;
          bytes[at] = was ^ (1 << (at % 8));
          const { firstBad, torn } = foundIn(log, segment, bytes);
          const named = firstBad ?? torn;
          if (named?.line !== line || named.file !== segmentFile(segment)) {
            expect.fail(`segment ${segment}, byte ${at}, line ${line}: ${JSON.stringify(named)}`);
          }
          if (flips++ % lookAtFiles === 0) {
            writeFileSync(file, bytes);
            const report = await verified(log);
            files++;
            // A segment read by itself does not say which record its first line should have been.
            const seq = log.segments.get(segment)?.[line - 1]?.seq;
            const due = firstBad === undefined ? {} : { firstBad: { line, seq } };
            expect(report).toMatchObject({ ok: false, ...due });
          }
          bytes[at] = was;
          if (was === 0x0a) line++;
        }
        writeFileSync(file, bytes);
      }
      expect(flips).toBeGreaterThan(bytesOfLog * 0.8);
      if (isSoak) console.info({ flips, files, records: log.seq, segments: log.segments.size });
    },
    timeout,
  );

  it(
    "P16 detects any record that was dropped or swapped, and names the place",
    async () => {
      const log = logOfRecords();
      const places = placesOf(log);
      for (const { segment, line, seq } of places) {
        const lines = log.segments.get(segment) ?? [];
        const file = log.file(segmentFile(segment));
        const texts = lines.map(({ text }) => text);
        const write = (changed: readonly string[]) =>
          writeFileSync(file, changed.map((text) => `${text}\n`).join(""));
        write(texts.toSpliced(line - 1, 1));
        const dropped = await verified(log);
        const isLast = seq === log.seq;
        const due = {
          seq: seq + 1,
          file: `${log.chain}/${segmentFile(line < texts.length ? segment : segment + 1)}`,
        };
        if (isLast)
          expect(dropped).toMatchObject({ ok: true, chains: [{ tail: { unprotected: 2 } }] });
        else expect(dropped, `${seq} dropped`).toMatchObject({ ok: false, firstBad: due });
        if (line < texts.length) {
          const [one = "", other = ""] = texts.slice(line - 1, line + 1);
          write(texts.toSpliced(line - 1, 2, other, one));
          const swapped = await verified(log);
          expect(swapped, `${seq} swapped`).toMatchObject({
            ok: false,
            firstBad: { file: `${log.chain}/${segmentFile(segment)}`, line, seq: seq + 1 },
          });
        }
        write(texts);
      }
      expect((await verified(log)).ok).toBe(true);
      if (isSoak) console.info({ droppedOrSwapped: places.length, segments: log.segments.size });
    },
    timeout,
  );

  it(
    "P16 detects a cut at any record before the last checkpoint, and reports what it may not see",
    async () => {
      const log = logOfRecords();
      const anchor = log.anchor(...log.notes);
      const size = log.seq - 3;
      const last = Math.max(...log.segments.keys());
      for (const { segment, line, seq } of placesOf(log).toReversed()) {
        const lines = log.segments.get(segment)?.slice(0, line) ?? [];
        const text = lines.map((each) => `${each.text}\n`).join("");
        writeFileSync(log.file(segmentFile(segment)), text);
        if (segment < last) rmSync(log.file(segmentFile(segment + 1)), { force: true });
        const { ok, chains } = await verifyFolder(log.path, { key, anchor });
        const tail = chains[0]?.tail;
        if (seq < size) {
          expect(tail?.cut, `after ${seq}`).toEqual({
            after: seq,
            expected: size,
            seenBy: "anchor",
          });
          expect(ok).toBe(false);
        } else {
          expect({ ok, unprotected: tail?.unprotected }).toEqual({
            ok: true,
            unprotected: seq - size,
          });
        }
        writeFileSync(log.file(segmentFile(segment)), text.slice(0, -1));
        const torn = await verifyFolder(log.path, { key, anchor });
        expect([torn.ok, torn.chains[0]?.tail.torn?.line]).toEqual([false, line]);
      }
      if (isSoak) console.info({ cuts: log.seq, segments: log.segments.size });
    },
    timeout,
  );
});
