import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { forTools } from "../src/guard/combinators.js";
import { chain, tellAll } from "../src/guard/compose.js";
import { flatten } from "../src/guard/define.js";
import { allow, deny, modify, rewrite } from "../src/guard/verdicts.js";
import type { GuardrailProvider } from "../src/protocol/guardrail.js";
import { callOf, foreignCall, outcome, provider, resultOf, scopeOn } from "./support/calls.js";
import { errorOf } from "./support/errors.js";
import { deferred, settleAll } from "./support/promises.js";

describe("a chain as a provider", () => {
  it("is frozen and has a name made of its guards', or the one given", () => {
    const made = chain([provider("a"), provider("b")]);
    expect(made.name).toBe("chain(a, b)");
    expect(Object.isFrozen(made)).toBe(true);
    expect(chain([provider("a")], { name: "mine" }).name).toBe("mine");
    expect(chain([provider("a")], {}).name).toBe("chain(a)");
  });

  it("answers at once, without a promise, when all its guards do", () => {
    const made = chain([
      {
        ...provider("a"),
        admit: () => allow(),
        evaluateResult: () => allow(),
      },
      provider("b", () => ({ decision: "allow", reason: "x" })),
    ]);
    expect(made.evaluate(foreignCall())).toBe(allow());
    expect(made.admit?.(foreignCall())).toBe(allow());
    expect(made.evaluateResult?.(foreignCall(), resultOf())).toBe(allow());
    const denies = chain([provider("a", () => deny("no"))]);
    expect(denies.evaluate(foreignCall())).toEqual(deny("no"));
    const changes = chain([provider("a", () => modify({ n: 1 }))]);
    expect(changes.evaluate(foreignCall())).toEqual(modify({ n: 1 }, { reason: "a" }));
  });

  it("answers by a promise when one of its guards does, in the order of the list", async () => {
    const order: string[] = [];
    const notes = (name: string, promised: boolean) =>
      provider(name, () => {
        order.push(name);
        return promised ? Promise.resolve(allow()) : allow();
      });
    const answer = chain([notes("a", false), notes("b", true), notes("c", false)]).evaluate(
      foreignCall(),
    );
    expect(order).toEqual(["a", "b"]);
    expect(answer).toBeInstanceOf(Promise);
    expect(await answer).toBe(allow());
    expect(order).toEqual(["a", "b", "c"]);
  });

  it("hands on all that a DENY says, and nothing it does not say", () => {
    const full = deny("no", {
      code: "big",
      replacement: "Ask for less.",
      approval: { summary: "Send?", expiresInMs: 5 },
      metadata: { n: 1 },
    });
    expect(chain([provider("a", () => full)]).evaluate(foreignCall())).toEqual(full);
    const bare = chain([provider("a", () => deny("no"))]).evaluate(foreignCall());
    expect(Object.keys(bare).sort()).toEqual(["decision", "reason"]);
  });

  it("tells what was changed, by whom and why, and nothing of those who were overruled", () => {
    const made = chain([
      provider("a", ({ args }) =>
        args["n"] === 0 ? modify({ n: 1 }, { reason: "too low" }) : allow(),
      ),
      provider("b", ({ args }) => (args["n"] === 1 ? modify({ n: 2 }) : allow())),
    ]);
    expect(made.evaluate(foreignCall({ n: 0 }))).toEqual(
      modify({ n: 2 }, { reason: "a: too low; b" }),
    );
  });

  it("rewrites a result with what its judges made of it", () => {
    const made = chain([
      {
        ...provider("a"),
        evaluateResult: (_call, result) =>
          result.content === "raw" ? rewrite({ content: "clean" }, { reason: "secret" }) : allow(),
      },
    ]);
    expect(made.evaluateResult?.(foreignCall(), resultOf("raw"))).toEqual(
      rewrite({ content: "clean", structured: undefined }, { reason: "a: secret" }),
    );
    const withholds = chain([
      { ...provider("a"), evaluateResult: () => deny("no", { code: "x" }) },
    ]);
    expect(withholds.evaluateResult?.(foreignCall(), resultOf())).toEqual(
      deny("no", { code: "x" }),
    );
  });

  it("P1 turns what its guards do wrong into a DENY of its own", async () => {
    const throws = chain([
      provider("a", () => {
        throw new Error("hunter2");
      }),
    ]);
    expect(throws.evaluate(foreignCall())).toEqual(deny("guardrail 'a' failed"));
    const rejects = chain([provider("a", () => Promise.reject(new Error("hunter2")))]);
    expect(await rejects.evaluate(foreignCall())).toEqual(deny("guardrail 'a' failed"));
    const garbage = chain([provider("a", () => "allow")]);
    expect(garbage.evaluate(foreignCall())).toEqual(
      deny("guardrail 'a' gave no well-formed decision"),
    );
  });

  it("P1 has no clock of its own, and leaves each guard its own", async () => {
    const { scope, clock } = scopeOn({ timeoutMs: 100 });
    const made = chain([
      { ...provider("slow", () => new Promise(() => undefined)), timeoutMs: 1_000 },
    ]);
    expect(made.timeoutMs).toBe(Number.POSITIVE_INFINITY);
    const answers: unknown[] = [];
    void Promise.resolve(made.evaluate(callOf({}, { scope }))).then((answer) =>
      answers.push(answer),
    );
    clock.pass(999);
    await settleAll();
    expect(answers).toEqual([]);
    clock.pass(1);
    await settleAll();
    expect(answers).toEqual([deny("guardrail 'slow' did not answer in time")]);
  });

  it("P4 never allows what was aborted while a guard was thinking", async () => {
    const caller = new AbortController();
    const gate = deferred();
    const answer = chain([provider("a", () => gate.promise)]).evaluate(
      foreignCall({}, { signal: caller.signal }),
    );
    caller.abort();
    gate.resolve(allow());
    expect(await answer).toEqual(deny("guardrail 'a' failed"));
  });

  it("P6 shows its guards a frozen copy of what a host passes", () => {
    const given = { list: ["a"] };
    let seen: unknown;
    chain([
      provider("a", ({ args }) => {
        seen = args;
        return allow();
      }),
    ]).evaluate(foreignCall(given));
    expect(seen).toEqual(given);
    expect(seen).not.toBe(given);
    expect(Object.isFrozen((seen as typeof given).list)).toBe(true);
  });

  it("P17 leaves no listener on the signal of a host's call", async () => {
    const caller = new AbortController();
    const listening = (answer: () => unknown) =>
      chain([
        provider("a", ({ signal }) => {
          expect(signal.aborted).toBe(false);
          return answer();
        }),
      ]).evaluate(foreignCall({}, { signal: caller.signal }));
    await listening(() => allow());
    await listening(async () => allow());
    await listening(async () => deny("no"));
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  });

  it("P4 leaves the signal of a call that core made to whoever made it", () => {
    const caller = new AbortController();
    const { scope } = scopeOn({ caller: caller.signal });
    let signal: AbortSignal | undefined;
    const reads = provider("a", (call) => {
      signal = call.signal;
      return allow();
    });
    chain([reads]).evaluate(callOf({}, { scope }));
    caller.abort("gone");
    expect(signal?.reason).toBe("gone");
  });
});

