import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { auditLog, type FolderOptions, folder, jsonLines, verifyFolder } from "../../src/index.js";
import { settledCall } from "../calls.js";
import { temporaryPath } from "../temporary.js";

const planted = "0".repeat(16);
const canMakePipes = spawnSync("mkfifo", ["--version"], { stdio: "ignore" }).status === 0;

/** A folder of logs, and beside it somebody else's files. */
function places() {
  const path = temporaryPath("audit");
  const victim = join(dirname(path), "victim");
  mkdirSync(path);
  mkdirSync(victim);
  writeFileSync(join(victim, "00000001.jsonl"), "precious");
  const text = () => readFileSync(join(victim, "00000001.jsonl"), "utf8");
  return { path, victim, text };
}

async function write(path: string, options: FolderOptions = {}): Promise<string> {
  const sink = folder(path, options);
  const log = auditLog({ sink, payloads: "beside" });
  const { chain = "" } = sink;
  await log.settle(settledCall());
  await log.close();
  return chain;
}

const pipe = (path: string) => expect(spawnSync("mkfifo", [path]).status).toBe(0);

type Plant = (chain: string, victim: string) => void;
const within = (name: string, plant: Plant): Plant => {
  return (chain, victim) => {
    mkdirSync(chain);
    plant(join(chain, name), victim);
  };
};
const link: Plant = (path, victim) => symlinkSync(join(victim, "00000001.jsonl"), path);
const files = ["00000001.jsonl", "00000001.payloads.jsonl", "checkpoint", "manifest.json"];

const plants: readonly (readonly [string, Plant])[] = [
  ["a link in a chain's place", (chain, victim) => symlinkSync(victim, chain)],
  ["a file in a chain's place", (chain) => writeFileSync(chain, "x")],
  ...files.map((name) => [`a link in the place of ${name}`, within(name, link)] as const),
  ...files.map(
    (name) => [`a folder in the place of ${name}`, within(name, (at) => mkdirSync(at))] as const,
  ),
  ["a link in the place of the lock", within("lock", link)],
  ["a folder in the place of the lock", within("lock", (at) => mkdirSync(at))],
];

const pipes: readonly (readonly [string, Plant])[] = ["lock", ...files].map(
  (name) => [`a pipe in the place of ${name}`, within(name, pipe)] as const,
);

async function expectPassedBy(plant: Plant): Promise<void> {
  const { path, victim, text } = places();
  plant(join(path, planted), victim);
  const chain = await write(path);
  expect(chain).not.toBe(planted);
  expect(text()).toBe("precious");
  expect(readdirSync(victim)).toEqual(["00000001.jsonl"]);
  const { chains } = await verifyFolder(path, { key: `${path}.public.pem` });
  expect(chains.find((each) => each.chain === chain)).toMatchObject({ ok: true });
  expect(() => folder(path, { writer: planted }).open()).toThrow(/damaged|Another writer has/);
}

it.each(plants)("P16 passes by %s, and begins a chain of its own", async (_, plant) => {
  await expectPassedBy(plant);
});

it.skipIf(!canMakePipes).each(pipes)("P16 does not wait at %s", async (_, plant) => {
  await expectPassedBy(plant);
});

it("P16 follows no link that stands where a draft is to be written", async () => {
  const { path, victim, text } = places();
  for (const name of ["checkpoint", "manifest.json", "00000001.jsonl"]) {
    mkdirSync(join(path, "agent"), { recursive: true });
    symlinkSync(join(victim, "00000001.jsonl"), join(path, "agent", `${name}.new`));
  }
  await write(path, { writer: "agent" });
  expect(text()).toBe("precious");
  expect(await verifyFolder(path, { key: `${path}.public.pem` })).toMatchObject({ ok: true });
});

it.skipIf(!canMakePipes)(
  "P16 stops, and waits for nobody, when its next segment is a pipe",
  async () => {
    const { path } = places();
    const options = { writer: "agent", maxSegmentBytes: 1 };
    const log = auditLog({ sink: folder(path, options), required: true });
    await log.settle(settledCall());
    const next = readdirSync(join(path, "agent")).filter((name) =>
      /^\d+\.jsonl$/.test(name),
    ).length;
    pipe(join(path, "agent", `${String(next + 1).padStart(8, "0")}.jsonl`));
    await expect(log.settle(settledCall())).rejects.toThrow(/stopped for good.*ENOTREG/);
    await log.close().catch(() => {});
  },
);

it.skipIf(!canMakePipes)("P16 takes no pipe for a file of JSON lines, nor for its lock", () => {
  const path = temporaryPath("audit.jsonl");
  pipe(path);
  expect(() => jsonLines(path).open()).toThrow(/Expected a regular file/);
  rmSync(path);
  pipe(`${path}.lock`);
  expect(() => jsonLines(path).open()).toThrow(/Another writer has this audit log/);
});

it.skipIf(!canMakePipes)(
  "P15 refuses a pipe or a device in the place of a key file, and waits for neither",
  () => {
    const path = temporaryPath("audit.jsonl");
    pipe(`${path}.key`);
    expect(() => auditLog({ sink: jsonLines(path) })).toThrow("key file cannot be read");
    rmSync(`${path}.key`);
    symlinkSync("/dev/zero", `${path}.key`);
    expect(() => auditLog({ sink: jsonLines(path) })).toThrow("key file cannot be read");
  },
);
