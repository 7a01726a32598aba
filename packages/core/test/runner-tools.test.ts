import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  deny,
  forTools,
  type JsonObject,
  type Tool,
  type ToolDefinition,
  ToolRunner,
} from "../src/index.js";
import { deferred, idle } from "./support/promises.js";
import { guard, made, spyTool } from "./support/runners.js";

const guardrails = [allowAll()];

describe("a changed list of tools", () => {
  it("P13 refuses what no longer fits, tells of it, and denies its calls", async () => {
    const tools = [spyTool("a"), spyTool("b")];
    const runner = new ToolRunner({
      tools,
      guardrails: [
        guard("picky", {
          register: ({ name }) => {
            if (name === "bad") throw new Error("no");
          },
        }),
      ],
    });
    const bad = spyTool("bad");
    const twice = spyTool("twice");
    const typed: Tool = { ...spyTool("typed"), parameters: { type: "object", required: ["x"] } };
    const broken: Tool = { ...spyTool("broken"), annotations: { size: 1n } as never };
    const clash: Tool = { ...spyTool("clash"), guardrails: [guard("picky")] };
    const other: Tool = { ...spyTool("clash too"), guardrails: [guard("picky")] };
    const refuses = () => {
      throw new Error("no");
    };
    const own = { ...spyTool("own"), guardrails: [guard("of its own", { register: refuses })] };
    const refused = runner.setTools([
      tools[0] as Tool,
      bad,
      twice,
      twice,
      typed,
      broken,
      clash,
      other,
      own,
      {} as Tool,
      undefined as never,
    ]);
    expect(refused.map(({ name, refusedBy }) => [name, refusedBy])).toEqual([
      ["bad", "picky"],
      ["twice", "core"],
      ["typed", "core"],
      ["broken", "core"],
      ["clash", "core"],
      ["clash too", "core"],
      ["own", "of its own"],
      ["", "core"],
      ["", "core"],
    ]);
    expect(runner.tools.map(({ name }) => name)).toEqual(["a"]);
    expect((await runner.run({ name: "a" })).status).toBe("executed");
    for (const [name, decidedBy, why] of [
      ["bad", "picky", "a guardrail did not take it on"],
      ["twice", "core", "two tools have its name"],
      ["typed", "core", "no guardrail holds its arguments to its schema"],
      ["broken", "core", "its definition is not right"],
      ["clash", "core", "its definition is not right"],
      ["clash too", "core", "its definition is not right"],
      ["own", "of its own", "a guardrail did not take it on"],
    ] as const) {
      expect(await runner.run({ name })).toMatchObject({
        status: "denied",
        code: "tool_refused",
        decidedBy,
        reason: `tool '${name}' was refused when it was declared: ${why}`,
      });
    }
    expect(await runner.run({ name: "b" })).toMatchObject({ status: "not_found" });
    expect([...bad.runs, ...twice.runs]).toEqual([]);
  });

  it("P5 a guard that refuses a tool at construction is an error that names both", () => {
    const cause = new Error("x");
    const refuses = guard("picky", {
      register: () => {
        throw cause;
      },
    });
    expect(made({ tools: [spyTool()], guardrails: [refuses] })).toThrow(
      expect.objectContaining({
        code: "ERR_TOOL_REFUSED",
        cause,
        message: expect.stringMatching(/'send'.*'picky'/),
      }),
    );
    expect(
      made({
        tools: [spyTool("a"), spyTool()],
        guardrails: [forTools(["a"], guard("x")), forTools(["a"], refuses)],
      }),
    ).toThrow();
    expect(
      made({
        tools: [spyTool("a"), spyTool()],
        guardrails: [
          forTools(
            ["a"],
            guard("x", {
              register: ({ name }) => {
                if (name !== "a") throw cause;
              },
            }),
          ),
        ],
      }),
    ).not.toThrow();
  });

  it("A8 a call under way keeps the tool that it was decided for", async () => {
    const hold = deferred();
    const before = spyTool("send", () => "before");
    const after = spyTool("send", () => "after");
    const runner = new ToolRunner({
      tools: [before],
      guardrails: [
        guard("g", {
          evaluate: async ({ tool: known }) => {
            await hold.promise;
            return known?.name === "send" ? allow() : deny("no");
          },
        }),
      ],
    });
    const running = runner.run({ name: "send" });
    await idle();
    runner.setTools([after]);
    hold.resolve();
    expect(await running).toMatchObject({ status: "executed", value: "before" });
    expect(await runner.run({ name: "send" })).toMatchObject({ value: "after" });
  });

  it("is not changed by what is done to a definition later", async () => {
    const given = { ...spyTool(), annotations: { readOnly: true } };
    const seen: unknown[] = [];
    const runner = new ToolRunner({
      tools: [given],
      guardrails: [
        guard("g", {
          evaluate: (call) => {
            seen.push(call.tool?.annotations);
            return allow();
          },
        }),
      ],
    });
    given.annotations.readOnly = false;
    await runner.run({ name: "send" });
    expect(seen).toEqual([{ readOnly: true }]);
    expect(Object.isFrozen(seen[0])).toBe(true);
  });
});

