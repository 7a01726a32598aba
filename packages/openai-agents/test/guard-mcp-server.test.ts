import { Agent, type MCPServer } from "@openai/agents";
import {
  allow,
  allowAll,
  deny,
  type GuardrailProvider,
  type ResultDecision,
  rewrite,
  type ToolResult,
} from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { type GuardMcpServerOptions, guardMcpServer } from "../src/index.js";
import { FakeMcpServer } from "./fake-mcp-server.js";
import { annOnly, noting } from "./mail.js";
import { type Asked, asking, read, runner } from "./scripted-run.js";

type Options = Omit<GuardMcpServerOptions, "unchecked">;
const toAnn: readonly Asked[] = [["send_mail", { to: "ann" }, "c1"]];

async function runWith(server: MCPServer, options: Options, calls = toAnn, signal?: AbortSignal) {
  const guarded = guardMcpServer(server, { ...options, unchecked: true });
  const agent = new Agent({ name: "support", mcpServers: [guarded] });
  const model = asking(calls);
  await runner(model).run(agent, "go", signal === undefined ? {} : { signal });
  return model;
}

function judging(judge: (result: ToolResult) => ResultDecision): GuardrailProvider {
  return { name: "judge", evaluate: () => allow(), evaluateResult: (_, result) => judge(result) };
}

const said = (text: string) => [{ type: "input_text", text }];

describe("a guarded MCP server", () => {
  it("P6 P11 P13 runs one of two parallel calls as rewritten, and not the one that is denied", async () => {
    const server = new FakeMcpServer();
    const observer = recordingObserver();
    const model = await runWith(server, { guardrails: [annOnly], observers: [observer] }, [
      ["send_mail", { to: "bob" }, "c1"],
      ["send_mail", { to: "thief" }, "c2"],
    ]);
    expect(server.calls).toEqual([{ name: "send_mail", args: { to: "ann" }, meta: undefined }]);
    expect(read(model)).toEqual({
      c1: said("sent to ann"),
      c2: said("Tool call denied: not our customer"),
    });
    expect(observer.records.map(({ outcome }) => outcome?.status).sort()).toEqual([
      "denied",
      "executed",
    ]);
  });

  it("P13 hides the server: no member of its own class is left to call", () => {
    const server = new FakeMcpServer();
    const guarded = guardMcpServer(server, { guardrails: [annOnly], unchecked: true });
    expect(guarded).not.toHaveProperty("calls");
    expect(Object.getPrototypeOf(guarded)).toBe(Object.prototype);
    expect(guarded.callTool).not.toBe(server.callTool);
  });

  it("P13 denies a tool that it never listed, also to who calls it by hand", async () => {
    const server = new FakeMcpServer();
    const guarded = guardMcpServer(server, { guardrails: [allowAll()], unchecked: true });
    const content = await guarded.callTool("wipe", {});
    expect(content.isError).toBe(true);
    expect(content[0]?.text).toContain("wipe");
    expect(server.calls).toEqual([]);
  });

  it("P5 leaves a tool off its list that a guard refuses, and denies calls to it", async () => {
    const server = new FakeMcpServer();
    const picky: GuardrailProvider = {
      name: "picky",
      evaluate: () => allow(),
      register: () => {
        throw new Error("not this one");
      },
    };
    const guarded = guardMcpServer(server, { guardrails: [picky], unchecked: true });
    expect(await guarded.listTools()).toEqual([]);
    expect((await guarded.callTool("send_mail", { to: "ann" })).isError).toBe(true);
    expect(server.calls).toEqual([]);
  });

  it("P5 rejects the list where no guard holds arguments to their schemas", async () => {
    const guarded = guardMcpServer(new FakeMcpServer(), { guardrails: [allowAll()] });
    await expect(guarded.listTools()).rejects.toMatchObject({ code: "ERR_UNCHECKED_TOOL" });
  });

  it("P5 takes no overrides: the framework calls tools by the names that the server lists", () => {
    const options = { guardrails: [], overrides: {} };
    expect(() => guardMcpServer(new FakeMcpServer(), options)).toThrow("no option 'overrides'");
  });

  it.each(["throws", "answers nothing"])("P1 denies where a guard %s", async (how) => {
    const server = new FakeMcpServer();
    const evaluate = () => {
      if (how === "throws") throw new Error("hunter2");
      return undefined as never;
    };
    const model = await runWith(server, { guardrails: [{ name: "bad", evaluate }] });
    expect(server.calls).toEqual([]);
    expect(JSON.stringify(read(model).c1)).toContain("Tool call denied: ");
    expect(JSON.stringify(read(model).c1)).not.toContain("hunter2");
  });

  it("passes the request's metadata on, and takes the host's facts from it", async () => {
    const server = new FakeMcpServer();
    server.toolMetaResolver = ({ runContext }) => runContext.context as Record<string, unknown>;
    const { guard, asked } = noting();
    const guarded = guardMcpServer(server, {
      guardrails: [guard],
      unchecked: true,
      describe: (meta) => ({ context: { sessionId: String(meta?.session) } }),
    });
    const agent = new Agent({ name: "support", mcpServers: [guarded] });
    await runner(asking(toAnn)).run(agent, "go", { context: { session: "s1" } });
    expect(asked[0]?.context.sessionId).toBe("s1");
    expect(server.calls).toMatchObject([{ meta: { session: "s1" } }]);
  });

  it("P1 P2 denies where describe() throws", async () => {
    const server = new FakeMcpServer();
    const describe = () => {
      throw new Error("hunter2");
    };
    const model = await runWith(server, { guardrails: [allowAll()], describe });
    expect(server.calls).toEqual([]);
    expect(read(model).c1).toEqual(said("Tool call denied: the call's context cannot be read"));
  });

  it("connects and closes the server, and shows its settings as they now are", async () => {
    const server = new FakeMcpServer();
    const guarded = guardMcpServer(server, { guardrails: [allowAll()], unchecked: true });
    await guarded.connect();
    expect(server.connected).toBe(true);
    server.cacheToolsList = true;
    expect([guarded.name, guarded.cacheToolsList]).toEqual(["mail", true]);
    await guarded.close();
    expect(server.connected).toBe(false);
  });
});

