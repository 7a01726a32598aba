import { allow, allowAll, deny, rewrite } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardTools } from "../src/index.js";
import { readByModel, sdks, toolCall } from "./support/sdk.js";

const inputSchema = z.object({ q: z.string() });

/** Says how far it is, then what it found. */
const search = {
  inputSchema,
  async *execute({ q }: { q: string }) {
    yield "looking";
    yield `found ${q}`;
  },
};

describe.each(sdks)("a tool that streams, in ai $version", ({ ai, model, stopAfter }) => {
  async function outputs(tools: object) {
    const mock = model([toolCall("c1", "search", { q: "tea" })]);
    const { fullStream } = ai.streamText({
      model: mock,
      tools,
      prompt: "go",
      stopWhen: stopAfter(2),
    } as Parameters<typeof ai.streamText>[0]);
    const given: unknown[] = [];
    for await (const part of fullStream) {
      const { type, output, preliminary, error } = part as Record<string, unknown>;
      if (type === "tool-result") given.push([output, preliminary === true]);
      if (type === "tool-error") given.push(String(error));
    }
    return { given, read: readByModel(mock) };
  }

  it("gives the same preliminary and final results as without guards", async () => {
    const expected = [
      ["looking", true],
      ["found tea", true],
      ["found tea", false],
    ];
    expect((await outputs({ search })).given).toEqual(expected);
    const guarded = await outputs(guardTools({ search }, { guardrails: [allowAll()] }));
    expect(guarded.given).toEqual(expected);
    expect(guarded.read).toEqual({ c1: { type: "text", value: "found tea" } });
  });

  it("P6 gives each piece as the judges left it", async () => {
    const masks = {
      name: "masks",
      evaluateResult: (_call: object, { content }: { content: unknown }) =>
        content === "looking" ? rewrite({ content: "***" }) : allow(),
    };
    const guarded = await outputs(guardTools({ search }, { guardrails: [allowAll(), masks] }));
    expect(guarded.given).toEqual([
      ["***", true],
      ["found tea", true],
      ["found tea", false],
    ]);
  });

  it("gives nothing of a call that was denied, or of which one piece was withheld", async () => {
    const denies = { name: "denies", evaluate: () => deny("not now") };
    expect((await outputs(guardTools({ search }, { guardrails: [denies] }))).given).toEqual([
      "Tool call denied: not now",
    ]);
    const judge = {
      name: "judge",
      evaluateResult: (_call: object, { content }: { content: unknown }) =>
        content === "looking" ? allow() : deny("it holds a secret"),
    };
    const { given } = await outputs(guardTools({ search }, { guardrails: [allowAll(), judge] }));
    expect(given).toEqual(["Tool result withheld: it holds a secret"]);
  });

  it("gives the judged copy of an object at the end, once more as a preliminary result", async () => {
    const found = { at: new Date(0) };
    const dated = {
      inputSchema,
      async *execute() {
        yield found;
      },
    };
    const { given } = await outputs(guardTools({ search: dated }, { guardrails: [allowAll()] }));
    expect(given).toEqual([
      [found, true],
      [{ at: "1970-01-01T00:00:00.000Z" }, true],
      [{ at: "1970-01-01T00:00:00.000Z" }, false],
    ]);
  });

  it("has the last piece as its output, whatever it returns", async () => {
    const returns = {
      inputSchema,
      async *execute() {
        yield "found";
        return "more";
      },
    };
    const expected = [
      ["found", true],
      ["found", false],
    ];
    expect((await outputs({ search: returns })).given).toEqual(expected);
    const guarded = guardTools({ search: returns }, { guardrails: [allowAll()] });
    expect((await outputs(guarded)).given).toEqual(expected);
  });

  it("gives only the final result of a plain function that returns an async iterable", async () => {
    const plain = { inputSchema, execute: (input: { q: string }) => search.execute(input) };
    const { given } = await outputs(guardTools({ search: plain }, { guardrails: [allowAll()] }));
    expect(given).toEqual([["found tea", false]]);
  });
});

describe("a streaming tool whose reader leaves", () => {
  it("P10 is told, and settles once", async () => {
    let ended = false;
    const observer = recordingObserver();
    const endless = {
      inputSchema,
      async *execute(_input: object, _options: { toolCallId: string }) {
        try {
          for (;;) yield "more";
        } finally {
          ended = true;
        }
      },
    };
    const guarded = guardTools({ endless }, { guardrails: [allowAll()], observers: [observer] });
    for await (const piece of guarded.endless.execute({ q: "tea" }, { toolCallId: "c1" })) {
      expect(piece).toBe("more");
      break;
    }
    expect(ended).toBe(true);
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["aborted"]);
  });
});
