import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  chain,
  failOpen,
  type GuardrailProvider,
  liveChain,
  parallel,
  shadow,
  shared,
  ToolRunner,
  tool,
  withTimeout,
} from "../src/index.js";
import { guardWorkbench } from "../src/workbench/index.js";
import { error, errorOf } from "./support/errors.js";
import { InnerBench } from "./support/workbenches.js";

const a = allowAll({ name: "a" });
const b = allowAll({ name: "b" });
const built = (...guardrails: unknown[]) =>
  new ToolRunner({ guardrails: guardrails as GuardrailProvider[] });

describe("P5 a guard with a member's name from another system", () => {
  it.each([
    ["timeout", 200, "timeoutMs"],
    ["timeout_milliseconds", 200, "timeoutMs"],
    ["registerTool", () => {}, "register"],
    ["onRegister", () => {}, "register"],
    ["toolNames", ["search"], "tools"],
    ["afterToolCall", () => {}, "evaluateResult"],
    ["post_tool_use", () => {}, "evaluateResult"],
    ["after_tool", () => {}, "evaluateResult"],
    ["checkResult", () => {}, "evaluateResult"],
    ["onResult", () => {}, "evaluateResult"],
    ["register_tools", () => {}, "register"],
    ["timeoutSeconds", 3, "timeoutMs"],
  ])("P5 %s is told the right one", (key, value, right) => {
    expect(() => built({ name: "g", evaluate: () => allow(), [key]: value })).toThrow(
      error("ERR_UNKNOWN_MEMBER", `'g' has a member '${key}'`, `It goes under ${right}.`),
    );
  });

  it("P5 allowedTools is told what limits a guard", () => {
    expect(() => built({ name: "g", evaluate: () => allow(), allowedTools: ["search"] })).toThrow(
      error("ERR_UNKNOWN_MEMBER", "It goes under tools.", "use forTools()."),
    );
  });

  it("may have a name of its own beside the right one", () => {
    const guard = { ...a, timeout: 3, timeoutMs: 3, allowedTools: [], tools: [] };
    expect(() => built(guard)).not.toThrow();
  });

  it.each([
    ...["authorize", "before_tool", "beforeToolCall", "before_tool_call", "check", "decide"],
    ...["execute", "guard", "invoke", "onCall", "pre_tool_use", "run", "validate", "wrapToolCall"],
  ])("P5 without evaluate is told that its %s goes under it", (key) => {
    expect(() => built({ name: "g", [key]: () => allow() })).toThrow(
      error(
        "ERR_INVALID_PROVIDER",
        "neither evaluate(call) nor",
        `Its '${key}' goes under evaluate.`,
      ),
    );
  });

  it("may have a function of its own by such a name beside evaluate", () => {
    expect(() => built({ ...a, check: () => true, run: () => {} })).not.toThrow();
  });
});

describe("a guard", () => {
  it.each([
    ["judgesPeices", "judgesPieces"],
    ["checkArguments", "checksArguments"],
    ["registr", "register"],
    ["admitt", "admit"],
  ])("P5 with %s is told the member that is meant", (key, right) => {
    expect(() => built({ ...a, [key]: () => true })).toThrow(
      error("ERR_UNKNOWN_MEMBER", `Did you mean '${right}'?`),
    );
  });

  it("may have a member of its own that is further from one of core's", () => {
    expect(() => built({ ...a, evacuates: () => true })).not.toThrow();
  });

  it("may have every member that core reads", () => {
    const full = {
      ...{ name: "full", evaluate: () => allow(), admit: () => allow(), settle: () => {} },
      ...{ evaluateResult: () => allow(), register: () => {}, tools: [], timeoutMs: 5 },
      ...{ checksArguments: () => true, judgesPieces: () => false, close: () => {} },
    };
    expect(() => built(full)).not.toThrow();
  });
});

describe("P5 tool()", () => {
  it.each([
    ["inputSchema", "parameters"],
    ["input_schema", "parameters"],
    ["args_schema", "parameters"],
    ["handler", "execute"],
    ["output_schema", "outputSchema"],
    ["schema", "parameters"],
    ["invoke", "execute"],
    ["run", "execute"],
    ["function", "name, description and parameters"],
  ])("P5 with %s is told the right member", (key, right) => {
    const given = { name: "search", [key]: {} } as never;
    expect(() => tool(given)).toThrow(
      error("ERR_UNKNOWN_OPTION", `tool() has no option '${key}'. It goes under ${right}.`),
    );
  });

  it("P5 with a name near a member is still told that one", () => {
    expect(() => tool({ name: "search", exceute: () => "" } as never)).toThrow(
      error("ERR_UNKNOWN_OPTION", "Did you mean 'execute'?"),
    );
  });

  it("P5 of a definition that cannot be read says which member", () => {
    const given = Object.defineProperty({ name: "search" }, "execute", {
      get: () => {
        throw new Error("no");
      },
      enumerable: true,
    });
    expect(() => tool(given as never)).toThrow(
      error("ERR_INVALID_OPTION", "tool(): 'execute' must be readable"),
    );
  });
});

