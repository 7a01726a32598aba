import { Agent, type MCPServer, tool } from "@openai/agents";
import { allow, chain, deny, type GuardrailProvider, modify, rewrite } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toToolInputGuardrail, toToolOutputGuardrail } from "../src/index.js";
import { FakeMcpServer } from "./fake-mcp-server.js";
import { annOnly, mailer, noting } from "./mail.js";
import { asking, read, run, runner } from "./scripted-run.js";

const toAnn = [["send_mail", { to: "ann" }, "c1"]] as const;

describe("a provider as a tool input guardrail", () => {
  it("P11 lets one of two parallel calls run, and not the one that is denied", async () => {
    const { send, sent } = mailer({ inputGuardrails: [toToolInputGuardrail(annOnly)] });
    const model = asking([...toAnn, ["send_mail", { to: "thief" }, "c2"]]);
    const result = await run([send], model);
    expect(sent.map(([callId]) => callId)).toEqual(["c1"]);
    expect(read(model)).toEqual({ c1: "sent to ann", c2: "Tool call denied: not our customer" });
    expect(result.toolInputGuardrailResults.map(({ output }) => output.outputInfo)).toEqual([
      undefined,
      expect.objectContaining({ status: "denied", decidedBy: "ann-only", code: "stranger" }),
    ]);
  });

  it("P6 rejects a call that it would change, for this seam cannot rewrite arguments", async () => {
    const { send, sent } = mailer({ inputGuardrails: [toToolInputGuardrail(annOnly)] });
    const model = asking([["send_mail", { to: "bob" }, "c1"]]);
    await run([send], model);
    expect(sent).toEqual([]);
    expect(read(model)).toEqual({
      c1: "Tool call denied: its arguments may not stay as they are",
    });
  });

  it("knows the call, the tool, and which agent asks", async () => {
    const { guard, asked } = noting();
    const { send } = mailer({ inputGuardrails: [toToolInputGuardrail(guard)] });
    await run([send], asking([...toAnn]));
    expect(asked).toMatchObject([
      { callId: "c1", toolName: "send_mail", agentName: "support", args: { to: "ann" } },
    ]);
    expect(asked[0]?.tool?.parameters).toMatchObject({ properties: { to: { type: "string" } } });
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("hunter2");
      },
    ],
    ["answers nothing", () => undefined],
    ["answers as the framework's do", () => ({ behavior: { type: "allow" } })],
  ])("P1 rejects the call where it %s", async (_, evaluate) => {
    const bad = { name: "bad", evaluate } as unknown as GuardrailProvider;
    const { send, sent } = mailer({ inputGuardrails: [toToolInputGuardrail(bad)] });
    const model = asking([...toAnn]);
    await run([send], model);
    expect(sent).toEqual([]);
    expect(read(model).c1).toContain("Tool call denied: ");
    expect(read(model).c1).not.toContain("hunter2");
  });

  it("P1 rejects the call where describe() throws", async () => {
    const { guard, asked } = noting();
    const describe = () => {
      throw new Error("hunter2");
    };
    const { send, sent } = mailer({ inputGuardrails: [toToolInputGuardrail(guard, { describe })] });
    const model = asking([...toAnn]);
    await run([send], model);
    expect([sent, asked]).toEqual([[], []]);
    expect(read(model).c1).toBe("Tool call denied: the call's context cannot be read");
  });

  it("P6 rejects arguments that two readers could read in two ways", async () => {
    const { guard, asked } = noting();
    const { send, sent } = mailer({ inputGuardrails: [toToolInputGuardrail(guard)] });
    const model = asking([["send_mail", '{"to":"thief","to":"ann"}', "c1"]]);
    await run([send], model);
    expect([sent, asked]).toEqual([[], []]);
    expect(read(model).c1).toContain("cannot be read");
  });

  it("P15 rejects a call that an observer has to record, and could not", async () => {
    const log = {
      name: "log",
      required: true,
      settle: () => {
        throw new Error("hunter2");
      },
    };
    const guardrail = toToolInputGuardrail(annOnly, { observers: [log] });
    const { send, sent } = mailer({ inputGuardrails: [guardrail] });
    const model = asking([...toAnn]);
    await run([send], model);
    expect(sent).toEqual([]);
    expect(read(model).c1).toBe("Tool call denied: the call could not be put on record");
  });

  it("takes once what a call costs, and gives back what a rejected one took", async () => {
    const taken: string[] = [];
    const counting: GuardrailProvider = {
      name: "counting",
      evaluate: () => allow(),
      admit: ({ callId }) => {
        taken.push(callId);
        return allow();
      },
      settle: (_, { executed, callId }) => {
        if (executed === false) taken.splice(taken.indexOf(callId), 1);
      },
    };
    const guard = toToolInputGuardrail(chain([annOnly, counting]));
    const { send } = mailer({ inputGuardrails: [guard] });
    await run([send], asking([...toAnn, ["send_mail", { to: "bob" }, "c2"]]));
    expect(taken).toEqual(["c1"]);
  });

  it("P15 is on record as released: what became of the call is not told here", async () => {
    const observer = recordingObserver();
    const guard = toToolInputGuardrail(annOnly, { observers: [observer] });
    await run([mailer({ inputGuardrails: [guard] }).send], asking([...toAnn]));
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["released"]);
  });
});

