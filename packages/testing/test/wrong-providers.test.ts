import { allow, deny, type GuardrailProvider, modify, type ToolCall } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { testProvider } from "../src/index.js";
import { failingSentences } from "./failing-sentences.js";
import { cases, denying, forgetful, Guarded, good, judge, to } from "./providers.js";
import {
  aborted,
  allows,
  closed,
  denies,
  leak,
  members,
  modifies,
  neverRan,
  outcomes,
  planted,
  plantedFirst,
  pure,
  ran,
  ranModified,
  settled,
  shape,
  stray,
  thawed,
  untouched,
} from "./sentences.js";

/** The number of questions to all guards of one fault: a new guard is not a new count. */
const asked = { times: 0 };

const wrong: [string, string, () => object][] = [
  ["denies everything", allows, () => ({ ...good(), evaluate: () => deny("no") })],
  ["allows everything", denies, () => ({ ...good(), evaluate: () => allow() })],
  ["never modifies", modifies, () => ({ ...good(), evaluate: onlyDenies })],
  ["modifies to the same arguments", modifies, () => modifying(({ args }) => modify({ ...args }))],
  [
    "modifies again what it modified",
    settled,
    () => modifying(({ args }) => modify({ query: `${args.query}!` })),
  ],
  [
    "modifies to what it denies",
    settled,
    () => modifying(({ args }) => (args.bad ? deny("bad") : modify({ bad: true }))),
  ],
  ["modifies to a date", modifies, () => modifying(() => modify({ at: new Date(0) }))],
  ["modifies to what is no number", modifies, () => modifying(() => modify({ at: Number.NaN }))],
  ["modifies to a number that is not kept", shape, () => modifying(() => modify({ at: 2 ** 53 }))],
  ["modifies to a circle", shape, () => modifying(() => modify(circle()))],
  ["modifies to a list", shape, () => modifying(() => modify([]))],
  ["modifies to half a character", shape, () => modifying(() => modify({ at: "\ud800" }))],
  ["modifies without arguments", shape, () => modifying(() => ({ decision: "modify" }))],
  ["answers true", shape, () => ({ ...good(), evaluate: () => true })],
  ["answers nothing", shape, () => ({ ...good(), evaluate: () => undefined })],
  ["shouts its decision", shape, () => ({ ...good(), evaluate: () => ({ decision: "ALLOW" }) })],
  ["denies without a reason", denies, () => denying({ decision: "deny" })],
  ["denies with an empty reason", shape, () => denying({ decision: "deny", reason: " " })],
  ["denies with a number for a code", shape, () => denying({ ...deny("no"), code: 7 })],
  ["says more than a shape holds", shape, () => denying({ ...deny("no"), modifiedArgs: {} })],
  ["misspells a field", shape, () => denying({ ...deny("no"), replacment: "no" })],
  ["replaces with parts of no type", shape, () => denying({ ...deny("no"), replacement: [{}] })],
  ["asks approval of nothing", shape, () => denying({ ...deny("no"), approval: {} })],
  ["answers with a getter", shape, () => denying(getter())],
  ["throws", shape, () => ({ ...good(), evaluate: fails })],
  ["rejects", shape, () => ({ ...good(), evaluate: async () => fails() })],
  ["never answers", shape, () => ({ ...good(), evaluate: () => new Promise(() => {}) })],
  [
    "never answers once aborted",
    aborted,
    () => ({
      ...good(),
      evaluate: (asked: ToolCall) => (asked.signal.aborted ? new Promise(() => {}) : judge(asked)),
    }),
  ],
  [
    "allows what is aborted",
    aborted,
    () => ({
      ...good(),
      evaluate: async (asked: ToolCall) => {
        await Promise.resolve();
        return asked.signal.aborted ? allow() : judge(asked);
      },
    }),
  ],
  ["quotes an argument in its reason", leak, () => denying(deny(`not to ${to}`))],
  ["quotes one in its metadata", leak, () => denying(deny("no", { metadata: { seen: [to] } }))],
  ["quotes one as a key", leak, () => denying(deny("no", { metadata: { [to]: 1 } }))],
  ["quotes one in its replacement", leak, () => denying(deny("no", { replacement: `no ${to}` }))],
  ["remembers that it was asked", pure, forgetful],
  ["mixes up what it is asked at once", pure, mixing],
  ["shares a sticky pattern", pure, sticky],
  [
    "writes into the arguments",
    untouched,
    () => ({
      ...good(),
      evaluate: (asked: ToolCall) => {
        const args = asked.args as Record<string, unknown>;
        const verdict = judge(asked);
        if (!Object.isFrozen(args)) args.seen = true;
        return verdict;
      },
    }),
  ],
  [
    "demands a frozen call",
    thawed,
    () => ({
      ...good(),
      evaluate: (asked: ToolCall) => (Object.isFrozen(asked.args) ? judge(asked) : allow()),
    }),
  ],
  [
    "reads an argument that it was not given",
    planted,
    () => ({
      ...good(),
      evaluate: (asked: ToolCall) => (asked.args.page === undefined ? judge(asked) : allow()),
    }),
  ],
  [
    "reads an option that it was not given",
    plantedFirst,
    () => {
      const options: { allowed?: boolean } = {};
      const open = options.allowed === true;
      return { ...good(), evaluate: (asked: ToolCall) => (open ? allow() : judge(asked)) };
    },
  ],
  ["has no name", members, () => ({ ...good(), name: "" })],
  ["misspells evaluate", members, () => ({ name: "misspelt", evalute: judge })],
  ["admits nothing", ran, () => ({ ...good(), admit: () => deny("not today") })],
  [
    "modifies otherwise each time",
    ranModified,
    () => modifying(({ args }) => modify({ ...args, query: "oolong", times: ++asked.times })),
  ],
  ["throws in place of denying", neverRan, () => ({ ...good(), evaluate: onlySearches })],
  ["misspells admit", members, () => ({ ...good(), admitt: () => deny("no") })],
  ["has a function that nothing calls", members, () => ({ ...good(), beforeCall: () => {} })],
  ["misspells its time", members, () => ({ ...good(), timeoutMS: 100 })],
  ["misspells in a class", members, () => new Misspelt()],
  ["admits with a modification", outcomes, () => ({ ...good(), admit: () => modify({}) })],
  ["admits with nothing", stray, () => ({ ...good(), admit: () => undefined })],
  [
    "fails on a call without arguments",
    outcomes,
    () => ({
      ...good(),
      settle: ({ args }: { args?: object }) => void Object.keys(args as object),
    }),
  ],
  ["answers when it settles", stray, () => ({ ...good(), settle: () => allow() })],
  ["gives back more than once", stray, givingBackAgain],
  ["gives back what was not taken", stray, () => counting((count) => Math.max(0, count - 1))],
  [
    "fails when closed again",
    closed,
    () => {
      const closed = new Set<string>();
      return { ...good(), close: () => (closed.size === 0 ? void closed.add("once") : fails()) };
    },
  ],
];

