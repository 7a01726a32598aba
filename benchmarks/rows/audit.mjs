import { hash } from "node:crypto";
import { fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditLog, folder, memory, verify, verifyFolder } from "@toolstile/audit-log";
import { mail } from "../mail.mjs";

const inFlight = 1_024;
/** So few, because each takes as long as dozens of ours. */
const appended = 128;
const batch = 256;
const megabyte = 1 << 20;

const allowed = Object.freeze(
  ["allowlist", "schema", "rate-limit", "result-linkage", "own-rule"].map((provider) =>
    Object.freeze({ provider, phase: "call", decision: "allow", basis: "policy" }),
  ),
);

let made = 0;
/** A call as the runner tells of it: before its tool, and when it is over. */
function told() {
  const runId = `run-${++made}`;
  const args = Object.freeze(structuredClone(mail));
  const intent = {
    runId,
    callId: `call_${made}`,
    requestedName: "send_mail",
    toolName: "send_mail",
    askedArgs: args,
    args,
    context: { sessionId: `session-${made % 100}` },
    decisions: allowed,
    times: { askedAt: 1_790_000_000_000, dispatchedAt: 1_790_000_000_001 },
  };
  const outcome = {
    runId,
    callId: intent.callId,
    askedArgs: args,
    usedArgs: args,
    modifiedBy: [],
    decisions: allowed,
    result: { callId: intent.callId, name: "send_mail", isError: false, content: "sent" },
    status: "executed",
    executed: true,
    value: "sent",
  };
  return {
    intent,
    settled: { ...intent, outcome, times: { ...intent.times, settledAt: 1_790_000_000_002 } },
  };
}

/** Made once: what the runner hands over is made by the time that the log is told. */
const calls = Array.from({ length: 4_096 }, told);
let turn = 0;
function nextCall() {
  turn = turn + 1 === calls.length ? 0 : turn + 1;
  return calls[turn];
}

function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "toolstile-bench-"));
  process.once("exit", () => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Every row is read in the process of each: what only one of them needs is made when it is first used. */
function lazily(make) {
  let run;
  return () => {
    run ??= make();
    return run();
  };
}

/** So many at once. */
const together = (count, begin) => () => Promise.all(Array.from({ length: count }, begin));

function writeAhead() {
  const log = auditLog({
    sink: folder(join(temporaryFolder(), "audit"), { retention: { maxSegments: 2 } }),
  });
  return async () => {
    const { intent, settled } = nextCall();
    // Arguments of its own, whose digest no earlier turn can have left behind.
    const args = Object.freeze({ ...intent.args });
    await log.intent({ ...intent, askedArgs: args, args });
    await log.settle({ ...settled, askedArgs: args, args });
    return true;
  };
}

/** A record's line, as programs commonly log it. */
function appending() {
  const path = join(temporaryFolder(), "plain.jsonl");
  const line = `${JSON.stringify(nextCall().settled)}\n`;
  return () => appendFile(path, line);
}

/** Two writes of about a record's length, each followed by a sync. */
function twoSyncs() {
  const file = openSync(join(temporaryFolder(), "synced.jsonl"), "a");
  const line = Buffer.alloc(900, "x");
  return async () => {
    for (let index = 0; index < 2; index++) {
      writeSync(file, line);
      fdatasyncSync(file);
    }
    return true;
  };
}

/** A log of about so many bytes, on the disk and in memory. */
async function logOf(bytes) {
  const path = join(temporaryFolder(), "audit");
  const [kept, onDisk] = [memory({ maxRecords: 100_000 }), folder(path, { durability: "none" })];
  for (const sink of [kept, onDisk]) {
    const log = auditLog({ sink });
    const count = Math.ceil(bytes / 1_000);
    await Promise.all(Array.from({ length: count }, () => log.settle(nextCall().settled)));
    await log.close();
  }
  return { path, bytes: Buffer.from(`${kept.lines.join("\n")}\n`) };
}

let log;
/** Made by the row's setup, which comes before the reference. */
async function logToVerify() {
  log ??= await logOf(4 * megabyte);
}
const hashing = { unit: "SHA-256", run: () => hash("sha256", log.bytes) };

export const rows = [
  {
    name: `audit record, hashing included, ${batch} at a time, in memory`,
    goal: 4,
    reference: {
      unit: "C",
      run() {
        for (let index = 0; index < batch; index++) structuredClone(mail);
        return true;
      },
    },
    async setup() {
      const audit = auditLog({ sink: memory({ maxRecords: 1_000 }) });
      return async () => {
        await Promise.all(Array.from({ length: batch }, () => audit.settle(nextCall().settled)));
        return true;
      };
    },
  },
  {
    // The goal of 100,000 calls a second is 10,240,000 ns a turn.
    name: `two records of each of ${inFlight} calls on the disk, write-ahead, all in flight, against ${appended} records by fs.appendFile without a sync`,
    goal: undefined,
    reference: { unit: "of its time", run: lazily(() => together(appended, appending())) },
    setup: async () => together(inFlight, writeAhead()),
  },
  {
    name: "two records of one call on the disk, write-ahead, alone, against two writes with fdatasync",
    goal: 200_000,
    difference: true,
    reference: { unit: "ns more", run: lazily(twoSyncs) },
    setup: async () => writeAhead(),
  },
  {
    name: "audit verify of a file, against SHA-256 of the same bytes",
    goal: 4,
    reference: hashing,
    async setup() {
      await logToVerify();
      return async () => {
        const { ok } = await verify(log.bytes);
        if (!ok) throw new Error("The log is not whole.");
        return true;
      };
    },
  },
  {
    name: "audit verify of a folder, signatures not asked for, against SHA-256 of about the same bytes",
    goal: 4,
    reference: hashing,
    async setup() {
      await logToVerify();
      return async () => {
        const { ok } = await verifyFolder(log.path);
        if (!ok) throw new Error("The log is not whole.");
        return true;
      };
    },
  },
];
