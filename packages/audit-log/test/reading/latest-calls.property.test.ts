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
  readonly tenant?: unknown;
  readonly status?: unknown;
  readonly toolName?: unknown;
  readonly requestedName?: unknown;
  readonly code?: unknown;
  readonly decisions?: readonly {
    readonly provider?: unknown;
    readonly decision?: unknown;
    readonly code?: unknown;
  }[];
}

function fits({ record }: Found, filter: RecordFilter): boolean {
  const { time } = record;
  const members = record as Members & typeof record;
  const decisions = members.decisions ?? [];
  return (
    [filter.runId ?? members.runId].includes(members.runId) &&
    (filter.session === undefined || members.session?.id === filter.session) &&
    (filter.principal === undefined || members.principal === filter.principal) &&
    (filter.tenant === undefined || members.tenant === filter.tenant) &&
    (filter.status === undefined || members.status === filter.status) &&
    (filter.tool === undefined ||
      [members.toolName, members.requestedName].includes(filter.tool)) &&
    (filter.from === undefined || (time !== null && time >= filter.from)) &&
    (filter.to === undefined || (time !== null && time < filter.to)) &&
    ((filter.provider === undefined &&
      filter.decision === undefined &&
      [undefined, members.code].includes(filter.code)) ||
      decisions.some(
        ({ provider, decision, code }) =>
          (filter.provider ?? provider) === provider &&
          (filter.decision ?? decision) === decision &&
          (filter.code ?? code) === code,
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

/** The latest calls, by reading the whole log: always the latest of the chains' last ones. */
function readWhole(path: string, { filter, until, onlyOpen, limit }: Query) {
  const isInTime = ({ record: { time } }: Found) =>
    until === undefined || (time !== null && time < until);
  const through = new Map<string, number>();
  let dropped = 0;
  const callsOf = (records: readonly Found[]) => {
    const open = new Map<unknown, Found>();
    const over: Found[] = [];
    for (const found of records) {
      const { kind, runId } = found.record as Found["record"] & Members;
      if (kind !== "gap") open.delete(runId);
      if (kind === "intent") open.set(runId, found);
      if (kind === "outcome" && !onlyOpen && isInTime(found)) over.push(found);
    }
    return { open: [...open.values()].filter(isInTime), over };
  };
  const chains = readdirSync(path)
    .toSorted()
    .map((chain) => {
      const records = recordsOf(path, chain).filter(
        (found) => ["intent", "outcome", "gap"].includes(found.record.kind) && fits(found, filter),
      );
      for (const { record } of records) {
        through.set(chain, Math.max(record.seq, through.get(chain) ?? 0));
        const count = record["dropped"];
        if (record.kind === "gap" && typeof count === "number") dropped += count;
      }
      // Of a chain whose last segment has more than enough, calls before it are not looked for.
      const last = `${chain}/${readdirSync(join(path, chain)).toSorted().at(-1)}`;
      const ofLast = callsOf(records.filter(({ file }) => file === last));
      return ofLast.over.length > limit ? ofLast : callsOf(records);
    });
  const rest = chains.map(({ over }) => ({ over: [...over], time: Number.POSITIVE_INFINITY }));
  const latest: Found[] = [];
  while (latest.length < limit) {
    const lasts = rest
      .filter(({ over }) => over.length > 0)
      .map((chain) => ({
        chain,
        time: Math.min(chain.time, chain.over.at(-1)?.record.time ?? chain.time),
      }));
    const last = lasts.reduce<(typeof lasts)[0] | undefined>(
      (best, each) => (best === undefined || each.time >= best.time ? each : best),
      undefined,
    );
    if (last === undefined) break;
    last.chain.time = last.time;
    latest.unshift(last.chain.over.pop() as Found);
  }
  const begun = chains.flatMap(({ open }) => open);
  const time = ({ record }: Found) => record.time ?? Number.MAX_SAFE_INTEGER;
  const calls =
    begun.length === 0
      ? latest
      : [...latest, ...begun].sort((one, other) => time(one) - time(other)).slice(-limit);
  const total = chains.flatMap(({ over, open }) => [...over, ...open]).length;
  return { calls, hasEarlier: total > calls.length, dropped, through };
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

it("finds the same latest calls as reading the whole log does", {
  tags: "longer",
}, async () => {
  const folder = temporaryPath("logs");
  let count = 0;
  await fc.assert(
    fc.asyncProperty(anyLog, query, async (log, asked) => {
      const path = join(folder, String(count++));
      writeLog(path, log);
      const { newestFirst, through, hasEarlier, dropped } = await latestCalls(path, asked);
      const calls = (await all(newestFirst())).reverse();
      const expected = readWhole(path, asked);
      expect(calls).toEqual(expected.calls);
      expect(hasEarlier).toBe(expected.hasEarlier);
      expect(dropped).toBeLessThanOrEqual(expected.dropped);
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
