import type { JsonValue } from "@toolstile/core";
import { call, type ModelReply, modelServer, result } from "@toolstile/testing";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type ModelJudgeOptions,
  modelJudge,
  type PresidioOptions,
  plugin,
  presidio,
  type Recognizer,
  redact,
} from "../src/index.js";
import { analyzerServer } from "./analyzer.js";
import { item } from "./items.js";

const mail = item("personal.email", 3);
const person = "[redacted personal.person]";

async function served(replies: readonly ModelReply[] | (() => ModelReply)) {
  const server = await modelServer(replies);
  onTestFinished(() => server.close());
  return server;
}

async function analyzer(answer: unknown, options: Partial<PresidioOptions> = {}) {
  const server = await analyzerServer({ body: answer });
  return { server, recognizer: presidio({ url: server.url, ...options }) };
}

async function judge(content: unknown, options: Partial<ModelJudgeOptions> = {}, reason = "stop") {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const choice = { index: 0, message: { role: "assistant", content: text }, finish_reason: reason };
  const server = await served(() => ({ body: { choices: [choice] } }));
  return {
    server,
    recognizer: modelJudge({ baseUrl: `${server.url}/v1`, model: "m", ...options }),
  };
}

async function ofResult(recognizer: Recognizer, content: string) {
  return redact({ recognizers: [recognizer] }).evaluateResult?.(call(), result(call(), content));
}

const at = (start: unknown, end: unknown, entity_type: unknown = "PERSON") => ({
  ...{ start, end, entity_type, score: 0.85, analysis_explanation: null },
});

describe("Presidio's analyzer", () => {
  it("is asked for entities in a text that is masked already, and its characters are counted", async () => {
    const { server, recognizer } = await analyzer([at(6, 9)], { scoreThreshold: 0.4 });
    const answer = await ofResult(recognizer, `𝒳🔐👩🏽: Zoé, ${mail}`);
    expect(answer).toMatchObject({
      decision: "modify",
      modifiedResult: { content: `𝒳🔐👩🏽: ${person}, [redacted personal.email]` },
      metadata: { kinds: ["personal.email", "personal.person"] },
    });
    expect(server.requests.slice(1).map(({ method, path, body }) => [method, path, body])).toEqual([
      [
        "POST",
        "/analyze",
        {
          text: "𝒳🔐👩🏽: Zoé, [redacted personal.email]\n",
          language: "en",
          entities: ["PERSON", "LOCATION"],
          score_threshold: 0.4,
        },
      ],
    ]);
  });

  it("may answer with places that overlap, go beyond a value, or lie in a mark", async () => {
    const { recognizer } = await analyzer([at(0, 8), at(4, 9, "LOCATION"), at(12, 42)]);
    const answer = await ofResult(recognizer, `Zoe Mill at ${mail} now`);
    expect(answer).toMatchObject({
      modifiedResult: { content: `${person}at [redacted personal.email]${person}` },
    });
  });
});

describe("a model", () => {
  it("answers with quotes, which are looked up as words and wherever they stand", async () => {
    const findings = [
      { kind: "personal.person", quote: "Ann" },
      { kind: "personal.birth_date", quote: "1 May 1990" },
    ];
    const { server, recognizer } = await judge(
      { findings },
      { apiKeyEnvVar: "K", env: { K: "k1" } },
    );
    const answer = await ofResult(recognizer, "🔐 Ann's Annex: Ann, 1 May 1990");
    expect(answer).toMatchObject({
      modifiedResult: {
        content: `🔐 ${person}'s Annex: ${person}, [redacted personal.birth_date]`,
      },
    });
    expect(server.requests).toMatchObject([
      {
        path: "/v1/chat/completions",
        headers: { authorization: "Bearer k1" },
        body: { model: "m", temperature: 0, response_format: { type: "json_schema" } },
      },
    ]);
  });

  it("is asked by the words of the host", async () => {
    const kinds = { "personal.badge": "the number of a badge" };
    const given = { kinds, responseFormat: "json_object", parameters: { temperature: 1 } } as const;
    const { server, recognizer } = await judge({ findings: [] }, given);
    expect(await ofResult(recognizer, "badge 7")).toMatchObject({ decision: "allow" });
    expect(server.requests[0]?.body).toMatchObject({
      temperature: 1,
      response_format: { type: "json_object" },
    });
    expect(JSON.stringify(server.requests[0]?.body)).toContain("the number of a badge");
  });

  it("must have the key that it is said to have", () => {
    const options = { baseUrl: "http://127.0.0.1:9/v1", model: "m", apiKeyEnvVar: "K", env: {} };
    expect(() => modelJudge(options)).toThrow("'K' is unset");
  });
});

