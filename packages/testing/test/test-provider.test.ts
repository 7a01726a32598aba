import { allow, deny, type GuardrailProvider, modify, type ToolCall } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { call, type ProviderCases, testProvider } from "../src/index.js";
import { failingSentences } from "./failing-sentences.js";

const to = "someone@example.org";
const cases: ProviderCases = {
  allowed: [call({ query: "oolong" }), call({ query: "sencha", page: 2 })],
  denied: call({ to, query: "x" }, "send_mail"),
  modified: call({ query: "  darjeeling " }),
};

/** Searches may run, trimmed; nothing else may. */
function judge({ toolName, args }: ToolCall) {
  if (toolName !== "search") return deny("only searches may run", { code: "not_search" });
  const query = String(args.query);
  return query === query.trim() ? allow() : modify({ ...args, query: query.trim() });
}
const good = (): GuardrailProvider => ({ name: "good", evaluate: judge });

describe("a provider that does as it should", () => {
  testProvider(it, good, cases);
});

describe("an asynchronous provider with everything that the protocol knows", () => {
  testProvider(
    it,
    async () => {
      const open = new Set<object>();
      return {
        name: "full",
        evaluate: async (asked) => judge(asked),
        admit: async ({ run }) => {
          if (open.size >= 3) return deny("three calls are open");
          open.add(run);
          return allow();
        },
        settle: async ({ run }) => {
          open.delete(run);
        },
        register: () => {},
        tools: ["search"],
        timeoutMs: 100,
        close: async () => {},
      };
    },
    cases,
  );
});

