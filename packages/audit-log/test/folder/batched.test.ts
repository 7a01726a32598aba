import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { fakeClock } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { type Disk, diskAt } from "../../src/files/disk.js";
import { auditLog, type FolderOptions, folder, verifyFolder } from "../../src/index.js";
import { settledCall } from "../calls.js";
import { temporaryPath } from "../temporary.js";
import { randomFrom, SimulatedDisk } from "./simulated-disk.js";

const { privateKey } = generateKeyPairSync("ed25519");
const seeds = Array.from({ length: 40 }, (_, seed) => seed);
const call = (index: number) => settledCall({ runId: `run-${index}` });

function open(path: string, disk: Disk, options: FolderOptions = {}) {
  const clock = fakeClock(1_000);
  const { now } = clock;
  const sink = folder(path, {
    disk,
    durability: "batched",
    syncAfterMs: 50,
    signingKey: false,
    now,
    timers: clock,
    ...options,
  });
  return { clock, log: auditLog({ sink, key: Buffer.alloc(32, 1), now, timers: clock }) };
}

/** Lets a simulated disk do what it has begun: it pauses for a few microtasks at most. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

/** How many of the calls are on the disk after a loss of power. */
function survivors(disk: SimulatedDisk): number {
  disk.restart();
  const texts = disk.list("").map((chain) => disk.read(`${chain}/00000001.jsonl`) ?? "");
  return new Set(texts.join("").match(/run-\d+/g)).size;
}

/** The machine's disk, whose syncs wait until the test has each end well or badly. */
function heldDisk(path: string) {
  const syncs: ((error?: Error) => void)[] = [];
  const gate = { isHeld: false };
  const real = diskAt(path);
  const disk: Disk = {
    ...real,
    open: (name) => {
      const file = real.open(name);
      const held = () =>
        new Promise<void>((resolve, reject) =>
          syncs.push((error) => (error === undefined ? resolve() : reject(error))),
        );
      return { ...file, sync: () => (gate.isHeld ? held() : file.sync()) };
    },
  };
  return { disk, syncs, gate };
}

describe('durability "batched"', () => {
  it("P16 has a record on the disk once its time is over, though nothing more is asked of the log", async () => {
    let lostBefore = 0;
    for (const seed of seeds) {
      const ahead = new SimulatedDisk(randomFrom(seed));
      const early = open("nowhere", ahead);
      for (const index of [1, 2, 3]) await early.log.settle(call(index));
      early.clock.advance(49);
      await settled();
      if (survivors(ahead) < 3) lostBefore++;

      const disk = new SimulatedDisk(randomFrom(seed));
      const { clock, log } = open("nowhere", disk);
      for (const index of [1, 2, 3]) await log.settle(call(index));
      clock.advance(50);
      await settled();
      expect(survivors(disk), `seed ${seed}`).toBe(3);
    }
    // The disk is one that loses what nobody synced: else this would show nothing.
    expect(lostBefore).toBeGreaterThan(seeds.length / 4);
  });

  it("syncs what came while it synced after another interval, and rests when there is nothing", async () => {
    const path = temporaryPath("audit");
    const { disk, syncs, gate } = heldDisk(path);
    const { clock, log } = open(path, disk);
    await log.settle(call(1));
    gate.isHeld = true;
    clock.advance(50);
    expect(syncs).toHaveLength(1);
    await log.settle(call(2));
    syncs[0]?.();
    clock.advance(49);
    expect(syncs).toHaveLength(1);
    clock.advance(1);
    expect(syncs).toHaveLength(2);
    syncs[1]?.();
    await settled();
    clock.advance(1_000);
    expect(syncs).toHaveLength(2);
    gate.isHeld = false;
    await log.close();
  });

  it("waits with one timer, however many records come, and with none once it is closed", async () => {
    const path = temporaryPath("audit");
    const { clock, log } = open(path, diskAt(path));
    await log.settle(call(0));
    const waiting = clock.waiting();
    for (let index = 1; index < 20; index++) await log.settle(call(index));
    expect(clock.waiting()).toBe(waiting);
    await log.close();
    expect(clock.waiting()).toBe(0);
  });

  it("P16 has all that was written on the disk when it is closed, before any timer", async () => {
    for (const seed of seeds) {
      const disk = new SimulatedDisk(randomFrom(seed));
      const { log } = open("nowhere", disk);
      await Promise.all([1, 2, 3].map((index) => log.settle(call(index))));
      await log.close();
      expect(survivors(disk), `seed ${seed}`).toBe(3);
    }
  });

  it("P16 takes no more records once a sync of its timer has failed, and says so when it is closed", async () => {
    for (const isAsked of [true, false]) {
      const disk = new SimulatedDisk(randomFrom(1));
      const { clock, log } = open("nowhere", disk);
      await log.settle(call(1));
      disk.failIn(1, "sync");
      clock.advance(50);
      await settled();
      expect(disk.happened.sync).toBe(1);
      // Later syncs of this disk succeed, and write nothing of what the failed one lost.
      if (isAsked) {
        await expect(log.settle(call(2))).rejects.toThrow(/EIO/);
        await expect(log.settle(call(3))).rejects.toThrow(/EIO/);
        await log.close();
      } else {
        await expect(log.close()).rejects.toThrow();
      }
      const texts = disk.list("").map((chain) => disk.read(`${chain}/00000001.jsonl`) ?? "");
      expect(texts.join("")).not.toMatch(/run-[23]|"kind":"close"/);
    }
  });

  it.each([
    ["is closed", (log: ReturnType<typeof open>["log"]) => log.close()],
    ["signs a checkpoint", (log: ReturnType<typeof open>["log"]) => log.checkpoint()],
  ])("P16 fails when it %s while a sync of its timer is under way that fails", async (_, act) => {
    const path = temporaryPath("audit");
    const { disk, syncs, gate } = heldDisk(path);
    const { clock, log } = open(path, disk, { signingKey: privateKey });
    await log.settle(call(1));
    gate.isHeld = true;
    clock.advance(50);
    // Syncs that begin from here on succeed at once, as they do after one has lost its bytes.
    gate.isHeld = false;
    const acting = act(log);
    const failing = expect(acting).rejects.toThrow();
    // It has time to come to its end, if it does not wait for that sync.
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    syncs[0]?.(Object.assign(new Error("disk"), { code: "EIO" }));
    await failing;
    await log.close().catch(() => {});
  });

  it("keeps no process alive that has not closed it, and is read as whole after that", {
    tags: "long",
  }, async () => {
    const path = temporaryPath("audit");
    const writer = fileURLToPath(new URL("unclosed-writer.mjs", import.meta.url));
    const child = spawn(process.execPath, ["--conditions=@toolstile/source", writer, path], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    expect(await once(child, "close")).toEqual([0, null]);
    expect(await verifyFolder(path, { key: `${path}.public.pem` })).toMatchObject({ ok: true });
  });
});