/** What the model reads of a call behind a judge of results. */
async function readBehind(
  evaluateResult: GuardrailProvider["evaluateResult"],
  answer: unknown,
  options: object = {},
  after: readonly GuardrailProvider[] = [],
) {
  const judge: GuardrailProvider = {
    name: "judge",
    evaluate: () => deny("asked elsewhere"),
    evaluateResult,
  };
  const send = tool({
    name: "answer",
    description: "Answers.",
    parameters: z.object({}),
    ...options,
    outputGuardrails: [judge, ...after].map((each) => toToolOutputGuardrail(each)),
    execute: () => answer as string,
  });
  const model = asking([["answer", {}, "c1"]]);
  await run([send], model);
  return read(model).c1;
}

describe("a provider as a tool output guardrail", () => {
  it("lets a result be that it allows, and is not asked about the call again", async () => {
    expect(await readBehind(() => allow(), "found")).toBe("found");
    const image = Object.freeze({ type: "image", image: "https://example.com/a.png" });
    expect(await readBehind(() => allow(), image)).toEqual([
      { type: "input_image", image: "https://example.com/a.png" },
    ]);
  });

  it("replaces a result that it withholds, or rewrites", async () => {
    expect(await readBehind(() => deny("holds a secret"), "hunter2")).toBe(
      "Tool result withheld: holds a secret",
    );
    expect(await readBehind(() => rewrite({ content: "***" }), "hunter2")).toBe("***");
    const part = { type: "text", text: "***" };
    expect(await readBehind(() => rewrite({ content: [part] }), "hunter2")).toBe("***");
    expect(await readBehind(() => rewrite({ content: [part, part] }), "hunter2")).toBe(
      JSON.stringify([part, part]),
    );
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("hunter2");
      },
    ],
    ["answers nothing", () => undefined as never],
    ["answers for a call", () => modify({}) as never],
  ])("P1 withholds a result where it %s", async (_, evaluateResult) => {
    const text = await readBehind(evaluateResult, "hunter2");
    expect(text).toContain("Tool result withheld: ");
    expect(text).not.toContain("hunter2");
  });

  const secret = "hunter2";
  class Part {
    readonly type = "text";
    get text() {
      return secret;
    }
  }
  it.each([
    ["a getter of its class", new Part(), '{"type":"text"}'],
    ["a prototype", Object.create({ type: "text", text: secret }), "{}"],
    ["a prototype in a list", [Object.create({ type: "text", text: secret })], "[{}]"],
    [
      "a hidden member",
      Object.freeze(Object.defineProperty({ type: "text" }, "text", { value: secret })),
      '{"type":"text"}',
    ],
  ])(
    "P6 lets the model read nothing that its judge was not shown, like %s",
    async (_, answer, text) => {
      const seen: unknown[] = [];
      const judge = (_: unknown, result: { content: unknown; structured?: unknown }) => {
        seen.push(result.content, result.structured);
        return allow();
      };
      expect(await readBehind(judge, answer)).toBe(text);
      expect(JSON.stringify(seen)).not.toContain(secret);
    },
  );

  it("P6 lets the model read a result as judged that its tool changes later", async () => {
    const answer = { found: "tea" };
    const late = async () => {
      Reflect.set(answer, "found", secret);
      return allow();
    };
    expect(await readBehind(late, answer)).toBe('{"found":"tea"}');
    const data = new Uint8Array([1, 1, 1]);
    const image = { type: "image", image: { data, mediaType: "image/png" } };
    const refill = () => {
      data.fill(9);
      return allow();
    };
    expect(await readBehind(refill, image)).toBe(
      '[{"type":"image","image":{"data":"AQEB","mediaType":"image/png"}}]',
    );
  });

  it("lets the model read a text part that it allows as that text, of which its judge saw the part", async () => {
    const seen: unknown[] = [];
    const judge = (_: unknown, { content }: { readonly content: unknown }) => {
      seen.push(content);
      return allow();
    };
    const part = { type: "text", text: 'a "b"' };
    expect(await readBehind(judge, part)).toEqual([{ type: "input_text", text: 'a "b"' }]);
    expect(seen).toEqual([[part]]);
  });

  it.each<[string, unknown, unknown]>([
    ["an object", { found: "tea" }, '{"found":"tea"}'],
    [
      "an image",
      { type: "image", image: "data:image/png;base64,AAAA" },
      [{ type: "input_image", image: "data:image/png;base64,AAAA" }],
    ],
  ])(
    "leaves %s that is allowed what it is, behind one judge and behind two",
    async (_, answer, read) => {
      const second: GuardrailProvider = {
        name: "second",
        evaluate: () => allow(),
        evaluateResult: () => allow(),
      };
      expect(await readBehind(() => allow(), structuredClone(answer))).toEqual(read);
      expect(await readBehind(() => allow(), structuredClone(answer), {}, [second])).toMatchObject(
        read as object,
      );
    },
  );

  it("P6 lets the model read a result as judged that answers every reader differently", async () => {
    let asked = 0;
    const answer = { toJSON: () => ({ asked: ++asked }) };
    const judged: unknown[] = [];
    const judge = (_: unknown, { content }: { readonly content: unknown }) => {
      judged.push(content);
      return allow();
    };
    const text = await readBehind(judge, answer);
    expect([text]).toEqual(judged);
  });

  it("P6 withholds a result that may yet change where another guardrail comes after, which would not be asked", async () => {
    const asked: unknown[] = [];
    const second: GuardrailProvider = {
      name: "second",
      evaluate: () => allow(),
      evaluateResult: (_, { content }) => {
        asked.push(content);
        return deny("holds a secret");
      },
    };
    const bytes = { type: "image", image: { data: new Uint8Array([1]), mediaType: "image/png" } };
    for (const changeable of [new Part(), bytes]) {
      expect(await readBehind(() => allow(), changeable, {}, [second])).toContain(
        "Tool result withheld: it may yet change",
      );
    }
    expect(asked).toEqual([]);
    for (const fixed of [secret, { found: secret }]) {
      expect(await readBehind(() => allow(), fixed, {}, [second])).toBe(
        "Tool result withheld: holds a secret",
      );
    }
  });

  it("P6 keeps a result of a schema what its judge saw, and of that schema", async () => {
    const outputSchema = z.object({ found: z.unknown() });
    const found = { of: "tea" };
    const late = () => {
      Reflect.set(found, "of", secret);
      return allow();
    };
    expect(await readBehind(late, { found }, { outputSchema })).toBe('{"found":{"of":"tea"}}');
  });

  it("withholds a result that JSON cannot hold", async () => {
    expect(await readBehind(() => allow(), 7n)).toBe(
      "Tool 'answer' answered what JSON cannot hold.",
    );
  });

  it("P5 is no guardrail where the provider judges no results", () => {
    expect(() => toToolOutputGuardrail(annOnly)).toThrow("'ann-only' has none");
  });
});

