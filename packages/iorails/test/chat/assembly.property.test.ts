import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CompletionAssembler } from "../../src/chat/assembly.js";
import { readCompletion } from "../../src/chat/completion.js";
import { ModelError } from "../../src/errors.js";

const calls = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1 }),
    name: fc.string({ minLength: 1 }),
    args: fc.json(),
    cuts: fc.array(fc.nat(), { maxLength: 4 }),
  }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 5 },
);

/** A call's pieces: it is opened by the first; a later one says its id again, or not. */
function piecesOf(
  call: { id: string; name: string; args: string; cuts: readonly number[] },
  index: number,
  repeatId: boolean,
): object[] {
  const places = call.cuts.map((cut) => cut % (call.args.length + 1)).sort((a, b) => a - b);
  const texts = [...places, call.args.length].map((end, at) =>
    call.args.slice(at === 0 ? 0 : places[at - 1], end),
  );
  const opening = { index, id: call.id, type: "function", function: { name: call.name } };
  return [
    opening,
    ...texts.map((text) => ({
      index,
      ...(repeatId ? { id: call.id } : {}),
      function: { arguments: text },
    })),
  ];
}

/** Merge lists in an order that `picks` chooses, which keeps each list's own. */
function interleave(lists: readonly object[][], picks: readonly number[]): object[] {
  const merged: object[] = [];
  const left = lists.map((list) => [...list]);
  for (let turn = 0; left.some((list) => list.length > 0); turn += 1) {
    const open = left.filter((list) => list.length > 0);
    const next = open[(picks[turn % picks.length] ?? 0) % open.length]?.shift();
    if (next !== undefined) merged.push(next);
  }
  return merged;
}

describe("CompletionAssembler, on any stream", () => {
  it.each(["index", "id"] as const)("puts interleaved calls together by their %s alone", (by) => {
    fc.assert(
      fc.property(calls, fc.array(fc.nat(), { minLength: 1 }), (asked, picks) => {
        const lists = asked.map((call, index) =>
          piecesOf(call, index, by === "id").map((piece) =>
            by === "index" ? piece : { ...piece, index: undefined },
          ),
        );
        const assembler = new CompletionAssembler("main");
        for (const piece of interleave(lists, picks)) {
          assembler.take({ choices: [{ index: 0, delta: { tool_calls: [piece] } }] });
        }
        const expected = asked.map(({ id, name, args }) => ({
          id,
          type: "function",
          name,
          arguments: args,
        }));
        const read = [...assembler.end().calls];
        if (by === "id")
          read.sort(
            (a, b) =>
              asked.findIndex(({ id }) => id === a.id) - asked.findIndex(({ id }) => id === b.id),
          );
        expect(read).toEqual(expected);
      }),
    );
  });

  const junk = fc.constantFrom<unknown>(5, "", "x", [], {}, [null], { name: "f" }, true);
  /** One of these mostly, sometimes none, and now and then something else. */
  const mostly = (...values: unknown[]): fc.Arbitrary<unknown> =>
    fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...values) },
      { weight: 5, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: junk },
    );
  const named = fc.record(
    { name: mostly("f", "fg"), arguments: mostly("{", "}", {}), args: mostly("{}") },
    { requiredKeys: [] },
  );
  const entry = fc.record(
    {
      index: mostly(0, 1, 2),
      id: mostly("a", "b", "__proto__"),
      type: mostly("function"),
      function: fc.oneof({ weight: 20, arbitrary: named }, junk),
      custom: fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, named),
    },
    { requiredKeys: [] },
  );
  const delta = fc.record(
    {
      tool_calls: fc.oneof({ weight: 20, arbitrary: fc.array(entry, { maxLength: 3 }) }, junk),
      content: mostly("a", "<think>", "</think>", [{ type: "text", text: "b" }]),
      function_call: fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, named, junk),
      reasoning: mostly("hm"),
    },
    { requiredKeys: [] },
  );
  const chunk = fc.oneof(
    {
      weight: 20,
      arbitrary: fc.record({
        choices: fc.tuple(
          fc.record(
            { index: mostly(0), delta, finish_reason: mostly("stop") },
            { requiredKeys: ["delta"] },
          ),
        ),
        usage: mostly({ prompt_tokens: 1 }),
      }),
    },
    {
      weight: 2,
      arbitrary: delta.map((message) => ({ choices: [{ message }] })),
    },
    junk,
  );

  it("either gives calls that are well formed or throws a ModelError", () => {
    let read = 0;
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 5 }), (chunks) => {
        try {
          const assembler = new CompletionAssembler("main");
          for (const each of chunks) assembler.take(each);
          for (const { id, type, name } of assembler.end().calls) {
            read += 1;
            expect(typeof type).toBe("string");
            expect(
              [id, name].every(
                (text) => text === undefined || (typeof text === "string" && text !== ""),
              ),
            ).toBe(true);
          }
        } catch (error) {
          if (!ModelError.isInstance(error)) throw error;
        }
      }),
      { numRuns: 3000 },
    );
    expect(read).toBeGreaterThan(300);
  });

  it("reads a message alike, whole in a body and whole in a chunk", () => {
    const outcome = (read: () => unknown): unknown => {
      try {
        return read();
      } catch (error) {
        return ModelError.isInstance(error) ? error.message : error;
      }
    };
    fc.assert(
      fc.property(delta, (message) => {
        const body = { choices: [{ index: 0, message }] };
        const streamed = outcome(() => {
          const assembler = new CompletionAssembler("main");
          assembler.take(body);
          return assembler.end();
        });
        expect(streamed).toEqual(outcome(() => readCompletion(body, "main")));
      }),
      { numRuns: 1000 },
    );
  });
});
