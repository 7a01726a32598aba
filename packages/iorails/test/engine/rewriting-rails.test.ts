import { completionBody, completionChunk, type ModelReply } from "@toolstile/testing";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import type { SensitiveDataPort } from "../../src/model-rails/sensitive-data.js";
import { engine, question, textOf } from "./engine.js";

/** Addresses of at most 3 + 1 + 7 characters. */
const address = /\b\w{1,3}@\w{1,3}\.\w{1,3}\b/g;
const sensitiveData: SensitiveDataPort = {
  scanner: () => ({
    reach: 13,
    find: (text) =>
      Array.from(text.matchAll(address), ({ index, 0: found }) => ({
        entity: "EMAIL_ADDRESS",
        start: index,
        end: index + found.length,
        score: 1,
      })),
  }),
};
const streamed = (...texts: readonly string[]): ModelReply => ({
  events: [...texts.map((content) => completionChunk({ content })), completionChunk({}, "stop")],
});
const answer = (content: string): ModelReply => ({ body: completionBody({ content }) });
const streaming = "streaming: {enabled: true, stream_first: false, context_size: 0, chunk_size: 2}";
const masking = (flows: string, more = "") => `
rails:
  config:
    sensitive_data_detection: {input: {entities: [EMAIL_ADDRESS]}, output: {entities: [EMAIL_ADDRESS]}}
    injection_detection: {injections: [xss], action: omit}
    context_bloat_detection: {max_chars: 10, action: truncate}
    regex_detection: {input: {patterns: ["@"]}, output: {patterns: ["@", forbidden]}}
  ${flows}
${more}`;

describe("a streamed answer that rails rewrite", () => {
  const output = `output: {flows: [regex check output, mask sensitive data on output], ${streaming}}`;

  it("sends no half of what is masked, and nothing twice", async () => {
    const pieces = ["Ask ", "a@b", ".de", " now, or else", " nobody will", "."];
    const { rails } = await engine(masking(output), [streamed(...pieces)], { sensitiveData });
    const texts: string[] = [];
    for await (const chunk of rails.stream({ messages: [question] })) {
      if (chunk.type === "text") texts.push(chunk.text);
    }
    expect(texts.join("")).toBe("Ask <EMAIL_ADDRESS> now, or else nobody will.");
    expect(texts.length).toBeGreaterThan(1);
  });

  it("is the whole answer as it would be rewritten, however it comes", {
    tags: "longer",
  }, async () => {
    const piece = fc.string({
      unit: fc.constantFrom("a", "@", ".", " ", "1"),
      minLength: 1,
      maxLength: 6,
    });
    let reply = streamed();
    const yaml = masking(`output: {flows: [mask sensitive data on output], ${streaming}}`);
    const { rails } = await engine(yaml, () => reply, { sensitiveData });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        reply = streamed(...pieces);
        const whole = pieces.join("").replace(address, "<EMAIL_ADDRESS>");
        expect(await textOf(rails.stream({ messages: [question] }))).toBe(whole);
      }),
      { numRuns: inject("long") ? 500 : 6 },
    );
  });

  it("is judged as it was rewritten, and ends at what is then forbidden", async () => {
    const pieces = ["a@b.de is", " fine and long enough to leave.", " this is forb", "idden", ""];
    const yaml = masking(output.replace("chunk_size: 2", "chunk_size: 9"));
    const { rails } = await engine(yaml, [streamed(...pieces)], { sensitiveData });
    expect(await textOf(rails.stream({ messages: [question] }))).toBe("[violation]");
  });

  it("waits for its end where a rail reads the whole, with all rails in order", async () => {
    const yaml = masking(
      `output: {flows: [regex check output, injection detection, mask sensitive data on output], ${streaming}}`,
    );
    const pieces = ["<scr", "ipt>x</scr", "ipt>a@b.", "de"];
    const { rails } = await engine(yaml, [streamed(...pieces)], { sensitiveData });
    const chunks: string[] = [];
    for await (const chunk of rails.stream({ messages: [question] })) {
      chunks.push(chunk.type === "text" ? chunk.text : chunk.type);
    }
    expect(chunks).toEqual(["<EMAIL_ADDRESS>"]);
  });

  it("stops where what rewrites it fails", async () => {
    const broken: SensitiveDataPort = {
      scanner: () => ({ reach: 0, find: () => [{ entity: "X", start: 0, end: 99, score: 1 }] }),
    };
    const { rails } = await engine(masking(output), [streamed("a", "b", "c")], {
      sensitiveData: broken,
    });
    expect(await textOf(rails.stream({ messages: [question] }))).toBe("[violation]");
  });
});

describe("what the user said, as rails rewrite it", () => {
  const input =
    "input: {flows: [regex check input, mask sensitive data on input], speculative_generation: true}";

  it("is what the other rails and the main model read, and what output rails do", async () => {
    const yaml = masking(
      `${input}\n  output: {flows: [self check facts]}`,
      'prompts: [{task: self_check_facts, content: "{{ user_input }}{{ evidence }}{{ bot_response }}"}]',
    );
    const { rails, server } = await engine(
      yaml,
      (model) => answer(model === "main" ? "ok" : "yes"),
      { sensitiveData },
    );
    const { status } = await rails.generate({
      messages: [{ role: "user", content: "I am a@b.de" }],
      options: { context: { relevant_chunks: "x" } },
    });
    expect(status).toBe("modified");
    const bodies = server.requests.map(({ body }) => JSON.stringify(body));
    expect(bodies).toHaveLength(2);
    expect(bodies.join()).not.toContain("a@b.de");
    expect(bodies[0]).toContain("I am <EMAIL_ADDRESS>");
    expect(bodies[1]).toContain("I am <EMAIL_ADDRESS>");
  });

  it("reaches no main model before, although it may be asked while rails judge", async () => {
    const { rails, server } = await engine(masking(input), () => answer("ok"), { sensitiveData });
    await rails.generate({ messages: [{ role: "user", content: "I am a@b.de" }] });
    expect(server.requests).toHaveLength(1);
  });

  it("is given by check() as it was rewritten", async () => {
    const { rails } = await engine(
      masking("input: {flows: [regex check input, context bloat detection on input]}"),
      () => answer("ok"),
      { sensitiveData },
    );
    const messages = [{ role: "user", content: "0123456789 a@b.de" }];
    expect(await rails.check({ messages, railTypes: ["input"] })).toMatchObject({
      status: "modified",
      content: "0123456789",
    });
  });
});
