import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { reportFault } from "../src/host/index.js";
import {
  allow,
  allowAll,
  chain,
  deny,
  type Fault,
  modify,
  shadow,
  ToolRunner,
  ToolstileError,
  when,
} from "../src/index.js";
import { guard, spyTool } from "./support/runners.js";

/** Each fault is warned of once in a process, so each run of each test has guards of its own names. */
const own = (name: string): string => `${name}${suffix}`;
let suffix = "";
let runs = 0;
beforeEach(() => {
  suffix = `, run ${++runs}`;
});
const warnings = () =>
  vi.mocked(process.emitWarning).mock.calls.map(([text]) => String(text).replaceAll(suffix, ""));

async function warnedOf(name: string, answer: unknown, more: object = {}): Promise<string[]> {
  const spy = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const evaluate = () => (typeof answer === "function" ? answer() : answer) as never;
  const runner = new ToolRunner({
    tools: [spyTool()],
    guardrails: [allowAll(), guard(own(name), { evaluate })],
    ...more,
  });
  await runner.run({ name: "send", arguments: { to: "hunter2" } });
  await runner.run({ name: "send", arguments: { to: "hunter2" } });
  expect(
    spy.mock.calls.every(([, options]) => {
      const { type, code } = options as { type: string; code: string };
      return type === "ToolstileWarning" && code === "TOOLSTILE_FAULT";
    }),
  ).toBe(true);
  return warnings();
}

afterEach(() => void vi.restoreAllMocks());

