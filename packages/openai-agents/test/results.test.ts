import { tool } from "@openai/agents";
import {
  allow,
  allowAll,
  chain,
  deny,
  type GuardrailProvider,
  parallel,
  rewrite,
  shadow,
} from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardTool } from "../src/index.js";
import { asking, read, run } from "./scripted-run.js";

/** A tool that answers this. */
function answering(execute: () => unknown, options: object = {}) {
  return tool({
    name: "answer",
    description: "Answers.",
    parameters: z.object({}),
    ...options,
    execute: execute as () => string,
  });
}

function judging(evaluateResult: GuardrailProvider["evaluateResult"]): GuardrailProvider {
  return { name: "judge", evaluate: () => allow(), evaluateResult };
}

type Answering = ReturnType<typeof answering>;

async function readOf(answer: Answering): Promise<unknown> {
  const model = asking([["answer", {}, "c1"]]);
  await run([answer], model);
  return read(model).c1;
}

function guarded(answer: Answering, guardrails: readonly GuardrailProvider[] = [allowAll()]) {
  return guardTool(answer, { guardrails, unchecked: true });
}

const bytes = new Uint8Array([1, 2, 250]);

describe("a result behind guards that allow it is read as without guards:", () => {
  it.each([
    ["text", "found"],
    ["an empty text", ""],
    ["an object", { found: 3, when: new Date(0) }],
    ["null", null],
    ["nothing", undefined],
    ["a number", 7],
    ["a list", ["a", "b"]],
    ["an empty list", []],
    ["a text part", { type: "text", text: "found" }],
    [
      "text parts",
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
    ],
    ["an image by address", { type: "image", image: "https://example.com/a.png" }],
    ["an image of bytes", { type: "image", image: { data: bytes, mediaType: "image/png" } }],
    [
      "a file of bytes",
      { type: "file", file: { data: bytes, mediaType: "text/plain", filename: "a" } },
    ],
    ["an object of a type of its own", { type: "file", path: "/tmp/a" }],
  ])("%s", async (_, value) => {
    expect(await readOf(guarded(answering(() => value)))).toEqual(
      await readOf(answering(() => value)),
    );
  });
});

describe("a judge is shown", () => {
  const quoted = 'password="hunter2"\n';
  const text = { type: "text", text: quoted };
  const image = { type: "image", image: { data: bytes, mediaType: "image/png" } };
  const encoded = { type: "image", image: { data: "AQL6", mediaType: "image/png" } };
  const shape = z.object({ type: z.string(), text: z.string() });
  it.each([
    ["a text part as a part, with its quotes as they are", text, [text], {}],
    ["several parts as parts", [text, text], [text, text], {}],
    ["bytes in a part as base64 text", [text, image], [text, encoded], {}],
    ["an empty list as the JSON text that the model reads", [], "[]", {}],
    ["a part without a text likewise", { type: "text" }, '{"type":"text"}', {}],
    [
      "a file of a type of its own likewise",
      { type: "file", path: "a" },
      '{"type":"file","path":"a"}',
      {},
    ],
    ["a part of an output schema likewise", text, JSON.stringify(text), { outputSchema: shape }],
  ])("%s", async (_, value, content, options) => {
    const seen: unknown[] = [];
    const judge = judging((_, result) => {
      seen.push(result.content);
      return allow();
    });
    const answer = answering(() => value, options);
    expect(await readOf(guarded(answer, [judge]))).toEqual(await readOf(answer));
    expect(seen).toEqual([content]);
  });
});

