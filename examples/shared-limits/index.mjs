// Ten calls a minute, over two processes: with counts on Redis it is ten, with counts in memory twenty.
import { equal } from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";

const url = process.env.REDIS_URL ?? "redis://127.0.0.1:6379";
const worker = fileURLToPath(new URL("worker.mjs", import.meta.url));
/** Nothing that another run has counted counts here. */
const prefix = `example-shared-limits-${process.pid}-${Date.now()}`;

/** Two real processes, which ask for so many calls each at the same time: how many ran in each. */
async function inTwoProcesses(store, calls) {
  const children = [1, 2].map(() => fork(worker, [store, url, prefix, String(calls)]));
  try {
    // Both are there, and have an answer of the server, before either begins.
    await Promise.all(children.map((child) => messageOf(child)));
    for (const child of children) child.send("begin");
    return await Promise.all(children.map((child) => messageOf(child)));
  } finally {
    for (const child of children) child.kill();
  }
}

/** @throws if the process ends before it says anything. */
async function messageOf(child) {
  const ended = new AbortController();
  const end = once(child, "exit", { signal: ended.signal }).then(([code]) => {
    throw new Error(`A worker ended with ${code}.`);
  });
  try {
    const [message] = await Promise.race([once(child, "message", { signal: ended.signal }), end]);
    return message;
  } finally {
    ended.abort();
    end.catch(() => {});
  }
}

/** True if something answers as a Redis does. */
function isThere() {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 6379), timeout: 1_000 });
    const end = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on("connect", () => socket.write("PING\r\n"));
    // A server with a password refuses the question, and is one nevertheless.
    socket.on("data", (bytes) => end(/^(?:\+PONG|-NOAUTH|-DENIED)/.test(String(bytes))));
    for (const event of ["error", "timeout", "close"]) socket.on(event, () => end(false));
  });
}

console.log("The limit is 10 calls a minute for all. Each of two processes asks for 15.");

const alone = await inTwoProcesses("memory", 15);
console.log(
  `\nCounted in memory: ${alone.join(" + ")} calls run. Each process has a limit of its own.`,
);
equal(alone.join(), "10,10");

if (await isThere()) {
  const [one, two] = await inTwoProcesses("redis", 15);
  console.log(`\nCounted on Redis: ${one + two} calls run, in both together.`);
  equal(one + two, 10);
} else {
  console.log("\nCounted on Redis: skipped, since no Redis answers. REDIS_URL says where one is.");
}
