import { allow, deny, type GuardrailProvider } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { call, type ProviderCases, testProvider } from "../src/index.js";
import { failingSentences } from "./failing-sentences.js";
import { cases, denying, Guarded, good, judge } from "./providers.js";

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

describe("a provider that is a class with a function of its own", () => {
  testProvider(it, () => new Guarded(), { ...cases, members: ["remaining"] });
});

describe("the kit", () => {
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
