import { describe, expect, it } from "vitest";
import { Permit } from "../src/call/permit.js";
import {
  allow,
  allowAll,
  chain,
  deny,
  forTools,
  type GuardrailProvider,
  liveChain,
  shadow,
  ToolRunner,
  type ToolRunnerOptions,
  toolResult,
  withTimeout,
} from "../src/index.js";
import { approval, approver, gate, request as payment } from "./support/approvals.js";
import { callOf, foreignCall } from "./support/calls.js";
import { errorOf } from "./support/errors.js";
import { guard, outcomeOf, spyTool } from "./support/runners.js";

const runnerOf = (options: Partial<ToolRunnerOptions> = {}) =>
  new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()], ...options });

/** The message of what is thrown, at once or later. */
async function messageOf(act: () => unknown): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe("P5 an error says what was wrong:", () => {
  it.each<[string, () => unknown]>([
    [
      "forTools(): it takes the names of tools, received a tool. Write tool.name.",
      () => forTools([spyTool()] as never, allowAll()),
    ],
    [
      "Guardrail 'g': `register` must answer at once, received a promise.",
      () => runnerOf({ guardrails: [guard("g", { register: (async () => {}) as never })] }),
    ],
    [
      "The arguments of a call are not JSON: a value is not plain JSON.",
      () => chain([allowAll()]).evaluate(foreignCall({ at: new Date() } as never)),
    ],
    [
      "The live chain 'rules' must stand directly among the guardrails of a runner of its own copy of @toolstile/core, not inside another guard. Wrap the guards in it instead.",
      () => shadow(liveChain([allowAll()], { name: "rules" }).guardrail),
    ],
    [
      "The guardrail 'g' has neither evaluate(call) nor evaluateResult(call, result). Observers go under `observers`.",
      () => runnerOf({ guardrails: [{ name: "g" } as never] }),
    ],
    [
      "runAll(): the calls must be an array, received object.",
      () => runnerOf().runAll({} as never),
    ],
    [
      "runAll(): what it is given must be readable, and reading it threw.",
      () =>
        runnerOf().runAll([], {
          get agentName(): never {
            throw new Error("no");
          },
        }),
    ],
    [
      "denialOf() has no option 'agent'. It takes: agentName, context.",
      () => runnerOf().denialOf("send", { agent: "a" } as never),
    ],
    [
      "The event must be one of settled, fault, executed, failed, withheld, denied, invalid, not_found, aborted, unknown, released, received null.",
      () => runnerOf().on(null as never, (() => {}) as never),
    ],
    [
      "withTimeout(): 'timeoutMs' must be a positive number of milliseconds, or Infinity, received 0.",
      () => withTimeout(allowAll(), 0),
    ],
    [
      "Guardrail number 1 of the list: `name` must be a string that is not empty, received undefined.",
      () => runnerOf({ guardrails: [{ evaluate: () => allow() } as never] }),
    ],
    [
      "The guardrail 'g' has a member 'timeout', which core does not call. It goes under timeoutMs.",
      () => runnerOf({ guardrails: [{ ...guard("g"), timeout: 3 } as never] }),
    ],
    [
      "toolResult() has no option 'contnt'. Did you mean 'content'? It takes: content, structured, callId, name, isError, receipt, raw.",
      () => toolResult({ contnt: "x" } as never),
    ],
    [
      "runAll(): 'concurrency' must be a whole number of at least 1, or Infinity, received 0.",
      () => runnerOf().runAll([], { concurrency: 0 }),
    ],
    [
      "resume() has no option 'sginal'. Did you mean 'signal'? It takes: signal.",
      async () => runnerOf().resume("a1", { sginal: 1 } as never),
    ],
    [
      "forAgent(): the name must be a string that is not empty, received an empty string.",
      () => runnerOf().forAgent(""),
    ],
    [
      "close(): what it is given must be readable, and reading it threw.",
      async () => {
        const opened = await runnerOf().open({ name: "send" });
        if (opened.permit === undefined) throw new Error("the call was stopped");
        return opened.close({
          get value(): never {
            throw new Error("no");
          },
        });
      },
    ],
    [
      "The alias 'send' is also the name of a tool. Choose one that no tool has.",
      () => runnerOf({ aliases: { send: "send" } }),
    ],
    [
      "ToolRunner: 'receiptSigner' must be an object with a name and a sign() function, received object.",
      () => runnerOf({ receiptSigner: { name: 7 as never, sign: () => "" } }),
    ],
    [
      "ToolRunner: 'approver' must be an object with a name, ask(), recall() and consume(), received object.",
      () =>
        runnerOf({ approver: { ...approver(() => ({ decision: "denied" })), name: 7 as never } }),
    ],
    [
      "The approver has no unused approval with this id: it is pending, was refused, was used, has expired, or never existed. The approver's read(id) says which.",
      () => runnerOf({ approver: approver(() => ({ decision: "denied" })) }).resume("a1"),
    ],
    ["The tool 'send' is sealed. Call it through its runner.", () => Permit.enter({}, "send", {})],
    [
      "The tool 'send_mail' was given other arguments than were decided on.",
      () => Permit.enter(Permit.mint(callOf({ to: "ada" })), "send_mail", { to: "eve" }),
    ],
    [
      "The caller has aborted the call of the tool 'send_mail'.",
      () => {
        const call = callOf();
        Permit.enter(Permit.mint(call, AbortSignal.abort()), "send_mail", call.args);
      },
    ],
  ])("%s", async (message, act) => {
    expect(await messageOf(act)).toBe(message);
  });
});

