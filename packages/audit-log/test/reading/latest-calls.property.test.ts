import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, inject, it } from "vitest";
import { latestCalls, type RecordFilter, readRecords } from "../../src/index.js";
import { temporaryPath } from "../temporary.js";
import { anyFilter, anyLog, type Found, writeLog } from "./any-log.js";

/** Every record of a chain, each line parsed, from the beginning. */
function recordsOf(path: string, chain: string): readonly Found[] {
  const found: Found[] = [];
  for (const segment of readdirSync(join(path, chain)).toSorted()) {
    const lines = readFileSync(join(path, chain, segment), "utf8")
      .split("\n")
      .slice(0, -1);
    for (const [index, text] of lines.entries()) {
      try {
        const record = JSON.parse(text);
        const { seq, kind, time } = record;
        const isRecord = typeof kind === "string" && (time === null || typeof time === "number");
        if (!isRecord || !Number.isSafeInteger(seq)) continue;
        found.push({ chain, file: `${chain}/${segment}`, line: index + 1, record });
      } catch {
        // No record.
      }
    }
  }
  return found;
}

/** The members that a filter asks for. */
interface Members {
  readonly runId?: unknown;
  readonly session?: { readonly id?: unknown };
  readonly principal?: unknown;
  readonly status?: unknown;
  readonly toolName?: unknown;
  readonly requestedName?: unknown;
  readonly decisions?: readonly { readonly provider?: unknown; readonly decision?: unknown }[];
}

function fits({ record }: Found, filter: RecordFilter): boolean {
  const { time } = record;
  const members = record as Members & typeof record;
  const decisions = members.decisions ?? [];
  return (
    [filter.runId ?? members.runId].includes(members.runId) &&
    (filter.session === undefined || members.session?.id === filter.session) &&
    (filter.principal === undefined || members.principal === filter.principal) &&
    (filter.status === undefined || members.status === filter.status) &&
    (filter.tool === undefined ||
      [members.toolName, members.requestedName].includes(filter.tool)) &&
    (filter.from === undefined || (time !== null && time >= filter.from)) &&
    (filter.to === undefined || (time !== null && time < filter.to)) &&
    ((filter.provider === undefined && filter.decision === undefined) ||
      decisions.some(
        ({ provider, decision }) =>
          (filter.provider ?? provider) === provider && (filter.decision ?? decision) === decision,
      ))
  );
}

/** Those that fit, always the earliest of the chains' next ones. */
function merged(path: string, filter: RecordFilter, kinds?: readonly string[]): readonly Found[] {
  const chains = readdirSync(path)
    .toSorted()
    .map((chain) => ({
      rest: recordsOf(path, chain).filter(
        (found) => fits(found, filter) && (kinds?.includes(found.record.kind) ?? true),
      ),
      last: Number.NEGATIVE_INFINITY,
    }));
  const all: Found[] = [];
  for (;;) {
    const next = chains
      .filter(({ rest }) => rest.length > 0)
      .map((chain) => ({ chain, time: chain.rest[0]?.record.time ?? chain.last }))
      .reduce<{ chain: (typeof chains)[0]; time: number } | undefined>(
        (first, each) => (first === undefined || each.time < first.time ? each : first),
        undefined,
      );
    if (next === undefined) return all;
    next.chain.last = next.time;
    const [first, ...rest] = next.chain.rest;
    next.chain.rest = rest;
    all.push(first as Found);
  }
}

interface Query {
  readonly filter: Omit<RecordFilter, "kind">;
  readonly until: number | undefined;
  readonly onlyOpen: boolean;
  readonly limit: number;
}

/** The latest calls, by reading the whole log from its beginning. */
function readFromTheBeginning(path: string, { filter, until, onlyOpen, limit }: Query) {
  const isInTime = ({ record: { time } }: Found) =>
    until === undefined || (time !== null && time < until);
  const open = new Map<string, Found>();
  const over: Found[] = [];
  const through = new Map<string, number>();
  let dropped = 0;
  for (const found of merged(path, filter, ["intent", "outcome", "gap"])) {
    const { kind, seq } = found.record;
    through.set(found.chain, Math.max(seq, through.get(found.chain) ?? 0));
    const run = `${found.chain}/${String(found.record["runId"])}`;
    const count = found.record["dropped"];
    if (kind === "gap" && typeof count === "number") dropped += count;
    if (kind !== "gap") open.delete(run);
    if (kind === "intent") open.set(run, found);
    if (kind !== "outcome") continue;
    if (!onlyOpen && isInTime(found)) over.push(found);
  }
  const begun = [...open.values()].filter(isInTime);
  const time = ({ record }: Found) => record.time ?? Number.MAX_SAFE_INTEGER;
  const latest = over.slice(-limit);
  const calls =
    begun.length === 0
      ? latest
      : [...latest, ...begun].sort((one, other) => time(one) - time(other)).slice(-limit);
  return { calls, total: over.length + begun.length, dropped, through };
}

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const found: Value[] = [];
  for await (const value of values) found.push(value);
  return found;
}

const query: fc.Arbitrary<Query> = fc.record({
  filter: anyFilter,
  until: fc.constantFrom(undefined, undefined, 3, 1_795_839_193_001),
  onlyOpen: fc.constantFrom(false, false, false, true),
  limit: fc.constantFrom(1, 2, 5, 100),
});

it("finds the same latest calls as reading the whole log from its beginning does", {
  tags: "longer",
}, async () => {
  const folder = temporaryPath("logs");
  let count = 0;
  await fc.assert(
    fc.asyncProperty(anyLog, query, async (log, asked) => {
      const path = join(folder, String(count++));
      writeLog(path, log);
      const { newestFirst, through, ...counts } = await latestCalls(path, asked);
      const calls = (await all(newestFirst())).reverse();
      const expected = readFromTheBeginning(path, asked);
      expect(calls).toEqual(expected.calls);
      expect(counts).toEqual({ total: expected.total, dropped: expected.dropped });
      expect([...through].filter(([, seq]) => seq > 0)).toEqual([...expected.through].toSorted());
    }),
    { numRuns: inject("long") ? 1_000 : 100 },
  );
});

it("reads the same records as parsing every line does", { tags: "longer" }, async () => {
  const folder = temporaryPath("logs");
  let count = 0;
  await fc.assert(
    fc.asyncProperty(anyLog, anyFilter, async (log, filter) => {
      const path = join(folder, String(count++));
      writeLog(path, log);
      expect(await all(readRecords(path, { filter }))).toEqual(merged(path, filter));
    }),
    { numRuns: inject("long") ? 1_000 : 100 },
  );
});