describe("a tool guardrail", () => {
  it("P11 judges in a streaming run as well", async () => {
    const { send, sent } = mailer({ inputGuardrails: [toToolInputGuardrail(annOnly)] });
    const model = asking([["send_mail", { to: "thief" }, "c1"]]);
    const agent = new Agent({ name: "support", tools: [send] });
    const result = await runner(model).run(agent, "go", { stream: true });
    for await (const _ of result);
    expect(sent).toEqual([]);
    expect(read(model)).toEqual({ c1: "Tool call denied: not our customer" });
  });

  it("judges the calls and results of an MCP server's tools, which it knows by name alone", async () => {
    const { guard, asked } = noting();
    const hide: GuardrailProvider = {
      name: "hide",
      evaluate: () => allow(),
      evaluateResult: () => rewrite({ content: "***" }),
    };
    const server: MCPServer = Object.assign(new FakeMcpServer(), {
      toolInputGuardrails: [toToolInputGuardrail(guard), toToolInputGuardrail(annOnly)],
      toolOutputGuardrails: [toToolOutputGuardrail(hide)],
    });
    const model = asking([...toAnn, ["send_mail", { to: "thief" }, "c2"]]);
    await runner(model).run(new Agent({ name: "support", mcpServers: [server] }), "go");
    expect(read(model)).toEqual({ c1: "***", c2: "Tool call denied: not our customer" });
    expect(asked[0]).toMatchObject({ toolName: "send_mail", agentName: "support" });
    expect(asked[0]?.tool?.parameters).toBeUndefined();
  });

  it("P5 takes no option that it gives itself", () => {
    const options = { unchecked: false } as object;
    expect(() => toToolInputGuardrail(annOnly, options)).toThrow("no option 'unchecked'");
  });
});