describe("P5 the reason of a call that is refused", () => {
  const reasonOf = async (request: object, options: object = {}) => {
    const outcome = await runnerOf().run({ name: "send", ...request } as never, options);
    return "reason" in outcome ? outcome.reason : outcome.status;
  };

  it("names a fact that nobody reads, and where facts of the host's own go", async () => {
    expect(await reasonOf({}, { context: { sesionId: "s" } })).toBe(
      "the call's context has 'sesionId', which nobody reads: facts of the host's own go under attributes",
    );
  });

  it("names an option that no call has", async () => {
    expect(await reasonOf({}, { sginal: 1 })).toBe("a call has no option 'sginal'");
  });

  it("says why a tool was refused when it was declared, in a list of denials too", async () => {
    const picky: GuardrailProvider = {
      ...allowAll({ name: "picky" }),
      register: () => {
        throw new Error("no");
      },
    };
    const runner = new ToolRunner({ guardrails: [picky], onFault: () => {} });
    runner.setTools([spyTool()]);
    expect(runner.denialOf("send")).toEqual({
      basis: "policy",
      decidedBy: "picky",
      code: "tool_refused",
      reason: "tool 'send' was refused when it was declared: a guardrail did not take it on",
    });
    expect(await runner.run({ name: "send" })).toMatchObject({ ...runner.denialOf("send") });
  });
});

describe("P9 the reason of a denial that was not lifted", () => {
  const reasonOf = async (
    answer: Parameters<typeof approver>[0],
    guardrails: readonly GuardrailProvider[] = [gate()],
  ) => {
    const runner = new ToolRunner({
      tools: [spyTool("pay")],
      guardrails,
      approver: approver(answer),
    });
    const outcome = await runner.run(payment);
    return "reason" in outcome ? outcome.reason : outcome.status;
  };

  it("says that the approval was refused, where whoever refused it says nothing", async () => {
    for (const reason of [undefined, ""]) {
      expect(await reasonOf(() => ({ decision: "denied", reason }))).toBe(
        "payments need an approval; the approval was refused",
      );
    }
  });

  it("says that an approval has been asked for, where the approver says nothing", async () => {
    expect(
      await reasonOf(() => ({ decision: "pending", approvalId: "a1", reason: 7 as never })),
    ).toBe("payments need an approval; an approval has been asked for");
  });

  it("repeats what the approver says of its question, and names a tool whose approval is used up", async () => {
    expect(
      await reasonOf(() => ({ decision: "pending", approvalId: "a1", reason: "ask bob" })),
    ).toBe("payments need an approval; ask bob");
    const runner = new ToolRunner({
      tools: [spyTool("pay")],
      guardrails: [gate()],
      approver: approver(
        () => ({ decision: "approved", approvalId: "a1" }),
        () => false,
      ),
    });
    expect(await runner.run(payment)).toMatchObject({
      reason:
        "the approval for tool 'pay' has been used, has expired, or was given for another call",
    });
  });

  it("P9 says that a human would be asked too often, from the ninth denial of a call on", async () => {
    const gates = (count: number) => Array.from({ length: count }, (_, at) => gate(`gate ${at}`));
    let ids = 0;
    const approves = () => ({ decision: "approved", approvalId: `a${++ids}` }) as const;
    expect(await reasonOf(approves, gates(8))).toBe("executed");
    expect(await reasonOf(approves, gates(9))).toBe(
      "payments need an approval; too many denials of it would have to be lifted",
    );
  });

  it("names nobody as the one who refused it, where the name is empty", async () => {
    const runner = new ToolRunner({
      tools: [spyTool("pay")],
      guardrails: [gate()],
      approver: approver(() => ({ decision: "denied", approvalId: "a1", by: "" })),
    });
    const { decisions } = await runner.run(payment);
    expect(decisions.at(-1)?.reason).toBe("approval 'a1' was refused");
  });

  it("P9 may ask for an approval that expires within a millisecond", async () => {
    const short = guard("short", {
      evaluate: () => deny("no", { approval: { ...approval, expiresInMs: 0.5 } }),
    });
    expect(await reasonOf(() => ({ decision: "denied", reason: "late" }), [short])).toBe(
      "no; late",
    );
  });

  it("P9 of what was given up before it was taken up again is an error that says so", async () => {
    const runner = new ToolRunner({
      guardrails: [allowAll()],
      approver: approver(() => ({ decision: "denied" })),
    });
    expect(await messageOf(() => runner.resume("a1", { signal: AbortSignal.abort() }))).toBe(
      "The caller aborted before the call was taken up.",
    );
  });
});

