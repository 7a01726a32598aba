import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeClock } from "@toolstile/testing";
import { expect, inject, it } from "vitest";
import { type AuditLog, auditLog, folder, verifyFolder } from "../../src/index.js";
import { settledCall } from "../calls.js";
import { temporaryPath } from "../temporary.js";
import { type Fault, randomFrom, SimulatedDisk } from "./simulated-disk.js";
import { wholeChain } from "./whole-chain.js";

const isSoak = process.env.TOOLSTILE_SOAK === "1";
const seeds = isSoak ? 10_000 : inject("long") ? 500 : 50;
const { TOOLSTILE_SOAK_FROM = "1", TOOLSTILE_SOAK_TO = String(seeds) } = process.env;
const [firstSeed, lastSeed] = [Number(TOOLSTILE_SOAK_FROM), Number(TOOLSTILE_SOAK_TO)];
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const path = join(import.meta.dirname, "no-such-folder");
const key = Buffer.alloc(32, 1);
const callers = 3;

interface Life {
  readonly disk: SimulatedDisk;
  readonly random: () => number;
  readonly clock: ReturnType<typeof fakeClock>;
  readonly acknowledged: string[];
  readonly retention: { maxSegments: number } | undefined;
  count: number;
}

function open({ disk, clock, retention }: Life): AuditLog {
  const { now } = clock;
  const sink = folder(path, {
    disk,
    signingKey: privateKey,
    maxSegmentBytes: 3_000,
    checkpointEvery: 9,
    retention,
    now,
    timers: clock,
  });
  return auditLog({ sink, key, payloads: "beside", now, timers: clock });
}

/** Calls until the disk fails or there were enough. */
async function write(life: Life, log: AuditLog): Promise<void> {
  await Promise.allSettled(
    Array.from({ length: callers }, async () => {
      for (let index = 0; index < 4; index++) {
        const runId = `run-${life.count++}`;
        await log.settle(settledCall({ runId }));
        life.acknowledged.push(runId);
        if (life.random() < 0.05) await log.checkpoint();
      }
    }),
  );
}

async function live(life: Life): Promise<void> {
  const { disk, random, clock } = life;
  const kinds: readonly Fault[] = ["power", "power", "power", "sync", "full"];
  disk.failIn(1 + Math.floor(random() * 60), kinds[Math.floor(random() * kinds.length)] ?? "power");
  clock.advance(1_000);
  try {
    const log = open(life);
    await write(life, log);
    // A dead process closes nothing.
    await log.close().catch(() => {});
  } catch {
    // It died while it opened the log.
  }
  if (random() < 0.8) disk.restart();
  else disk.forget();
}

/** Writes, fails and starts again a few times, then once without a fault. */
async function lifeOf(seed: number) {
  const random = randomFrom(seed);
  const disk = new SimulatedDisk(random);
  const retention = random() < 0.2 ? { maxSegments: 3 } : undefined;
  const life: Life = {
    disk,
    random,
    clock: fakeClock(1_000),
    acknowledged: [],
    retention,
    count: 0,
  };
  for (let round = 2 + Math.floor(random() * 2); round > 0; round--) await live(life);
  disk.restart();
  const log = open(life);
  await write(life, log);
  await log.close();
  return life;
}

async function verified(disk: SimulatedDisk) {
  const copy = temporaryPath("audit");
  for (const chain of disk.list("")) {
    mkdirSync(join(copy, chain), { recursive: true });
    for (const name of disk.list(chain)) {
      writeFileSync(join(copy, chain, name), disk.read(`${chain}/${name}`) ?? "");
    }
  }
  return verifyFolder(copy, { key: publicKey });
}

it(`P16 loses no acknowledged record, and mends every chain, on a disk that fails (${seeds} seeds)`, {
  tags: "longer",
  timeout: 900_000,
}, async () => {
  const happened: Record<string, number> = {};
  const tally = (name: string, count: number) => {
    happened[name] = (happened[name] ?? 0) + count;
  };
  for (let seed = firstSeed; seed <= lastSeed; seed++) {
    const life = await lifeOf(seed);
    const chains = life.disk.list("");
    // No crash is taken for damage, so no chain is left behind.
    expect(chains, `seed ${seed}`).toHaveLength(1);
    const records = wholeChain(life.disk, chains[0] as string);
    expect(records.at(-1)?.kind, `seed ${seed}`).toBe("close");
    const written = new Set(records.map(({ runId }) => runId));
    const lost = life.acknowledged.filter((runId) => !written.has(runId));
    if (life.retention === undefined) expect(lost, `seed ${seed}`).toEqual([]);
    if (seed % 100 === 0 || life.retention !== undefined) {
      const report = await verified(life.disk);
      expect(report.firstBad, `seed ${seed}`).toBeUndefined();
      expect(report.ok, `seed ${seed}`).toBe(true);
    }
    tally("acknowledged", life.acknowledged.length);
    tally("repairs", records.filter(({ kind }) => kind === "repair").length);
    for (const [name, count] of Object.entries(life.disk.happened)) tally(name, count);
    if (isSoak && seed % 500 === 0) console.info(seed, JSON.stringify(happened));
  }
  for (const name of ["power", "sync", "full", "torn", "zeroed", "renameLost", "repairs"]) {
    expect(happened[name], name).toBeGreaterThan((lastSeed - firstSeed) / 50);
  }
});