describe("the other members of a chain", () => {
  it("are absent where none of its guards has them", () => {
    const made = chain([provider("a")]);
    expect(made.admit).toBeUndefined();
    expect(made.evaluateResult).toBeUndefined();
    expect(made.settle).toBeUndefined();
  });

  it("P14 admits in order, those who admit at all, and stops at the first DENY", () => {
    const order: string[] = [];
    const admits = (name: string, answer: unknown): GuardrailProvider => ({
      ...provider(name),
      admit: () => {
        order.push(name);
        return answer as never;
      },
    });
    const made = chain([
      admits("a", allow()),
      provider("none"),
      admits("b", deny("full", { code: "quota" })),
      admits("c", allow()),
    ]);
    expect(made.admit?.(foreignCall())).toEqual(deny("full", { code: "quota" }));
    expect(order).toEqual(["a", "b"]);
  });

  it("settle each guard once, also when one throws or hangs, and tell of the first error", async () => {
    const told: string[] = [];
    const settles = (name: string, settle: () => unknown): GuardrailProvider => ({
      ...provider(name),
      settle: (call, ended) => {
        expect(call.callId).toBe("foreign-call");
        expect(ended).toBe(outcome);
        told.push(name);
        return settle() as never;
      },
    });
    const made = chain([
      settles("a", () => undefined),
      settles("throws", () => {
        throw new Error("first");
      }),
      provider("none"),
      settles("rejects", () => Promise.reject(new Error("second"))),
      settles("b", () => Promise.resolve()),
    ]);
    await expect(made.settle?.(foreignCall(), outcome)).rejects.toThrow("first");
    expect(told).toEqual(["a", "throws", "rejects", "b"]);
    const hangs = chain([
      settles("hangs", () => new Promise(() => undefined)),
      settles("c", () => undefined),
    ]);
    void hangs.settle?.(foreignCall(), outcome);
    expect(told.at(-1)).toBe("c");
  });

  it("close each guard, also when one throws", async () => {
    const closed: string[] = [];
    const closes = (name: string, close: () => unknown): GuardrailProvider => ({
      ...provider(name),
      close: () => {
        closed.push(name);
        return close() as never;
      },
    });
    const made = chain([
      closes("a", () => Promise.reject(new Error("stuck"))),
      provider("none"),
      closes("b", () => undefined),
    ]);
    await expect(made.close?.()).rejects.toThrow("stuck");
    expect(closed).toEqual(["a", "b"]);
    await expect(chain([provider("a")]).close?.()).resolves.toBeUndefined();
  });

  it("P5 register a tool with each guard that it concerns, and let a refusal through", () => {
    const registered: string[] = [];
    const registers = (name: string): GuardrailProvider => ({
      ...provider(name),
      register: (tool) => void registered.push(`${name}:${tool.name}`),
    });
    const made = chain([registers("a"), forTools(["other"], registers("b")), provider("none")]);
    made.register?.({ name: "send_mail" });
    made.register?.({ name: "other" });
    expect(registered).toEqual(["a:send_mail", "a:other", "b:other"]);
    const refuses = chain([
      {
        ...provider("a"),
        register: () => {
          throw new Error("no such format");
        },
      },
    ]);
    expect(() => refuses.register?.({ name: "x" })).toThrow("no such format");
  });

  it("P5 gather the tools that they were configured with", () => {
    const made = chain([
      { ...provider("a"), tools: ["x", "y"] },
      { ...provider("b"), tools: ["z"] },
    ]);
    expect(made.tools).toEqual(["x", "y", "z"]);
  });

  it("check the arguments of a tool if one of them does", () => {
    const checks: GuardrailProvider = {
      ...provider("schema"),
      checksArguments: ({ name }) => name === "send_mail",
    };
    const made = chain([provider("a"), checks]);
    expect(made.checksArguments?.({ name: "send_mail" })).toBe(true);
    expect(made.checksArguments?.({ name: "other" })).toBe(false);
    expect(chain([provider("a")]).checksArguments?.({ name: "send_mail" })).toBe(false);
  });
});

