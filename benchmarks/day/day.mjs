// A day of a busy installation in one process, compressed: npm run bench -- --day.
// Everything goes on in ten hours, each with a tenth of each part, and after each hour the process is looked at.
import { readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { heapUsed } from "@toolstile/testing/heap";
import { part as approvals } from "./approvals.mjs";
import { part as audit } from "./audit.mjs";
import { part as calls } from "./calls.mjs";
import { part as reloads } from "./reloads.mjs";
import { part as sessions } from "./sessions.mjs";

const hours = 10;
const share = Number(process.argv[2] ?? 1);
const parts = [calls, reloads, approvals, sessions, audit];

const started = await Promise.all(
  parts.map(async (part) => ({ ...part, ...(await part.start()) })),
);
const amountOf = (part) => Math.max(1, Math.round((part.total * share) / hours));

// What is made once, code that is optimised too, is there before the first look.
for (const part of started) await part.run(Math.max(1, Math.round(amountOf(part) / 50)));
tail();
const looks = [await look()];
const loop = monitorEventLoopDelay({ resolution: 1 });
for (let hour = 1; hour <= hours; hour++) {
  const taken = {};
  let longest = { ns: 0, part: "" };
  loop.reset();
  for (const part of started) {
    process.stderr.write(`hour ${hour} of ${hours}: ${part.name}\n`);
    const before = process.cpuUsage();
    loop.enable();
    await part.run(amountOf(part));
    loop.disable();
    if (loop.max > longest.ns) longest = { ns: loop.max, part: part.name };
    const { user, system } = process.cpuUsage(before);
    taken[part.name] = (user + system) / amountOf(part);
  }
  looks.push({ ...(await look()), taken, delay: { ...delays(), longest }, tail: tail() });
}
for (const part of started) await part.close?.();
const counts = started.map((part) => ({ name: part.name, count: amountOf(part) * hours }));
process.stdout.write(JSON.stringify({ parts: counts, looks, after: await look() }));

async function look() {
  // What waits to be closed is closed by then.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  heapUsed();
  const files = {};
  for (const part of started)
    if (part.files !== undefined) files[part.name] = await part.files().catch(() => 0);
  return {
    heap: heapUsed(),
    resident: process.memoryUsage.rss(),
    handles: process.getActiveResourcesInfo().filter((name) => name !== "Immediate").length,
    descriptors: readdirSync("/proc/self/fd").length,
    files,
  };
}

/** Of the part whose single operations are timed. */
function tail() {
  return started.find((part) => part.tail !== undefined).tail();
}

function delays() {
  return { p50: loop.percentile(50), p99: loop.percentile(99) };
}
