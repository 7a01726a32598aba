import { allowAll, type Fault } from "@toolstile/core";
import type { MockLanguageModelV4 } from "ai/test";
import type { MockLanguageModelV3 } from "ai6/test";
import fc from "fast-check";
import { describe, expect, expectTypeOf, inject, it } from "vitest";
import { guardModel } from "../src/index.js";
import type { KnownPart } from "../src/part-kinds.js";
import { type Part, sdks, toolCall } from "./support/sdk.js";

const secret = "said by nobody";
const search = { toolName: "search", providerExecuted: true, dynamic: true };
/** A part of each type that a model may answer with, of an answer that is whole. */
const documented: readonly Part[] = [
  { type: "reasoning", text: "It asks for tea." },
  { type: "text", text: "Searching." },
  toolCall("p1", "search", { q: "tea" }, search),
  { type: "tool-result", toolCallId: "p1", result: { found: 1 }, ...search },
  { type: "source", sourceType: "url", id: "s1", url: "https://example.com", title: "Tea" },
  { type: "file", mediaType: "text/plain", data: "dGVh" },
  { type: "text", text: "Here it is." },
];
const streamed: readonly Part[] = [
  { type: "stream-start", warnings: [] },
  { type: "response-metadata", id: "r1", modelId: "m" },
  { type: "raw", rawValue: { n: 1 } },
  { type: "reasoning-start", id: "r" },
  { type: "reasoning-delta", id: "r", delta: "Tea?" },
  { type: "reasoning-end", id: "r" },
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "Searching." },
  { type: "text-end", id: "t" },
  { type: "tool-input-start", id: "p1", ...search },
  { type: "tool-input-delta", id: "p1", delta: '{"q":"tea"}' },
  { type: "tool-input-end", id: "p1" },
  ...documented.filter(({ type }) => !["reasoning", "text"].includes(type)),
  {
    type: "finish",
    finishReason: { unified: "stop", raw: "stop" },
    usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
  },
];
const onlyOf7: readonly Part[] = [
  { type: "ping" },
  { type: "custom", kind: "p.search", providerMetadata: { p: { n: 1 } } },
  { type: "reasoning-file", mediaType: "text/plain", data: "dGVh" },
];
const types = new Set([...documented, ...streamed, ...onlyOf7].map(({ type }) => type));
types.add("error").add("tool-approval-request");

/** Values that are not a part with which a model may answer. */
const unknown = fc.oneof(
  fc
    .oneof(
      fc.string(),
      fc.constantFrom("data-x", "TEXT", "text ", "tool_use", "toString", "output", secret),
    )
    .filter((type) => !types.has(type))
    .map((type) => ({ type, text: secret, toolCallId: "p1", result: secret, delta: secret })),
  fc.constantFrom<unknown>(
    { text: secret },
    { type: 7, text: secret },
    { type: ["text"], text: secret },
    { type: null, delta: secret },
    Object.create({ type: "text", text: secret }),
    secret,
    [secret],
    [],
    7,
    true,
    null,
    undefined,
  ),
);

describe.each(sdks)("a part of an unknown type, in ai $version", ({ version, ai, model }) => {
  it("is withheld at every place of an answer, and reported without what it says", {
    tags: "longer",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(unknown, fc.nat(), fc.boolean(), async (part, at, streams) => {
        const all: readonly unknown[] = streams ? streamed : documented;
        const place = at % (all.length + 1);
        const given = [...all.slice(0, place), part, ...all.slice(place)];
        const faults: Fault[] = [];
        const answer = await answered(given, streams, (fault) => faults.push(fault));
        expect(answer).toEqual(await answered(all, streams, () => expect.unreachable()));
        expect(faults).toEqual([
          { source: "guardModel", phase: "answer", error: expect.any(Error) },
        ]);
        const text = String(faults[0]?.error);
        expect(text).toMatch(
          /A part of (a type that is not a name|the unknown type '[\w-]+') was withheld/,
        );
        expect(text).not.toContain(secret);
      }),
      { numRuns: inject("long") ? 200 : 60 },
    );
  });

  it("is named by its type in the fault", async () => {
    const faults: Fault[] = [];
    await answered([{ type: "data-chart", text: secret }], false, (fault) => faults.push(fault));
    expect(String(faults[0]?.error)).toContain("'data-chart'");
  });

  it("is the only kind that the SDK misses, of all that a model may answer with", async () => {
    const files = ({ data, ...part }: Part): Part => {
      // The forms of files differ.
      if (data === undefined) return part;
      return { ...part, data: version === 7 ? { type: "data", data } : data };
    };
    const whole = documented.map(files);
    const parts = (version === 7 ? [...onlyOf7, ...streamed] : streamed).map(files);
    const seen = async (guarded: boolean) => {
      const kinds: string[] = [];
      const { fullStream } = ai.streamText({
        model: (guarded ? guard(parts, true) : saying(parts, true)) as never,
        prompt: "tea",
        includeRawChunks: true,
      });
      for await (const { type } of fullStream) kinds.push(type);
      return kinds.toSorted();
    };
    expect(await seen(true)).toEqual(await seen(false));
    const content = async (guarded: boolean) => {
      const answer = await ai.generateText({
        model: (guarded ? guard(whole, false) : saying(whole, false)) as never,
        prompt: "tea",
      });
      return answer.content.map(({ type }) => type).toSorted();
    };
    expect(await content(true)).toEqual(await content(false));
  });

  const guard = (parts: readonly unknown[], streams: boolean, onFault?: (fault: Fault) => void) =>
    guardModel(saying(parts, streams), { guardrails: [allowAll()], unchecked: true, onFault });

  async function answered(
    parts: readonly unknown[],
    streams: boolean,
    onFault: (fault: Fault) => void,
  ): Promise<readonly unknown[]> {
    const guarded = guard(parts, streams, onFault);
    if (streams) return readAll((await guarded.doStream({ prompt: [] } as never)) as never);
    return ((await guarded.doGenerate({ prompt: [] } as never)) as { content: unknown[] }).content;
  }

  /** A model of this version of the SDK that answers with these very parts. */
  function saying(parts: readonly unknown[], streams: boolean) {
    const finish = streamed.at(-1) as Part;
    const { finishReason, usage } = finish as unknown as Record<string, unknown>;
    return Object.assign(model([]) as never as object, {
      doGenerate: async () => ({ content: parts, finishReason, usage, warnings: [] }),
      doStream: async () => ({
        stream: ReadableStream.from(streams ? parts : [finish]),
      }),
    }) as never as Parameters<typeof guardModel>[0];
  }
});

async function readAll({ stream }: { stream: ReadableStream<unknown> }): Promise<unknown[]> {
  const parts: unknown[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe("the types of parts that are known", () => {
  type StreamPart<Model extends { doStream: (...given: never) => PromiseLike<unknown> }> =
    Awaited<ReturnType<Model["doStream"]>> extends { stream: ReadableStream<infer P> } ? P : never;
  type Content<Model extends { doGenerate: (...given: never) => PromiseLike<unknown> }> =
    Awaited<ReturnType<Model["doGenerate"]>> extends { content: readonly (infer P)[] } ? P : never;
  type Types<P> = P extends { type: infer T } ? T : never;

  it("are all that models of the installed versions of the SDK may answer with, and no more", () => {
    type Of7 = Types<StreamPart<MockLanguageModelV4> | Content<MockLanguageModelV4>>;
    type Of6 = Types<StreamPart<MockLanguageModelV3> | Content<MockLanguageModelV3>>;
    expectTypeOf<Of7 | Of6>().toEqualTypeOf<KnownPart>();
  });
});
