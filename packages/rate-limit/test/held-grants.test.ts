import { expect, it } from "vitest";
import { HeldGrants } from "../src/held-grants.js";
import type { RateLimitGrant } from "../src/store.js";

const grant = (): RateLimitGrant => ({ granted: true, commit: () => {}, giveBack: () => {} });

it("gives each run its own grant, once, in any order and for any number of runs", () => {
  for (const order of [(runs: object[]) => runs, (runs: object[]) => [...runs].reverse()]) {
    const held = new HeldGrants();
    const grants = new Map(Array.from({ length: 50 }, () => [{}, grant()] as const));
    for (const [run, its] of grants) held.add(run, its);
    for (const run of order([...grants.keys()])) {
      expect(held.remove(run)).toBe(grants.get(run));
      expect(held.remove(run)).toBeUndefined();
    }
  }
});

it("P14 holds on to a long run while many short ones come and go", () => {
  const held = new HeldGrants();
  const long = {};
  const its = grant();
  held.add(long, its);
  for (let count = 0; count < 100; count++) {
    const runs = Array.from({ length: 1 + (count % 12) }, () => ({}));
    for (const run of runs) held.add(run, grant());
    for (const run of runs) expect(held.remove(run)).toBeDefined();
  }
  expect(held.remove(long)).toBe(its);
});

it("ends both grants of a run that got two, also when they are far apart", async () => {
  const ended: string[] = [];
  const logged = (name: string): RateLimitGrant => ({
    granted: true,
    commit: () => void ended.push(`${name} kept`),
    giveBack: async () => void ended.push(`${name} back`),
  });
  const held = new HeldGrants();
  const run = {};
  held.add(run, logged("first"));
  for (let count = 0; count < 20; count++) held.add({}, grant());
  held.add(run, logged("second"));
  await held.remove(run)?.giveBack();
  expect(ended).toEqual(["first back", "second back"]);
  expect(held.remove(run)).toBeUndefined();
});