describe("a result that", () => {
  it.each([
    ["a bigint", 7n],
    ["a map", new Map([["a", 1]])],
    ["a part with a bigint", { type: "text", text: "found", size: 7n }],
    ["a function", () => "found"],
  ])("JSON cannot hold, like %s, is kept from the model, and the run goes on", async (_, value) => {
    expect(await readOf(guarded(answering(() => value)))).toBe(
      "Tool 'answer' answered what JSON cannot hold.",
    );
  });

  it("P6 its tool changes later is read as it was judged", async () => {
    const answer = { found: "tea" };
    const late = judging(() => {
      answer.found = "hunter2";
      return allow();
    });
    expect(
      await readOf(
        guarded(
          answering(() => answer),
          [late],
        ),
      ),
    ).toBe('{"found":"tea"}');
  });

  it("is withheld is replaced by what the guard says", async () => {
    const judge = judging(() => deny("holds a secret", { replacement: "Nothing to see." }));
    expect(
      await readOf(
        guarded(
          answering(() => "hunter2"),
          [judge],
        ),
      ),
    ).toBe("Nothing to see.");
    const plain = judging(() => deny("holds a secret"));
    expect(
      await readOf(
        guarded(
          answering(() => "hunter2"),
          [plain],
        ),
      ),
    ).toBe("Tool result withheld: holds a secret");
  });

  it("is rewritten is read as rewritten", async () => {
    const judge = judging((_, { content }) =>
      rewrite({ content: String(content).replace("hunter2", "***") }),
    );
    expect(
      await readOf(
        guarded(
          answering(() => ({ password: "hunter2" })),
          [judge],
        ),
      ),
    ).toBe('{"password":"***"}');
  });

  it.each([
    ["alone", (judge: GuardrailProvider) => judge],
    ["in a chain", (judge: GuardrailProvider) => chain([judge, allowAll()])],
    ["beside another", (judge: GuardrailProvider) => parallel([judge, allowAll()])],
  ])(
    "P6 is rewritten, by a judge %s, is read by its new content whatever is structured beside it",
    async (_, placed) => {
      const redact = (content: unknown) => String(content).replaceAll("hunter2", "***");
      const judge = judging((_, { content, structured }) =>
        String(content).includes("hunter2")
          ? rewrite({ content: redact(content), structured: structured ?? null })
          : allow(),
      );
      const observer = recordingObserver();
      const guardrails = [placed(judge)];
      const behind = guardTool(
        answering(() => ({ password: "hunter2" })),
        { guardrails, observers: [observer], unchecked: true },
      );
      expect(await readOf(behind)).toBe('{"password":"***"}');
      expect(observer.records[0]?.outcome?.result.content).toBe('{"password":"***"}');
    },
  );

  it("P6 is rewritten in content parts is read in these, whatever is structured beside them", async () => {
    const judge = judging(() =>
      rewrite({
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "***" },
        ],
        structured: { type: "text", text: "hunter2" },
      }),
    );
    expect(
      await readOf(
        guarded(
          answering(() => ({ type: "text", text: "hunter2" })),
          [judge],
        ),
      ),
    ).toEqual([
      { type: "input_text", text: "a" },
      { type: "input_text", text: "***" },
    ]);
  });

  it("would be rewritten by a judge in shadow is read as the tool gave it", async () => {
    const judge = shadow(judging(() => rewrite({ content: "***" })));
    expect(
      await readOf(
        guarded(
          answering(() => ({ found: 3 })),
          [allowAll(), judge],
        ),
      ),
    ).toBe('{"found":3}');
  });

  it("P1 a judge throws at is withheld", async () => {
    const judge = judging(() => {
      throw new Error("hunter2");
    });
    expect(
      await readOf(
        guarded(
          answering(() => "found"),
          [judge],
        ),
      ),
    ).toBe("Tool result withheld: guardrail 'judge' failed");
  });
});

describe("a tool with an output schema", () => {
  const outputSchema = z.object({ found: z.number() });
  const search = () => answering(() => ({ found: 3 }), { outputSchema });

  it("is read as without guards", async () => {
    expect(await readOf(guarded(search()))).toBe(await readOf(search()));
  });

  it("is denied in text, which is JSON but not of its schema", async () => {
    const closed: GuardrailProvider = { name: "closed", evaluate: () => deny("closed") };
    expect(await readOf(guarded(search(), [closed]))).toBe('"Tool call denied: closed"');
  });
});

describe("a denial", () => {
  it("is read in place of a result, also in content parts", async () => {
    const skip: GuardrailProvider = {
      name: "skip",
      evaluate: () =>
        deny("cached", {
          replacement: [{ type: "text", text: "From the cache." }],
        }),
    };
    const model = asking([["answer", {}, "c1"]]);
    await run(
      [
        guarded(
          answering(() => "ran"),
          [skip],
        ),
      ],
      model,
    );
    expect(read(model).c1).toEqual([{ type: "input_text", text: "From the cache." }]);
  });
});

describe("a tool that throws", () => {
  it("is read by the text that the framework makes of it, which judges see too", async () => {
    const seen: unknown[] = [];
    const judge = judging((_, { content }) => {
      seen.push(content);
      return allow();
    });
    const fail = () => {
      throw new Error("no such file");
    };
    const text = "An error occurred while running the tool. Please try again.";
    expect(await readOf(guarded(answering(fail), [judge]))).toBe(text);
    expect(seen).toEqual([text]);
  });

  it("ends the run with its own error where it is told to, and the call is on record as failed", async () => {
    const observer = recordingObserver();
    const error = new Error("no such file");
    const fail = answering(
      () => {
        throw error;
      },
      { errorFunction: null },
    );
    const guardrails = [allowAll()];
    const behind = guardTool(fail, { guardrails, observers: [observer], unchecked: true });
    await expect(readOf(behind)).rejects.toMatchObject({ error });
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["failed"]);
  });
});
