import { call, result } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { type PresidioOptions, presidio, redact } from "../src/index.js";
import { analyzerServer } from "./analyzer.js";
import { item } from "./items.js";

const url = process.env["TOOLSTILE_PRESIDIO_URL"];
const anywhere = (options: Partial<PresidioOptions>) => ({ timeoutMs: 60_000, ...options });

async function judged(at: string, content: string, options: Partial<PresidioOptions> = {}) {
  const recognizers = [presidio({ url: at, ...anywhere(options) })];
  return redact({ recognizers }).evaluateResult?.(call(), result(call(), content));
}

const person = "[redacted personal.person]";
const place = "[redacted personal.location]";

/** What holds of the stand-in holds of a real analyzer that has a model of English. */
function sentences(server: () => Promise<string>): void {
  it.each([
    ["in plain text", "", ""],
    ["behind characters of two units and combining marks", "𝒳🔐👩🏽 Rene\u0301e: ", ""],
    ["beside half a character", "half \ud83d: ", ""],
    ["beside what is masked already", "", `, mail ${item("personal.email", 3)}`],
  ])("finds a person and a place %s", async (_, before, after) => {
    const answer = await judged(await server(), `${before}Anna Schmidt lives in London${after}`);
    expect(answer).toMatchObject({
      modifiedResult: {
        content: `${before}${person} lives in ${place}${after === "" ? "" : ", mail [redacted personal.email]"}`,
      },
    });
  });

  it("answers many at once", async () => {
    const at = await server();
    const texts = Array.from({ length: 20 }, (_, index) => `${index}: Anna Schmidt in London`);
    const answers = await Promise.all(texts.map((text) => judged(at, text)));
    expect(answers).toMatchObject(
      texts.map((_, index) => ({
        modifiedResult: { content: `${index}: ${person} in ${place}` },
      })),
    );
  });

  it("finds nothing below the threshold, nor where there are no words", async () => {
    const at = await server();
    const verdict = { decision: "allow" };
    expect(await judged(at, "Anna Schmidt", { scoreThreshold: 0.9 })).toMatchObject(verdict);
    expect(await judged(at, " \n")).toMatchObject(verdict);
  });

  it.each<[string, string, Partial<PresidioOptions>, string?]>([
    ["one of the entities", "does not find 'NO_SUCH'", { entities: ["PERSON", "NO_SUCH"] }],
    ["the only entity", "does not find 'NO_SUCH'", { entities: ["NO_SUCH"] }],
    ["the language", "answered with status 500", { language: "xx" }],
    ["texts of that length", "status 500", { maxCharacters: 2e6 }, "Zoe ".repeat(260_000)],
  ])("is no answer if it does not know %s", async (_, words, options, content = "Anna Schmidt") => {
    expect(await judged(await server(), content, options)).toMatchObject({
      decision: "deny",
      code: "recognizer_failed",
      reason: expect.stringContaining(words),
    });
  });
}

describe("a server in place of Presidio's analyzer", () => {
  sentences(async () => (await analyzerServer()).url);

  it("is asked for its entities until it has them all, and sees no text before", async () => {
    const server = await analyzerServer();
    const guard = redact({ recognizers: [presidio({ url: server.url, entities: ["PERSON"] })] });
    for (let again = 0; again < 2; again++)
      await guard.evaluateResult?.(call(), result(call(), "Zoe"));
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /supportedentities?language=en",
      "POST /analyze",
      "POST /analyze",
    ]);
    const without = await analyzerServer(undefined, ["LOCATION"]);
    for (let again = 0; again < 2; again++) await judged(without.url, "Zoe in London");
    expect(without.requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
  });
});

describe.skipIf(url === undefined)("Presidio's analyzer (needs TOOLSTILE_PRESIDIO_URL)", () => {
  sentences(async () => url ?? "");
});