describe("the kit", () => {
  it.each(wrong)("finds a provider that %s", async (_, sentence, make) => {
    const failed = await failingSentences((test) => {
      testProvider(test, make as () => GuardrailProvider, { ...cases, answerWithinMs: 30 });
    }, sentence);
    expect([...failed.keys()]).toEqual([sentence]);
  });

  it("has no test that no planted fault turns red", () => {
    const names: string[] = [];
    testProvider((name) => names.push(name), good, cases);
    const found = new Set(wrong.map(([, sentence]) => sentence));
    expect(names.filter((name) => !found.has(name))).toEqual([]);
  });
});

function onlySearches({ toolName }: ToolCall) {
  return toolName === "search" ? allow() : fails();
}

function onlyDenies({ toolName }: ToolCall) {
  return toolName === "search" ? allow() : deny("no");
}

/** Answers the one call that should be modified in another way. */
function modifying(answer: (asked: ToolCall) => unknown): object {
  const judged = (asked: ToolCall) =>
    asked.toolName !== "search" || asked.args.query === "oolong" || asked.args.page === 2
      ? judge(asked)
      : answer(asked);
  return { ...good(), evaluate: judged };
}

function fails(): never {
  throw new Error(`failed for ${to}`);
}

function circle(): object {
  const round: Record<string, unknown> = {};
  round.self = round;
  return round;
}

function getter(): object {
  return {
    get decision() {
      return "deny";
    },
    reason: "no",
  };
}

function mixing(): object {
  let current: ToolCall;
  return {
    ...good(),
    async evaluate(asked: ToolCall) {
      current = asked;
      await Promise.resolve();
      return judge(current);
    },
  };
}

function sticky(): object {
  const pattern = /^s/g;
  return {
    ...good(),
    evaluate: (asked: ToolCall) => (pattern.test(asked.toolName) ? judge(asked) : deny("no")),
  };
}

/** Admits two at a time, and gives back in the way that is said. */
function counting(giveBack: (count: number) => number): object {
  let count = 2;
  return {
    ...good(),
    admit() {
      if (count >= 4) return deny("too many");
      count++;
      return allow();
    },
    settle: () => {
      count = giveBack(count);
    },
  };
}

/** Admits two at a time, and forgets which of them it gave back. */
function givingBackAgain(): object {
  const admitted = new Set<object>();
  let count = 0;
  return {
    ...good(),
    admit({ run }: ToolCall) {
      if (count >= 2) return deny("too many");
      count++;
      admitted.add(run);
      return allow();
    },
    settle({ run }: ToolCall) {
      if (admitted.has(run)) count--;
    },
  };
}

class Misspelt extends Guarded {
  evaluateResults() {
    return allow();
  }
}