describe("P2 the error of a tool whose answer is none", () => {
  const causeOf = async (act: () => unknown) => {
    const outcome = await outcomeOf(act);
    return ((outcome as { error?: Error }).error?.cause as Error | undefined)?.message;
  };

  it("says of bytes that they are to be given as base64 text", async () => {
    for (const bytes of [new Uint8Array(2), new ArrayBuffer(2)]) {
      expect(await causeOf(() => ({ bytes }))).toBe(
        "JSON cannot hold bytes: give them as base64 text.",
      );
    }
  });

  it("says of what JSON has no text for that it cannot hold it", async () => {
    for (const value of [() => 1, Symbol("s"), { list: new Map() }, new Set([1])]) {
      expect(await causeOf(() => value)).toBe("JSON cannot hold it");
    }
  });

  it("says of a content that is neither text nor parts that it is none", async () => {
    for (const content of [7, [{}], [{ type: 7 }], {}]) {
      expect(await causeOf(() => toolResult({ content } as never))).toBe("not content");
    }
  });

  it("says of a claim with a wrong member that it is not a result", async () => {
    for (const wrong of [{ callId: 7 }, { name: 7 }, { receipt: 7 }, { isError: "no" }]) {
      expect(await causeOf(() => toolResult({ content: "x", ...wrong } as never))).toBe(
        "not a result",
      );
    }
  });
});

describe("P10 the reason of a call that cannot be opened", () => {
  const reasonOfSecond = async (options: Partial<ToolRunnerOptions>, more: object = {}) => {
    const runner = runnerOf(options);
    const request = { name: "send", callId: "c1" };
    await runner.open(request);
    const { outcome } = await runner.open({ ...request, ...more });
    return outcome !== undefined && "reason" in outcome ? outcome.reason : undefined;
  };

  it("names the id of the call that is still open", async () => {
    expect(await reasonOfSecond({})).toBe(
      "call id 'c1' is that of another call, which is still open in this session",
    );
  });

  it("says that too many are open", async () => {
    expect(await reasonOfSecond({ maxOpenCalls: 1 }, { callId: "c2" })).toBe(
      "too many tool calls are open",
    );
  });

  it("names the id that a turn has twice", async () => {
    const [, second] = await runnerOf().runAll([
      { name: "send", callId: "c1" },
      { name: "send", callId: "c1" },
    ]);
    expect(second).toMatchObject({ reason: "call id 'c1' is used twice in one turn" });
  });
});

describe("P5 close() of an opened call", () => {
  const openedCall = async () => {
    const opened = await runnerOf().open({ name: "send" });
    if (opened.permit === undefined) throw new Error("the call was stopped");
    return opened;
  };

  it.each(["released", "unused", "unknown"])(
    "P5 takes %s for an answer only where it is true",
    async (mark) => {
      const opened = await openedCall();
      for (const value of [false, undefined, "yes"]) {
        expect(errorOf(() => opened.close({ [mark]: value } as never)).message).toMatch(
          /^close\(\): the answer must be one of /,
        );
      }
      expect((await opened.close({ [mark]: true } as never)).status).not.toBe("executed");
    },
  );

  it("takes any error, also one that is a promise", async () => {
    const error = Promise.resolve();
    expect(await (await openedCall()).close({ error })).toMatchObject({ status: "failed", error });
  });

  it("P5 is told of a promise, whose rejection ends no process", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", note);
    try {
      const opened = await runnerOf().open({ name: "send" });
      if (opened.permit === undefined) throw new Error("the call was stopped");
      const value = Promise.reject(new Error("later"));
      expect(errorOf(() => opened.close({ value })).message).toBe(
        "close(): `value` must be the tool's answer, received a promise. Await it first.",
      );
      await opened.close({ unused: true });
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });
});

it("a live chain that judges no results allows each, when it is asked directly", async () => {
  const { guardrail } = liveChain([{ name: "g", evaluate: () => allow() }]);
  const result = { callId: "c", name: "send_mail", isError: false, content: "x" };
  expect(await guardrail.evaluateResult?.(callOf(), result as never)).toBe(allow());
});
