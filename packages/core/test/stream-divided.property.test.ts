import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allow, deny, type ResultGuardrail, rewrite } from "../src/index.js";
import { textsAround } from "../src/provider/index.js";
import { read, request, runnerOf } from "./support/streams.js";

const secret = "hunter2";
const found = (content: unknown) => typeof content === "string" && content.includes(secret);
const denies: ResultGuardrail = {
  name: "denies",
  evaluateResult: (_, { content }) => (found(content) ? deny("a secret") : allow()),
};
const masks: ResultGuardrail = {
  name: "masks",
  evaluateResult: (_, { content }) =>
    found(content)
      ? rewrite({ content: (content as string).replaceAll(secret, "[mask]") })
      : allow(),
};

/** A text that may hold the secret, cut anywhere, with other pieces between some of its parts. */
const told = fc
  .tuple(
    fc.array(fc.constantFrom("a ", secret, "\n", "hunter", "2"), { minLength: 1, maxLength: 8 }),
    fc.array(fc.nat(40), { maxLength: 6 }),
    fc.option(fc.nat(6)),
  )
  .map(([parts, cuts, other]) => {
    const text = parts.join("");
    const places = [0, ...cuts.map((cut) => cut % text.length).sort((a, b) => a - b), text.length];
    const pieces: unknown[] = places.slice(1).map((end, index) => text.slice(places[index], end));
    return other === null ? pieces : pieces.toSpliced(other, 0, { n: 1 });
  });

const streamed = (pieces: readonly unknown[], judge: ResultGuardrail) => {
  const answer = async function* () {
    yield* pieces;
    return "done";
  };
  return read(runnerOf(answer, [judge]).stream(request));
};

/** The texts that a reader joins: what stands between two other pieces. */
function texts(pieces: readonly unknown[]): readonly string[] {
  const joined = [""];
  for (const piece of pieces)
    if (typeof piece === "string") joined.push(`${joined.pop()}${piece}`);
    else joined.push("");
  return joined;
}

describe("a text that a tool gives in pieces", () => {
  it("P6 is withheld where a judge stops it, wherever it is divided", async () => {
    let withheld = 0;
    await fc.assert(
      fc.asyncProperty(told, async (pieces) => {
        const [given, { status }] = await streamed(pieces, denies);
        const isStopped = texts(pieces).some(found);
        if (isStopped) withheld += 1;
        expect(status).toBe(isStopped ? "withheld" : "executed");
        expect(given).toEqual(isStopped ? [] : pieces);
      }),
      { numRuns: 300 },
    );
    expect(withheld).toBeGreaterThan(0);
  });

  it("P6 reads as a judge leaves it, wherever it is divided", async () => {
    await fc.assert(
      fc.asyncProperty(told, async (pieces) => {
        const [given] = await streamed(pieces, masks);
        expect(texts(given)).toEqual(
          texts(pieces).map((text) => text.replaceAll(secret, "[mask]")),
        );
        expect(given.filter((piece) => typeof piece !== "string")).toEqual(
          pieces.filter((piece) => typeof piece !== "string"),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("tells a judge of the texts around it, and of none where it stands alone", async () => {
    const seen: unknown[] = [];
    const looks: ResultGuardrail = {
      name: "looks",
      evaluateResult: (_, result) => {
        seen.push(textsAround(result));
        return allow();
      },
    };
    await streamed(["a", "b", { n: 1 }, "c"], looks);
    const texts = ["a", "b"];
    // "a" and "b" each, both as one, the object, "c", and the result.
    expect(seen).toEqual([
      { texts, at: 0 },
      { texts, at: 1 },
      ...Array.from({ length: 4 }, () => undefined),
    ]);
  });

  it("P6 is judged as one also where an earlier judge makes parts of its pieces", async () => {
    const toParts: ResultGuardrail = {
      name: "to-parts",
      evaluateResult: (_, { content }) =>
        typeof content === "string"
          ? rewrite({ content: [{ type: "text", text: content }] })
          : allow(),
    };
    const text = (content: unknown) => JSON.stringify(content);
    const deniesParts: ResultGuardrail = {
      name: "denies",
      evaluateResult: (_, { content }) =>
        text(content).includes(secret) ? deny("a secret") : allow(),
    };
    const answer = (pieces: readonly string[]) =>
      async function* () {
        yield* pieces;
        return "done";
      };
    const judges = [toParts, deniesParts];
    const [given, { status }] = await read(
      runnerOf(answer(["hunt", "er2"]), judges).stream(request),
    );
    expect([given, status]).toEqual([[], "withheld"]);
    const [kept] = await read(runnerOf(answer(["hunt", "er3"]), judges).stream(request));
    expect(kept).toEqual(["hunt", "er3"].map((each) => [{ type: "text", text: each }]));
  });

  it("keeps what a judge has made of one of its pieces, also where the rest becomes one", async () => {
    const image = [{ type: "image", data: "aGk=" }];
    const makesImage: ResultGuardrail = {
      name: "makes-image",
      evaluateResult: (_, { content }) =>
        content === "image"
          ? rewrite({ content: image })
          : masks.evaluateResult(_, { content } as never),
    };
    const [given] = await streamed(["hunt", "image", "er2"], makesImage);
    expect(given).toEqual(["[mask]", image]);
  });

  it("keeps its pieces as they were where no judge changes it", async () => {
    const pieces = ["hunt", "er 2", { n: 1 }, "", "a"];
    expect((await streamed(pieces, masks))[0]).toEqual(pieces);
  });
});