describe("a guard that is limited to a tool", () => {
  it("may lose it to a later list where the runner had one before, and not where it is the first", () => {
    const guardrails = [allowAll(), forTools(["a"], guard("g"))];
    const runner = new ToolRunner({ tools: [spyTool("a")], guardrails });
    expect(runner.setTools([spyTool("b")])).toEqual([]);
    expect(() => new ToolRunner({ guardrails }).setTools([spyTool("b")])).toThrow(
      expect.objectContaining({ code: "ERR_UNKNOWN_TOOL" }),
    );
  });
});

describe("aliases", () => {
  it("P8 are resolved once: guards see both names, the result carries the requested one", async () => {
    const seen: unknown[] = [];
    const mail = spyTool("send_mail");
    const runner = new ToolRunner({
      tools: [mail],
      aliases: { mail: "send_mail" },
      guardrails: [
        forTools(
          ["send_mail"],
          guard("g", {
            evaluate: (call) => {
              seen.push([call.requestedName, call.toolName]);
              return allow();
            },
          }),
        ),
      ],
    });
    expect(await runner.run({ name: "mail" })).toMatchObject({
      status: "executed",
      result: { name: "mail" },
    });
    expect(seen).toEqual([["mail", "send_mail"]]);
    expect(mail.contexts[0]).toMatchObject({ requestedName: "mail", toolName: "send_mail" });
  });
});

describe("tools of one call", () => {
  it("are decided on and released, never run, and their schema must be held", async () => {
    const ran: unknown[] = [];
    const declared: ToolDefinition & Tool<JsonObject> = {
      name: "theirs",
      parameters: true,
      execute: () => ran.push(1),
    };
    const runner = new ToolRunner({ tools: [], guardrails: [allowAll()] });
    expect(await runner.run({ name: "theirs" }, { tools: [declared] })).toMatchObject({
      status: "released",
      executed: "unknown",
      result: { isError: false, content: "" },
    });
    expect(await runner.run({ name: "theirs" })).toMatchObject({ status: "not_found" });
    // What the request says of its own tool beside the definition counts for nothing.
    const typed = {
      name: "theirs",
      parameters: { type: "object", required: ["x"] },
      unchecked: true,
      guardrails: [],
    } as Tool;
    expect(await runner.run({ name: "theirs" }, { tools: [typed as never] })).toMatchObject({
      status: "denied",
      code: "tool_refused",
    });
    const opened = await runner.open({ name: "theirs" }, { tools: [declared] });
    if (opened.outcome !== undefined) throw new Error("stopped");
    expect(opened.call.tool).toMatchObject({ name: "theirs" });
    expect(await opened.close({ released: true })).toMatchObject({ status: "released" });
    expect(ran).toEqual([]);
  });
});

describe("tools that come a second time", () => {
  it("need not have the names in the configuration of guards, though none came in between", () => {
    const runner = new ToolRunner({ guardrails: [allowAll(), forTools(["send"], guard("g"))] });
    expect(() => runner.setTools([spyTool("other")])).toThrow("'send'");
    runner.setTools([spyTool("send")]);
    runner.setTools([]);
    expect(runner.setTools([spyTool("other")])).toEqual([]);
  });
});

describe("tools that come later", () => {
  it("P5 are refused under the name of an alias, and the others are loaded", async () => {
    const runner = new ToolRunner({
      tools: [spyTool("send")],
      aliases: { mail: "send" },
      guardrails,
      onFault: () => {},
    });
    const refused = runner.setTools([spyTool("mail"), spyTool("send"), {} as never]);
    expect(refused.map(({ name, refusedBy }) => [name, refusedBy])).toEqual([
      ["mail", "core"],
      ["", "core"],
    ]);
    expect(runner.tools.map(({ name }) => name)).toEqual(["send"]);
    expect((await runner.run({ name: "mail" })).status).toBe("executed");
  });
});

describe("guards", () => {
  it("are told of no tool whose name another has, when tools come later", () => {
    const told: string[] = [];
    const noting = guard("notes", { register: ({ name }) => void told.push(name) });
    const runner = new ToolRunner({ guardrails: [noting], onFault: () => {} });
    runner.setTools([spyTool("twice"), spyTool("once"), spyTool("twice")]);
    expect(told).toEqual(["once"]);
    expect(runner.tools.map(({ name }) => name)).toEqual(["once"]);
  });
});