describe("an answer that is none", () => {
  const endless: ModelReply = { respond: () => {} };
  const elsewhere = async (): Promise<ModelReply> => {
    const other = await served(() => ({ body: [] }));
    return { respond: (response) => void response.writeHead(307, { location: other.url }).end() };
  };
  const long: ModelReply = { body: `[${" ".repeat(5 << 20)}]` };
  const halved: ModelReply = {
    respond: (response) =>
      void response.writeHead(200, { "content-length": "9", connection: "close" }).end("[]"),
  };
  const bytes: ModelReply = {
    respond: (response) => void response.end(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])),
  };

  it.each<[string, ModelReply | (() => Promise<ModelReply>)]>([
    ["beyond the text", { body: [at(0, 99)] }],
    ["before the text", { body: [at(-1, 3)] }],
    ["between characters", { body: [at(0.5, 3)] }],
    ["backwards", { body: [at(3, 3)] }],
    ["without a place", { body: [at(undefined, "3")] }],
    ["of another entity", { body: [at(0, 3, "US_SSN")] }],
    ["of an entity that every object has", { body: [at(0, 3, "constructor")] }],
    ["without a score that is one", { body: [{ ...at(0, 3), score: null }] }],
    ["with a score beyond all", { body: [{ ...at(0, 3), score: 85 }] }],
    ["no list", { body: { error: "hunter2" } }],
    ["null in a list", { body: [null] }],
    ["no JSON", { body: "<html>hunter2" }],
    ["an error", { status: 500, body: { error: "hunter2" } }],
    ["an empty list with another status", { status: 203, body: [] }],
    ["a redirect to who finds nothing", elsewhere],
    ["too long", long],
    ["half", halved],
    ["not UTF-8", bytes],
    ["late", endless],
  ])("withholds the result if Presidio's is %s", async (_, reply) => {
    const given = typeof reply === "function" ? await reply() : reply;
    const server = await analyzerServer(given);
    const timeoutMs = given === endless ? 50 : 60_000;
    const verdict = await ofResult(presidio({ url: server.url, timeoutMs }), "Zoe hunter2");
    expect(verdict).toMatchObject({ decision: "deny", code: "recognizer_failed" });
    expect(JSON.stringify(verdict)).toMatch(/presidio/);
    expect(JSON.stringify(verdict)).not.toMatch(/hunter2|Zoe/);
  });

  it.each<[string, unknown, string?]>([
    ["a quote that is not there", { findings: [{ kind: "personal.person", quote: "Zoë" }] }],
    ["a quote of nothing", { findings: [{ kind: "personal.person", quote: " " }] }],
    ["no quote", { findings: [{ kind: "personal.person", start: 0, end: 3 }] }],
    ["another kind", { findings: [{ kind: "secret.openai", quote: "Zoe" }] }],
    ["no list of findings", { findings: "none" }],
    ["null", null],
    ["words", "There is nothing."],
    ["cut off", { findings: [] }, "length"],
    ["refused", { findings: [] }, "content_filter"],
  ])("withholds the result if a model's is %s", async (_, content, reason) => {
    const { recognizer } = await judge(content, {}, reason);
    const verdict = await ofResult(recognizer, "Zoe hunter2");
    expect(verdict).toMatchObject({ decision: "deny", code: "recognizer_failed" });
    expect(JSON.stringify(verdict)).not.toMatch(/hunter2|Zo/);
  });

  it.each<[string, Recognizer["find"]]>([
    [
      "throws",
      () => {
        throw new Error("hunter2");
      },
    ],
    ["rejects", () => Promise.reject(new Error("hunter2"))],
    ["gives nothing", () => undefined as never],
    ["gives a kind of ours", () => [{ start: 0, end: 1, kind: "personal.email" }]],
  ])("denies the call if a recognizer %s", async (_, find) => {
    const recognizer = { name: "own", kinds: ["personal.person"], find };
    const guard = redact({ arguments: "mask", recognizers: [recognizer] });
    const verdict = await guard.evaluate(call({ q: "Zoe hunter2" }));
    expect(verdict).toMatchObject({ decision: "deny", code: "recognizer_failed" });
    expect(JSON.stringify(verdict)).not.toContain("hunter2");
  });
});