describe("P5 guards given one by one", () => {
  it.each<[string, (...guards: never[]) => unknown]>([
    ["chain()", chain as never],
    ["parallel()", parallel as never],
    ["liveChain()", liveChain as never],
  ])("P5 to %s are told that it takes a list", (name, combine) => {
    expect(() => combine(a as never, b as never)).toThrow(
      error("ERR_INVALID_OPTION", `${name}: the guardrails must be a list`, "received object"),
    );
  });

  it("P5 in a list that throws when it is read are an error of the list", () => {
    const hostile = new Proxy([a], {
      get: () => {
        throw new Error("a secret");
      },
    });
    const { message } = errorOf(() => chain(hostile));
    expect(message).toBe("chain(): the guardrails must be readable, and reading them threw.");
  });

  it("P5 with a hole is told the place of it", () => {
    expect(() => built(a, ...new Array(1))).toThrow(
      error("ERR_INVALID_PROVIDER", "Guardrail number 2 of the list must be an object"),
    );
  });
});

describe("a live chain", () => {
  it("P5 is told of an option that it has not, by its name", () => {
    expect(() => liveChain([], { nmae: "x" } as never)).toThrow(
      error("ERR_UNKNOWN_OPTION", "liveChain() has no option 'nmae'"),
    );
    expect(liveChain([]).guardrail.name).toBe("live");
  });
});

describe("P5 one guard", () => {
  it("P5 after its timeout is told the order", () => {
    expect(() => withTimeout(200 as never, a as never)).toThrow(
      error(
        "ERR_INVALID_PROVIDER",
        "withTimeout(guardrail, timeoutMs): the guardrail must be an object",
        "received number.",
      ),
    );
  });

  it.each<[string, (guard: never) => unknown]>([
    ["shadow()", shadow],
    ["failOpen()", failOpen],
    ["shared()", shared],
  ])("P5 in a list is refused by %s in the words of one", (name, wrap) => {
    expect(() => wrap([a] as never)).toThrow(
      error("ERR_INVALID_PROVIDER", `${name}: the guardrail`),
    );
  });

  it("P5 that is a revoked proxy is an error of that guard", () => {
    const { proxy, revoke } = Proxy.revocable({ ...a }, {});
    revoke();
    expect(() => built(b, proxy)).toThrow(
      error("ERR_INVALID_PROVIDER", "Guardrail number 2 of the list must be readable"),
    );
  });

  it("P5 that is a live chain itself is told to pass on its guardrail", () => {
    expect(() => built(liveChain([a]))).toThrow(
      error(
        "ERR_INVALID_PROVIDER",
        "number 1 of the list must be a guardrail, received the result of liveChain()",
        "guardrail",
      ),
    );
    expect(() => shadow(liveChain([a]) as never)).toThrow(
      error(
        "ERR_INVALID_PROVIDER",
        "shadow(): the guardrail must be a guardrail, received the result of liveChain()",
      ),
    );
  });
});

describe("P5 guardWorkbench()", () => {
  const guardrails = [a];
  const methods = [
    "listTools",
    "callTool",
    "callToolStream",
    "start",
    "stop",
    "reset",
    "saveState",
    "loadState",
  ];

  it.each(methods)("P5 names %s where its workbench lacks it", (method) => {
    const inner = Object.assign(new InnerBench(), { [method]: undefined }) as never;
    expect(errorOf(() => guardWorkbench(inner, { guardrails })).message).toBe(
      `guardWorkbench(): the first argument must be a workbench, and it lacks ${method}().`,
    );
  });

  it("P5 of what is no object says so", () => {
    expect(() => guardWorkbench(undefined as never, { guardrails })).toThrow(
      error("ERR_INVALID_OPTION", "the first argument must be a workbench, received undefined"),
    );
  });

  it("ends with a workbench that can only be stopped", async () => {
    const inner = new InnerBench("t");
    Object.assign(inner, { [Symbol.asyncDispose]: undefined });
    const bench = guardWorkbench(inner, { guardrails });
    await bench[Symbol.asyncDispose]();
    expect(inner.log).toEqual(["stop"]);
  });
});
