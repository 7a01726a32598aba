import { configureGlobal } from "fast-check";
import { afterAll, beforeAll } from "vitest";

// A property that fails may look for a smaller example for hours. It is told as failed before.
configureGlobal({ interruptAfterTimeLimit: 60_000, markInterruptAsFailure: true });

// Files share their worker, so that modules are not loaded anew for each. A file that leaves behind
// what those after it could stumble over fails for it.
let before: Record<string, unknown>;
beforeAll(() => {
  before = shared();
});
afterAll(() => {
  const after = shared();
  const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
  if (changed.length > 0) throw new Error(`This file leaves changed: ${changed.join(", ")}.`);
});

/** What the files of one worker share, by name. */
function shared(): Record<string, unknown> {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP", "warning", "uncaughtException"];
  const owners = { Object, Array, Function, Promise, String, Number, Map, Set, JSON, Reflect };
  const ofPrototypes = Object.entries(owners).flatMap(([name, owner]) => [
    [name, names(owner)],
    [`${name}.prototype`, "prototype" in owner ? names(owner.prototype) : ""],
  ]);
  return Object.fromEntries([
    ...signals.map((name) => [`listeners for ${name}`, process.listenerCount(name)]),
    ...ofPrototypes,
    ["the working directory", process.cwd()],
    ["the environment", JSON.stringify(process.env)],
    ["setTimeout", globalThis.setTimeout],
    ["Date", globalThis.Date],
    ["fetch", globalThis.fetch],
  ]);
}

function names(of: object): string {
  return Reflect.ownKeys(of).map(String).join();
}
