import assert from "node:assert";
import { didYouMean, quoted } from "@toolstile/core/provider";
import { freshGuard, type Kit, type Sentence } from "./question.js";

const both = ["name", "evaluateResult", "settle", "judgesPieces", "timeoutMs", "close"];
const providerOnly = ["evaluate", "admit", "register", "tools", "checksArguments"];

/** The tests of a guard's members, with the name of the member that must be there. */
export function memberSentences(needed: "evaluate" | "evaluateResult"): readonly Sentence[] {
  return [
    {
      name: `has a name, an ${needed}, and no member that nothing calls`,
      async check(kit) {
        const guard = await freshGuard(kit);
        assert.ok(
          typeof guard.name === "string" && guard.name.trim() !== "",
          "A guard has a name: it is the key in records and errors.",
        );
        const known = "evaluate" in guard ? [...both, ...providerOnly] : both;
        for (const key of membersOf(guard)) assertKnown(guard, key, known, kit);
        assert.equal(typeof guard[needed], "function", `The guard has no ${needed}.`);
      },
    },
    {
      name: "can be closed twice",
      async check(kit) {
        const guard = await freshGuard(kit);
        await assert.doesNotReject(async () => {
          await guard.close?.();
          await guard.close?.();
        });
      },
    },
  ];
}

/** A function that nothing calls is a check that never runs; other data is suspect only where it looks misspelt. */
function assertKnown(guard: object, key: string, known: readonly string[], kit: Kit): void {
  if (known.includes(key) || kit.members.includes(key)) return;
  const guess = didYouMean(key, known);
  const value = (guard as Record<string, unknown>)[key];
  assert.ok(
    typeof value !== "function" && guess === "",
    `Nothing calls the member ${quoted(key)}.${guess} If it is one of the guard's own, pass { members: [${JSON.stringify(key)}] } with the cases.`,
  );
}

/** The names of all members, those of its classes included. */
function membersOf(guard: object): Set<string> {
  const names = new Set<string>();
  for (
    let level: object = guard;
    level !== null && level !== Object.prototype;
    level = Object.getPrototypeOf(level)
  ) {
    for (const name of Object.getOwnPropertyNames(level)) names.add(name);
  }
  names.delete("constructor");
  return names;
}
