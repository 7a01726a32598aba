import { allow, deny, type GuardrailProvider, modify, type ToolCall } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { call, type ProviderCases, testProvider } from "../src/index.js";
import { failingSentences } from "./failing-sentences.js";
import { cases, denying, forgetful, good, judge, to } from "./providers.js";
import { leak, members, planted, plantedFirst, pure, thawed } from "./sentences.js";

describe("the kit", () => {
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
      thawed,
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
});
