import { allow, allowAll, deny, type Guardrail, modify, rewrite } from "@toolstile/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { guardModel } from "../src/index.js";
import { type Part, sdks, toolCall } from "./support/sdk.js";

const secret = "what the search found";
const more = { providerExecuted: true, dynamic: true };
const searched = toolCall("p1", "search", { q: "tea" }, more);
const found: Part = {
  type: "tool-result",
  toolCallId: "p1",
  toolName: "search",
  result: { title: secret },
  ...more,
};
const finish: Part = {
  type: "finish",
  usage: {},
  finishReason: { unified: "stop", raw: "stop" },
  providerMetadata: { p: { found: secret } },
};

const guard = (evaluate: unknown): Guardrail => ({ name: "guard", evaluate: evaluate as never });
const judge = (evaluateResult: unknown): Guardrail => ({
  name: "judge",
  evaluateResult: evaluateResult as never,
});
const stopping: readonly [string, readonly Guardrail[]][] = [
  ["denied", [guard(() => deny("no searches"))]],
  ["changed", [guard(() => modify({ q: "milk" }))]],
  ["withheld", [allowAll(), judge(() => deny("no titles"))]],
  ["rewritten", [allowAll(), judge(() => rewrite({ content: "[gone]" }))]],
];

/** Parts that a provider may put the finding in, at any place of an answer. */
const finding = fc.oneof(
  fc.constantFrom<Part>(
    { type: "source", sourceType: "url", id: "1", url: "https://example.com", title: secret },
    { type: "source", sourceType: "document", id: "2", mediaType: "text/plain", title: secret },
    { type: "file", mediaType: "text/plain", data: secret },
    { type: "reasoning-file", mediaType: "text/plain", data: secret },
    { type: "custom", kind: "p.search", providerMetadata: { p: { found: secret } } },
    { type: "raw", rawValue: { found: secret } },
    { type: "text-end", id: "t1", citations: [{ title: secret }] },
    { type: "text-start", id: "t1", providerMetadata: { p: { found: secret } } },
    { type: "response-metadata", id: "r1", body: secret },
    {
      type: "tool-result",
      toolCallId: "p1",
      toolName: "search",
      result: secret,
      preliminary: true,
      ...more,
    },
  ),
  fc
    .string({ minLength: 1, maxLength: 9 })
    .map((type): Part => ({ type: `new-${type}`, what: secret })),
);
/** Streams send the words of the model as they come; what it says before its tool was called, it did not find. */
const after = fc.array(finding, { minLength: 1, maxLength: 4 });
const before = fc.array(
  finding.filter(({ type }) => !/^text|^response/.test(type)),
  { maxLength: 2 },
);

describe.each(sdks)("what a provider's tool found, in ai $version", ({ model }) => {
  it.each(stopping)(
    "is in no part, member or metadata of an answer whose call or result was %s",
    async (_, guardrails) => {
      await fc.assert(
        fc.asyncProperty(before, after, async (first, last) => {
          const parts = [...first, searched, found, ...last];
          const guarded = guardModel(saying(model, parts), { guardrails, unchecked: true });
          const answer = await guarded.doGenerate({ prompt: [] } as never);
          expect(JSON.stringify(answer)).not.toContain(secret);
          expect(JSON.stringify(await streamed(guarded))).not.toContain(secret);
        }),
        { numRuns: 60 },
      );
    },
  );

  it("is all there, in its order, where call and result are allowed", async () => {
    const judged: string[] = [];
    const watching = judge(() => {
      judged.push("asked");
      return allow();
    });
    const source = { type: "source", sourceType: "url", id: "1", url: "https://example.com" };
    const guarded = guardModel(saying(model, [source, searched, found, { ...source, id: "2" }]), {
      guardrails: [allowAll(), watching],
    });
    const answer = (await guarded.doGenerate({ prompt: [] } as never)) as { content: Part[] };
    expect(answer.content.map(({ type }) => type)).toEqual([
      "source",
      "tool-call",
      "tool-result",
      "source",
    ]);
    expect(answer).toMatchObject({ providerMetadata: { p: { found: secret } } });
    const parts = (await streamed(guarded)) as Part[];
    expect(parts.map(({ type }) => type)).toEqual([
      "tool-call",
      "tool-result",
      "source",
      "source",
      "finish",
    ]);
    expect(judged).toHaveLength(2);
  });
});

/** A model of which the whole answer is known: all members, and each part of its stream. */
function saying(model: (parts: readonly Part[]) => unknown, parts: readonly Part[]) {
  const { finishReason, usage, providerMetadata } = finish;
  const response = { id: "r1", body: { found: secret } };
  const answer = { content: parts, finishReason, usage, providerMetadata, response, warnings: [] };
  return Object.assign(Object.create(model([]) as object), {
    doGenerate: async () => answer,
    doStream: async () => ({ stream: ReadableStream.from([...parts, finish]) }),
  });
}

async function streamed(guarded: { doStream: (params: never) => unknown }) {
  const parts: unknown[] = [];
  const { stream } = (await guarded.doStream({ prompt: [] } as never)) as {
    stream: ReadableStream<unknown>;
  };
  for await (const part of stream) parts.push(part);
  return parts;
}