describe("a fault that nobody listens to", () => {
  it("P2 is one warning of the process, with the class of what was thrown and not its text", async () => {
    const told = await warnedOf("w1", () => {
      throw new RangeError("hunter2");
    });
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(
      /^'w1' failed in evaluate\(\): it threw a RangeError\. Listen by `onFault`/,
    );
  });

  it("is told on the console where the process warns of nothing", () => {
    const { emitWarning } = process;
    const told = vi.spyOn(console, "warn").mockImplementation(() => {});
    process.emitWarning = undefined as never;
    try {
      reportFault(undefined, {
        source: own("w0"),
        phase: "call",
        error: new RangeError("hunter2"),
      });
    } finally {
      process.emitWarning = emitWarning;
    }
    expect(told.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^ToolstileWarning: 'w0, run \d+' failed in evaluate\(\): it threw a RangeError\./,
        ),
      ],
    ]);
  });

  it("is another warning for another kind of fault of the same guard", async () => {
    await warnedOf("w2", true);
    expect(await warnedOf("w2", () => Promise.reject("hunter2"))).toHaveLength(2);
    expect(warnings().join()).not.toContain("hunter2");
  });

  it.each<[string, unknown, string]>([
    ["a boolean", true, "answered a boolean."],
    ["no decision", { allow: true }, "an object without a `decision` of its own."],
    ["another case", { decision: "ALLOW" }, 'a `decision` that must be written "allow".'],
    [
      "another word",
      { decision: "block" },
      'whose `decision` must be "allow", "deny" or "modify", received string.',
    ],
    [
      "a number as reason",
      { decision: "deny", reason: 7 },
      "whose `reason` must be a string, received number.",
    ],
    [
      "arguments beside a right reason",
      { decision: "modify", reason: "fine", modifiedArgs: 7 },
      "whose `modifiedArgs` must be a JSON object within the limits for arguments, received number.",
    ],
    [
      "a list as code",
      deny("no", { code: ["c"] as never }),
      "whose `code` must be a string, received an array.",
    ],
    [
      "a code beside a right reason",
      { decision: "deny", reason: "no", code: 7 },
      "whose `code` must be a string, received number.",
    ],
    [
      "a symbol",
      { decision: "allow", [Symbol("s")]: 1 },
      "with a getter or a symbol: it must be plain data.",
    ],
    [
      "text as metadata",
      deny("no", { metadata: "m" as never }),
      "whose `metadata` must be an object that JSON can hold, received string.",
    ],
    [
      "no parts",
      deny("no", { replacement: [{}] as never }),
      "whose `replacement` must be text or a list of content parts, received an array.",
    ],
    [
      "no summary",
      deny("no", { approval: { summery: "s" } as never }),
      "whose `approval` must be { summary, expiresInMs? }",
    ],
    ...[
      ["args", "modifiedArgs"],
      ["arguments", "modifiedArgs"],
      ["message", "reason"],
      ["modified_args", "modifiedArgs"],
      ["modified_result", "modifiedResult"],
      ["result", "modifiedResult"],
    ].map(([key, right]): [string, unknown, string] => [
      `another system's ${key}`,
      { decision: "deny", [key as string]: {} },
      `a member that none has: \`${right}\` may be meant.`,
    ]),
    ...(["code", "replacement", "approval"] as const).map((key): [string, unknown, string] => [
      `${key} with modify`,
      { decision: "modify", modifiedArgs: {}, [key]: "x" },
      `"modify" with a \`${key}\`, which does not go with it here.`,
    ]),
    [
      "arguments with deny",
      { decision: "deny", modifiedArgs: {} },
      '"deny" with a `modifiedArgs`, which does not go with it here.',
    ],
    [
      "a result with modify",
      { decision: "modify", modifiedArgs: {}, modifiedResult: { content: "x" } },
      '"modify" with a `modifiedResult`, which does not go with it here.',
    ],
    ["deny in capitals", { decision: " DENY" }, 'a `decision` that must be written "deny".'],
    ["modify in capitals", { decision: "Modify" }, 'a `decision` that must be written "modify".'],
    ["a slip", { decision: "deny", reasn: "no" }, "a member that none has: `reason` may be meant."],
    [
      "a name of its own",
      { decision: "deny", hunter2: "no" },
      "a decision with a member that none has. It answers",
    ],
    [
      "no arguments",
      { decision: "modify" },
      "whose `modifiedArgs` must be a JSON object within the limits for arguments, received undefined.",
    ],
    [
      "what is no JSON",
      modify({ at: new Date() }),
      "whose `modifiedArgs` must be a JSON object within the limits for arguments, received object.",
    ],
    [
      "code with allow",
      allow({ code: "c" } as never),
      '"allow" with a `code`, which does not go with it here.',
    ],
    [
      "a getter",
      Object.defineProperty({}, "decision", { get: () => "allow", enumerable: true }),
      "with a getter or a symbol: it must be plain data.",
    ],
  ])("names the member that is wrong: %s", async (name, answer, words) => {
    const [told] = await warnedOf(`member ${name}`, answer);
    expect(told).toContain(words);
    expect(told).not.toContain("hunter2");
  });

  it("names the phase: a decision that comes too late", async () => {
    vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const late = {
      ...guard(own("late"), { evaluate: () => allow() }),
      admit: () => modify({}) as never,
    };
    const asking = {
      name: own("asking"),
      evaluateResult: () => deny("no", { approval: { summary: "s" } }) as never,
    };
    const run = async (extra: object) =>
      new ToolRunner({ tools: [spyTool()], guardrails: [allowAll(), extra as never] }).run({
        name: "send",
      });
    await run(late);
    await run(asking);
    expect(warnings()).toEqual([
      expect.stringContaining(
        `'late' failed in admit(): The guardrail answered the decision "modify", which is too late.`,
      ),
      expect.stringContaining(
        "'asking' failed in evaluateResult(): The guardrail answered with an `approval`: the tool has run already.",
      ),
    ]);
  });

  it("names the member that is wrong where it comes too late for another", async () => {
    vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const admit = () => ({ decision: "deny", reason: 7 }) as never;
    const guardrails = [guard(own("late"), { admit })];
    await new ToolRunner({ tools: [spyTool()], guardrails }).run({ name: "send" });
    expect(warnings()).toEqual([
      expect.stringContaining("a decision whose `reason` must be a string, received number."),
    ]);
  });

  it("names the member that is wrong in a judgement of a result", async () => {
    vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const content = "x";
    const judgements: [string, object][] = [
      ["nothing", { decision: "modify" }],
      ["a number", { decision: "modify", modifiedResult: { content: 7 } }],
      ["a reason", { decision: "modify", modifiedResult: { content }, reason: 7 }],
      ["arguments", { decision: "modify", modifiedArgs: {} }],
      ["a denial", { decision: "deny", modifiedResult: { content } }],
    ];
    for (const [name, judgement] of judgements) {
      const judge = { name: own(name), evaluateResult: () => judgement as never };
      const guardrails = [allowAll(), judge];
      await new ToolRunner({ tools: [spyTool()], guardrails }).run({ name: "send" });
    }
    const body = "must be { content, structured? }, text or content parts, and JSON, received";
    expect(warnings().map((text) => text.slice(0, text.indexOf(". It answers")))).toEqual(
      [
        `nothing' failed in evaluateResult(): The guardrail answered a decision whose \`modifiedResult\` ${body} undefined`,
        `a number' failed in evaluateResult(): The guardrail answered a decision whose \`modifiedResult\` ${body} object`,
        "a reason' failed in evaluateResult(): The guardrail answered a decision whose `reason` must be a string, received number",
        `arguments' failed in evaluateResult(): The guardrail answered "modify" with a \`modifiedArgs\`, which does not go with it here`,
        `a denial' failed in evaluateResult(): The guardrail answered "deny" with a \`modifiedResult\`, which does not go with it here`,
      ].map((text) => `'${text}`),
    );
  });

  it("is warned of for conditions, shadows, observers, and guards asked without a runner", async () => {
    vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const broken = (name: string) => guard(own(name), { evaluate: () => 1 as never });
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [
        allowAll(),
        shadow(broken("in the shadow")),
        when((() => "yes") as never, broken("conditional")),
      ],
      observers: [
        {
          name: own("full disk"),
          settle: () => {
            throw new Error("hunter2");
          },
        },
      ],
    });
    await runner.run({ name: "send" });
    await chain([broken("alone")]).evaluate({
      args: {},
      toolName: "send",
      context: {},
      run: {},
    } as never);
    expect(warnings().map((text) => text.slice(0, text.indexOf(":")))).toEqual([
      "'in the shadow' failed in evaluate()",
      "'conditional' failed in the condition of its when()",
      "'full disk' failed in settle()",
      "'alone' failed in evaluate()",
    ]);
  });

  it("is told in the words of an error for programmers, and of what cannot be read says that", async () => {
    vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const odd = new (class extends Error {})("hunter2");
    Object.defineProperty(odd.constructor, "name", { value: "hunter 2" });
    const phase = "listTools";
    for (const [source, error] of [
      ["named", new ToolstileError("ERR_UNKNOWN_TOOL", "There is no tool 'x'")],
      ["asking", new ToolstileError("ERR_UNKNOWN_TOOL", "No tool 'x'. Did you mean 'y'?")],
      ["denied", new ToolstileError("ERR_DENIED", "hunter2")],
      ["revoked", proxy],
      ["odd", odd],
    ] as const) {
      reportFault(undefined, { source: own(source), phase, error });
    }
    expect(warnings().map((text) => text.slice(0, text.indexOf(" Listen")))).toEqual([
      "'named' failed to list its tools: There is no tool 'x'.",
      "'asking' failed to list its tools: No tool 'x'. Did you mean 'y'?",
      "'denied' failed to list its tools: it threw a ToolstileError.",
      "'revoked' failed to list its tools: it threw what cannot be read.",
      "'odd' failed to list its tools: it threw an Error.",
    ]);
  });

  it("is warned of by adapters, which have no runner's listeners", () => {
    const spy = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    reportFault(undefined, {
      source: own("adapter"),
      phase: "approval",
      error: new Error("hunter2"),
    });
    expect(spy).toHaveBeenCalledOnce();
    expect(warnings()[0]).toMatch(/^'adapter' failed in approval\(\): it threw an Error\./);
  });
});