describe("the result of a guarded MCP server", () => {
  const full = {
    content: [
      { type: "text", text: "found" },
      { type: "image", data: "AAEC", mimeType: "image/png" },
    ],
    structuredContent: { found: 1 },
    isError: false,
    _meta: { trace: "t1" },
  };

  it("is what the server sent, by both ways of calling", async () => {
    const guarded = guardMcpServer(new FakeMcpServer(() => structuredClone(full)), {
      guardrails: [allowAll()],
      unchecked: true,
    });
    expect(await guarded.callToolResult?.("send_mail", { to: "ann" })).toEqual(full);
    const content = await guarded.callTool("send_mail", { to: "ann" });
    expect([...content]).toEqual(full.content);
    expect(content.structuredContent).toEqual(full.structuredContent);
    expect(content._meta).toEqual(full._meta);
  });

  it("is read by the model as without guards, also as structured content", async () => {
    for (const useStructuredContent of [false, true]) {
      const texts = [];
      for (const wrap of [true, false]) {
        const server = new FakeMcpServer(() => structuredClone(full));
        server.useStructuredContent = useStructuredContent;
        const options = { guardrails: [allowAll()], unchecked: true };
        const mcpServers = [wrap ? guardMcpServer(server, options) : server];
        const model = asking(toAnn);
        await runner(model).run(new Agent({ name: "support", mcpServers }), "go");
        texts.push(read(model).c1);
      }
      expect(texts[0]).toEqual(texts[1]);
    }
  });

  it("is rewritten or withheld as a judge says, with nothing of the old one beside it", async () => {
    const call = async (judge: (result: ToolResult) => ResultDecision) =>
      guardMcpServer(new FakeMcpServer(() => structuredClone(full)), {
        guardrails: [judging(judge)],
        unchecked: true,
      }).callToolResult?.("send_mail", { to: "ann" });
    expect(await call(() => rewrite({ content: "***" }))).toEqual({
      content: [{ type: "text", text: "***" }],
      isError: false,
    });
    expect(await call(() => deny("a secret"))).toEqual({
      content: [{ type: "text", text: "Tool result withheld: a secret" }],
      isError: true,
    });
  });

  it.each([
    ["text", "***"],
    ["content parts", [{ type: "text", text: "***" }]],
  ])(
    "P6 that a judge rewrote to %s is read so, also where the framework prefers structured content",
    async (_, content) => {
      const server = new FakeMcpServer(() => structuredClone(full));
      server.useStructuredContent = true;
      const judge = judging(({ structured }) =>
        rewrite({ content, structured: structured ?? null }),
      );
      const model = await runWith(server, { guardrails: [judge] });
      expect(read(model).c1).toEqual(said("***"));
      const guarded = guardMcpServer(server, { guardrails: [judge], unchecked: true });
      await guarded.listTools();
      const whole = await guarded.callToolResult?.("send_mail", { to: "ann" });
      expect(whole?.structuredContent).toBeUndefined();
    },
  );

  it.each([
    ["nothing", undefined],
    ["text for a list", { content: "found" as never, extra: 1 }],
    ["parts of no type", { content: [{ text: "found" }] }],
    ["a bigint", { content: [{ type: "text", text: "found", size: 7n }] }],
  ])("that is %s ends no run", async (_, answer) => {
    const server = new FakeMcpServer(() => answer);
    server.useStructuredContent = true;
    const model = await runWith(server, { guardrails: [allowAll()] });
    expect(read(model).c1).toBeDefined();
    model.assertComplete();
  });

  it("that reports an error is an error to judges, and is read as one", async () => {
    const seen: unknown[] = [];
    const judge = judging(({ isError, content }) => {
      seen.push([isError, content]);
      return allow();
    });
    const content = [{ type: "text", text: "no such address" }];
    const server = new FakeMcpServer(() => ({ content, isError: true }));
    const model = await runWith(server, { guardrails: [judge] });
    expect(seen).toEqual([[true, content]]);
    expect(read(model).c1).toEqual(said("no such address"));
  });

  it("is the framework's to tell where the server throws, unless a judge withholds it", async () => {
    const fail = () => {
      throw new Error("hunter2");
    };
    const server = new FakeMcpServer(fail);
    server.errorFunction = ({ error }) => `failed: ${(error as Error).message}`;
    const allowed = await runWith(server, { guardrails: [allowAll()] });
    expect(read(allowed).c1).toBe("failed: hunter2");
    const withheld = await runWith(server, { guardrails: [judging(() => deny("a secret"))] });
    expect(read(withheld).c1).toEqual(said("Tool result withheld: a secret"));
  });
});

