import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditLog, folder, genesis, latestCalls } from "@toolstile/audit-log";

const nowhere = () => ({
  name: "nowhere",
  open: () => ({ head: genesis, cutBytes: 0 }),
  append() {},
  close() {},
});

const outcome = Object.freeze({
  status: "executed",
  executed: true,
  modifiedBy: [],
  result: { content: "" },
});
const call = (index) => ({
  runId: `run-${index}`,
  callId: `call-${index}`,
  requestedName: "search",
  toolName: "search",
  context: {},
  decisions: [],
  outcome,
  times: { askedAt: 1, dispatchedAt: 2, settledAt: 3 },
});

/** A log of so many calls in a folder, which is removed by `close`. */
async function logOf(n) {
  const place = mkdtempSync(join(tmpdir(), "toolstile-scale-"));
  const path = join(place, "audit");
  const log = auditLog({ sink: folder(path, { durability: "none", maxSegmentBytes: 1 << 22 }) });
  for (let index = 0; index < n; index += 1_000) {
    const count = Math.min(1_000, n - index);
    await Promise.all(Array.from({ length: count }, (_, more) => log.settle(call(index + more))));
  }
  await log.close();
  return { path, close: () => rmSync(place, { recursive: true }) };
}

/** @param {object} query */
const finding = (query) => async (n) => {
  const { path, close } = await logOf(n);
  return {
    run: async () => {
      const found = await latestCalls(path, { limit: 100, ...query });
      for await (const _ of found.newestFirst());
    },
    close,
  };
};

/** @type {import("../curves.mjs").Curve[]} */
export const curves = [
  {
    name: "finding the latest 100 calls",
    against: "records of the log",
    growth: "constant",
    sizes: [20_000, 60_000, 200_000],
    checked: [20_000, 60_000],
    at: finding({}),
  },
  {
    name: "finding the latest 100 calls of a session",
    against: "records of the log",
    growth: "n",
    sizes: [1_000, 10_000, 100_000],
    at: finding({ filter: { session: "anna" } }),
  },
  {
    name: "an audit log writes all that wait, half of them for room in its queue",
    against: "calls that wait",
    growth: "n",
    sizes: [1_000, 10_000, 100_000],
    checked: [4_000, 32_000],
    at(n) {
      const log = auditLog({ sink: nowhere(), maxQueued: n / 2, key: new Uint8Array(32) });
      const calls = Array.from({ length: n }, (_, index) => call(index));
      return { run: () => Promise.all(calls.map((each) => log.settle(each))) };
    },
  },
];