class Guarded {
  readonly name = "class";
  readonly #allowed = "search";
  evaluate = (asked: ToolCall) => (this.#allowed === "search" ? judge(asked) : deny("never"));
  remaining() {
    return 3;
  }
}
describe("a provider that is a class with a function of its own", () => {
  testProvider(it, () => new Guarded(), { ...cases, members: ["remaining"] });
});

const shape = "answers every question in time and in one of the known shapes";
const members = "has a name, an evaluate, and no member that nothing calls";
const leak = "says no value of the arguments or the result";
const pure = "answers the same when asked again, in another order and at once";
const untouched = "changes nothing in what it is asked, frozen or not";
const aborted = "settles when the call is aborted, and lets nothing more through";
const planted = "answers the same while data is planted on Object.prototype";
const plantedFirst =
  "lets nothing more through when it is made while data is planted on Object.prototype";
const outcomes = "is told how every call ended, whatever became of it";
const stray = "admits no more after a settle that was stray or repeated";
const closed = "can be closed twice";
const allows = "allows what it should allow";
const denies = "denies what it should deny, with a reason";
const ran = "in a runner, lets the tool run once, with the arguments as they are";
const neverRan = "in a runner, never lets the tool run that it denies";
const modifies = "modifies what it should modify, and leaves alone what it made";

const wrong: [string, string, () => object][] = [
  ["denies everything", allows, () => ({ ...good(), evaluate: () => deny("no") })],
  ["allows everything", denies, () => ({ ...good(), evaluate: () => allow() })],
  ["never modifies", modifies, () => ({ ...good(), evaluate: onlyDenies })],
  ["modifies to the same arguments", modifies, () => modifying(({ args }) => modify({ ...args }))],
  [
    "modifies again what it modified",
    modifies,
    () => modifying(({ args }) => modify({ query: `${args.query}!` })),
  ],
  [
    "modifies to what it denies",
    modifies,
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
    untouched,
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
    });
    expect([...failed.keys()]).toContain(sentence);
  });

  it("names the case that failed, and no value of it", async () => {
    const failed = await failingSentences((test) => {
      testProvider(test, () => denying(deny(`not to ${to}`)) as GuardrailProvider, cases);
    });
    expect(failed.get(leak)).toBe("denied[0]: reason quotes a value of the call or its result.");
  });

  it("names the member that was meant", async () => {
    const failed = await failingSentences((test) => {
      const make = () => ({ ...good(), admitt: () => deny("no") });
      testProvider(test, make, cases);
    });
    expect(failed.get(members)).toContain("'admitt'. Did you mean 'admit'?");
  });

  it("says how a function of the provider's own is declared", async () => {
    const failed = await failingSentences((test) => {
      testProvider(test, () => ({ ...good(), helper: () => {} }), cases);
    });
    expect(failed.get(members)).toBe(
      "Nothing calls the member 'helper'. If it is one of the guard's own, pass { members: [\"helper\"] } with the cases.",
    );
  });

  const limited = ({ args }: ToolCall) => {
    const limit = args.limit as number | undefined;
    return limit !== undefined && limit > 10 ? modify({ ...args, limit: 10 }) : allow();
  };
  const both = (asked: ToolCall) => {
    const { tenant, principal } = asked as unknown as Record<string, unknown>;
    return tenant !== undefined && principal !== undefined ? allow() : judge(asked);
  };
  const optional = () => {
    const options: { allowed?: boolean } = {};
    const open = options.allowed === true;
    return (asked: ToolCall) => (open ? allow() : judge(asked));
  };
  it.each<[string, string, () => (asked: ToolCall) => unknown, ProviderCases, string]>([
    [
      "an argument that it was not given",
      planted,
      () => limited,
      { allowed: [call({ limit: 5 }), call({ query: "x" })], modified: call({ limit: 50 }) },
      'allowed[1]: with Object.prototype.limit planted it answers modify instead of allow. Read arguments by own property: Object.hasOwn(args, "limit").',
    ],
    [
      "an option that it was not given",
      plantedFirst,
      optional,
      cases,
      'denied[0]: with Object.prototype.allowed planted when it is made, it answers allow instead of deny. Read calls, results and options by own property, with Object.hasOwn and "allowed".',
    ],
    [
      "a fact of the host that it was not given",
      planted,
      () => (asked: ToolCall) => (asked.context.principal === "planted" ? allow() : judge(asked)),
      cases,
      'denied[0]: with Object.prototype.principal planted it answers allow instead of deny. Read facts of the host by own property: Object.hasOwn(call.context, "principal").',
    ],
    [
      "a word of another's in its reason",
      planted,
      () => (asked: ToolCall) => {
        const { reason } = {} as { reason?: string };
        return asked.toolName === "search" ? judge(asked) : deny(reason ?? "no");
      },
      cases,
      'denied[0]: with Object.prototype.reason planted it answers another deny than before. Read calls, results and options by own property, with Object.hasOwn and "reason".',
    ],
    [
      "what makes it throw",
      planted,
      () => (asked: ToolCall) => {
        if (({} as { code?: string }).code !== undefined) throw new Error(`failed for ${to}`);
        return judge(asked);
      },
      cases,
      'allowed[0]: with Object.prototype.code planted it throws, or answers too late. Read calls, results and options by own property, with Object.hasOwn and "code".',
    ],
    [
      "two members together",
      planted,
      () => both,
      cases,
      "denied[0]: with data planted on Object.prototype it answers allow instead of deny. Read everything by own property, with Object.hasOwn.",
    ],
  ])(
    "P8 says what was planted and the way out to a provider that reads %s",
    async (_, sentence, make, given, message) => {
      const failed = await failingSentences((test) => {
        testProvider(test, () => ({ ...good(), evaluate: make() }) as GuardrailProvider, given);
      });
      expect(failed.get(sentence)).toBe(message);
      expect(Object.keys(Object.prototype)).toEqual([]);
    },
  );

  it.each<[string, () => object, string]>([
    [
      pure,
      forgetful,
      "modified[0]: asked again in another order, it answers deny instead of modify.",
    ],
    [
      untouched,
      () => ({
        ...good(),
        evaluate: (asked: ToolCall) => (Object.isFrozen(asked.args) ? judge(asked) : allow()),
      }),
      "asked with a call that is not frozen, it answers allow instead of deny.",
    ],
  ])(
    "says of an answer that changes how it was asked and what it answered: %s",
    async (sentence, make, message) => {
      const failed = await failingSentences((test) => {
        testProvider(test, make as () => GuardrailProvider, cases);
      });
      expect(failed.get(sentence)).toContain(message);
    },
  );

  it("allows a reason to name the tool", async () => {
    const failed = await failingSentences((test) => {
      testProvider(test, () => denying(deny("'send_mail' is no search")) as GuardrailProvider, {
        denied: call({ tool: "send_mail" }, "send_mail"),
      });
    });
    expect([...failed.keys()]).toEqual([]);
  });

  it("leaves nothing planted behind", async () => {
    await failingSentences((test) => testProvider(test, good, cases));
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("makes a provider for each test and none before", async () => {
    let made = 0;
    const tests: (() => Promise<void>)[] = [];
    testProvider(
      (_, run) => tests.push(run),
      () => {
        made++;
        return good();
      },
      cases,
    );
    expect(made).toBe(0);
    for (const run of tests) await run();
    expect(made).toBeGreaterThanOrEqual(tests.length);
  });

  it("tells the provider of the tools before it asks", async () => {
    const failed = await failingSentences((test) => {
      testProvider(
        test,
        () => {
          const known = new Set<string>();
          return {
            name: "registered",
            register: ({ name }) => void known.add(name),
            evaluate: ({ toolName }) => (known.has(toolName) ? allow() : deny("unknown")),
          };
        },
        {
          allowed: [call({}, "given"), call({}, "carried", { tool: { name: "carried" } })],
          denied: call({}, "another"),
          tools: [{ name: "given" }],
        },
      );
    });
    expect([...failed.keys()]).toEqual([]);
  });

  it.each([
    ["no case", {}],
    ["a misspelt key", { allow: call() }],
    ["half a call", { allowed: { toolName: "search", args: {} } }],
    ["a list with what is no call", { denied: [call(), null] }],
  ])("refuses %s", (_, given) => {
    expect(() => testProvider(it, good, given as ProviderCases)).toThrow(
      expect.objectContaining({ name: "ToolstileError" }),
    );
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

/** Answers what should be denied in another way. */
function denying(answer: unknown): object {
  return {
    ...good(),
    evaluate: (asked: ToolCall) => (asked.toolName === "search" ? judge(asked) : answer),
  };
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

function forgetful(): object {
  const seen = new Set<object>();
  return {
    ...good(),
    evaluate(asked: ToolCall) {
      if (seen.has(asked)) return deny("asked before");
      seen.add(asked);
      return judge(asked);
    },
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