/** What an MCP server throws, and all that it says of itself as text. */
const errors: readonly (readonly [string, () => unknown, string])[] = [
  ["by its message", () => new Error("hunter2"), "Error: hunter2"],
  ["by its name", () => Object.assign(new Error("fine"), { name: "hunter2" }), "hunter2: fine"],
  ["by its class", () => new RangeError("hunter2"), "RangeError: hunter2"],
  [
    "by toString()",
    () => Object.assign(new Error("fine"), { toString: () => "hunter2" }),
    "hunter2",
  ],
  ["as text", () => "hunter2", "hunter2"],
  ["as an object", () => ({ toString: () => "hunter2" }), "hunter2"],
];
/** What says it elsewhere, where no text of the error does. */
const hidden: readonly (readonly [string, () => unknown])[] = [
  ["by its cause", () => new Error("fine", { cause: "hunter2" })],
  ["by a member", () => Object.assign(new Error("fine"), { data: "hunter2" })],
  ["by its stack", () => Object.assign(new Error("fine"), { stack: "hunter2" })],
  [
    "by a second reading of its message",
    () => {
      let read = 0;
      const get = () => (read++ === 0 ? "fine" : "hunter2");
      return Object.defineProperty(new Error(), "message", { get });
    },
  ],
];

describe("what a guarded MCP server throws", () => {
  function throwing(make: () => unknown) {
    const server = new FakeMcpServer(() => {
      throw make();
    });
    let told: unknown;
    server.errorFunction = ({ error }) => {
      told = error;
      return String(error);
    };
    return { server, told: () => told };
  }

  it.each(errors)("P6 is shown to judges as what it says %s", async (_, make, text) => {
    const seen: unknown[] = [];
    const judge = judging(({ content }) => {
      seen.push(content);
      return allow();
    });
    const model = await runWith(throwing(make).server, { guardrails: [judge] });
    expect(seen).toEqual([text]);
    expect(read(model).c1).toBe(text);
    const strict = judging(({ content }) =>
      String(content).includes("hunter2") ? deny("a secret") : allow(),
    );
    const kept = await runWith(throwing(make).server, { guardrails: [strict] });
    expect(read(kept).c1).toEqual(said("Tool result withheld: a secret"));
  });

  it.each(hidden)("P6 reaches nobody with what it says %s, which no judge saw", async (_, make) => {
    const { server, told } = throwing(make);
    const model = await runWith(server, { guardrails: [allowAll()] });
    expect(read(model).c1).toBe("Error: fine");
    const error = told() as Error;
    const all = Object.getOwnPropertyNames(error).map((key) => Reflect.get(error, key));
    expect(all.join()).not.toContain("hunter2");
    expect(error.message).toBe("fine");
  });

  it("P6 is told as it was when it was judged, though it changes later", async () => {
    const error = new Error("fine");
    const judge = judging(() => {
      error.message = "hunter2";
      return allow();
    });
    const model = await runWith(throwing(() => error).server, { guardrails: [judge] });
    expect(read(model).c1).toBe("Error: fine");
  });

  it("ends no run where it has no text", async () => {
    const model = await runWith(throwing(() => Object.create(null)).server, {
      guardrails: [allowAll()],
    });
    expect(read(model).c1).toBe("The MCP server failed.");
  });
});

describe("an abort of a call to a guarded MCP server", () => {
  it("reaches the server, and rejects the run by its reason", async () => {
    const abort = new AbortController();
    const gone = new Error("the user left");
    let seen: AbortSignal | undefined;
    const observer = recordingObserver();
    const server = new FakeMcpServer((_, signal) => {
      seen = signal;
      abort.abort(gone);
      return new Promise(() => {});
    });
    const options = { guardrails: [allowAll()], observers: [observer] };
    await expect(runWith(server, options, toAnn, abort.signal)).rejects.toBe(gone);
    expect(seen?.aborted).toBe(true);
    expect(observer.records.map(({ outcome }) => outcome?.executed)).toEqual(["unknown"]);
  });
});