describe("a fault that somebody listens to", () => {
  it("is no warning", async () => {
    const faults: Fault[] = [];
    expect(
      await warnedOf("heard", 1, { onFault: (fault: Fault) => void faults.push(fault) }),
    ).toEqual([]);
    expect(faults).toHaveLength(2);
  });

  it("is no warning of a runner for an agent whose parent has the listener", async () => {
    vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const faults: Fault[] = [];
    const parent = new ToolRunner({
      tools: [spyTool()],
      guardrails: [guard("of a child", { evaluate: () => 1 as never })],
    });
    parent.on("fault", (fault) => void faults.push(fault));
    await parent.forAgent("clerk").run({ name: "send" });
    expect([faults.length, warnings()]).toEqual([1, []]);
  });

  it("is a warning after all where only other events are listened to", async () => {
    vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const runner = new ToolRunner({
      guardrails: [guard(own("unheard"), { evaluate: () => 1 as never })],
    });
    runner.on("settled", () => {});
    await runner.run({ name: "send" });
    expect(warnings()).toHaveLength(1);
  });

  it("is a warning where the listener itself fails", async () => {
    vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const failing = (): never => {
      throw new SyntaxError("hunter2");
    };
    const guardrails = [guard(own("of a bad listener"), { evaluate: () => 1 as never })];
    await new ToolRunner({ guardrails, onFault: failing }).run({ name: "send" });
    await new ToolRunner({ guardrails }).on("fault", failing).run({ name: "send" });
    expect(warnings().map((text) => text.slice(0, text.indexOf(" Listen")))).toEqual([
      "'onFault' failed in onFault(): it threw a SyntaxError.",
      "A listener for 'fault' failed: it threw a SyntaxError.",
    ]);
  });
});

describe("a host that is not Node", () => {
  it("is warned on its console, if it has one", async () => {
    const { process: node, console: shown } = globalThis;
    const told: string[] = [];
    Object.assign(globalThis, {
      process: undefined,
      console: { warn: (text: string) => told.push(text) },
    });
    try {
      reportFault(undefined, { source: own("edge"), phase: "close", error: "x" });
      Object.assign(globalThis, { console: undefined });
      reportFault(undefined, { source: own("bare"), phase: "close", error: "x" });
    } finally {
      Object.assign(globalThis, { process: node, console: shown });
    }
    expect(told).toEqual([
      expect.stringMatching(
        /^ToolstileWarning: 'edge, run \d+' failed in close\(\): it threw a string\./,
      ),
    ]);
  });
});