describe("P5 a chain that cannot be", () => {
  it("of nobody says how to allow everything", () => {
    const error = errorOf(() => chain([]));
    expect(error.code).toBe("ERR_INVALID_OPTION");
    expect(error.message).toContain("allowAll()");
  });

  it.each([
    ["no list", undefined],
    ["one guard without a list", provider("a")],
    ["a Set", new Set([provider("a")])],
  ])("of %s says that a list is needed", (_, guardrails) => {
    expect(errorOf(() => chain(guardrails as never)).code).toBe("ERR_INVALID_OPTION");
  });

  it("of two of one name names it, however deep they are", () => {
    for (const guards of [
      [provider("same"), provider("same")],
      [provider("same"), chain([chain([provider("other"), provider("same")])])],
      [forTools(["a"], provider("same")), forTools(["b"], provider("same"))],
    ]) {
      const error = errorOf(() => chain(guards));
      expect(error.code).toBe("ERR_DUPLICATE_PROVIDER");
      expect(error.message).toContain("'same'");
    }
  });

  it("of a misspelt option names the right one", () => {
    const error = errorOf(() => chain([provider("a")], { nmae: "x" } as never));
    expect(error.code).toBe("ERR_UNKNOWN_OPTION");
    expect(error.message).toContain("Did you mean 'name'?");
  });

  it.each([[""], [7], [null], [{}]])("refuses %j as a name", (name) => {
    expect(errorOf(() => chain([provider("a")], { name } as never)).code).toBe(
      "ERR_INVALID_OPTION",
    );
  });
});

describe("tellAll", () => {
  it("tells all at once, in order, and ends when the last has ended", async () => {
    const gates = [deferred<void>(), deferred<void>()];
    const told: string[] = [];
    let over = false;
    const telling = tellAll(flatten([provider("a"), provider("b")]), ({ name }) => {
      told.push(name);
      return gates[told.length - 1]?.promise;
    }).then(() => {
      over = true;
    });
    expect(told).toEqual(["a", "b"]);
    gates[1]?.resolve();
    await settleAll();
    expect(over).toBe(false);
    gates[0]?.resolve();
    await telling;
    expect(over).toBe(true);
  });
});