/** Finds one name. */
function zoe(asked: string[] = [], bounds: Partial<Recognizer> = {}): Recognizer {
  return {
    name: "zoe",
    kinds: ["personal.person"],
    ...bounds,
    find(text) {
      asked.push(text);
      return [...text.matchAll(/Zoe/g)].map(({ index }) => ({
        ...{ start: index, end: index + 3, kind: "personal.person" },
      }));
    },
  };
}

describe("recognizers", () => {
  it("judge values and names of arguments at once, and never see what is kept or masked", async () => {
    const asked: string[] = [];
    const guard = redact({
      arguments: "mask",
      recognizers: [zoe(asked)],
      action: { "personal.person": "remove" },
      paths: { "/own": "keep" },
    });
    const args = { Zoe: 1, own: "Zoe", list: [mail, "to Zoe", 7, null, true] };
    expect(await guard.evaluate(call(args))).toMatchObject({
      modifiedArgs: {
        "[redacted]": 1,
        own: "Zoe",
        list: ["[redacted personal.email]", "to [redacted]", 7, null, true],
      },
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).not.toContain(mail);
    expect(asked[0]?.match(/Zoe/g)).toHaveLength(2);
  });

  it("are not asked about what is denied without them, nor about a text that is too long", async () => {
    const asked: string[] = [];
    const guard = redact({ arguments: "deny", recognizers: [zoe(asked, { maxCharacters: 20 })] });
    expect(await guard.evaluate(call({ q: mail }))).toMatchObject({ code: "sensitive_data" });
    expect(await guard.evaluate(call({ q: "x".repeat(20) }))).toMatchObject({
      decision: "deny",
      code: "recognizer_failed",
    });
    expect(asked).toEqual([]);
    expect(await guard.evaluate(call({ q: "Zoe" }))).toMatchObject({ code: "sensitive_data" });
  });

  it("let through what is allowed as it stands", async () => {
    const guard = redact({ recognizers: [zoe()], allow: ["Zoe"] });
    expect(await guard.evaluateResult?.(call(), result(call(), "Zoe"))).toMatchObject({
      decision: "allow",
    });
  });

  it("take out what they find and nothing else, wherever it stands", async () => {
    const guard = redact({ arguments: "mask", kinds: ["personal.iban"], recognizers: [zoe()] });
    const text = fc
      .array(fc.oneof(fc.string({ unit: "grapheme", maxLength: 4 }), fc.constant("Zoe")))
      .map((parts) => parts.join(""));
    const value = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.constantFrom(1, null, true),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(text, tie("value"), { maxKeys: 3 }),
      ),
    })).value;
    await fc.assert(
      fc.asyncProperty(value, async (given) => {
        const verdict = await guard.evaluate(call({ given }));
        const args = verdict.decision === "modify" ? verdict.modifiedArgs : { given };
        const masked = JSON.stringify(args);
        expect(masked).not.toContain("Zoe");
        expect(masked.replaceAll(/\[redacted personal\.person(?: #\d)?\]/g, "Zoe")).toBe(
          JSON.stringify({ given }),
        );
      }),
    );
  });

  it("can be named by data", async () => {
    const { server } = await analyzer([at(0, 3)]);
    const guard = plugin.create({ presidio: { url: server.url, entities: ["PERSON"] } });
    const made = await guard;
    expect(
      await (made as ReturnType<typeof redact>).evaluateResult?.(call(), result(call(), "Zoe")),
    ).toMatchObject({ modifiedResult: { content: person } });
  });

  it.each([
    [{ url: "ftp://x" }, "http://"],
    [{ url: "http://u:hunter2@x" }, "user name"],
    [{ url: "http://x", entities: ["person"] }, "'entities"],
  ])("are refused with %j", (options, words) => {
    expect(() => presidio(options)).toThrow(words);
    expect(() => presidio(options)).not.toThrow("hunter2");
  });
});
