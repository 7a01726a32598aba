import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { checkLinkage } from "../src/index.js";

const id = fc.constantFrom("a", "b", "__proto__", "constructor", "", "functions.t:0");
const name = fc.constantFrom("t", "u", "__proto__", "", null, 7);
const call = fc.oneof(
  { weight: 9, arbitrary: fc.record({ id, function: fc.record({ name }) }) },
  { weight: 1, arbitrary: fc.anything() },
);
const message = fc.oneof(
  fc.record({ role: fc.constant("assistant"), tool_calls: fc.array(call, { maxLength: 3 }) }),
  fc.record({
    role: fc.constant("tool"),
    tool_call_id: id,
    name,
    content: fc.oneof(fc.string(), fc.anything()),
  }),
  fc.record({ role: fc.constantFrom("user", "system", "assistant", "function", "tool") }),
  fc.record({
    role: fc.constant("assistant"),
    tool_calls: fc.anything(),
    function_call: fc.anything(),
  }),
  fc.anything(),
);

/** A conversation in which every call is answered once, in its own turn. */
const linked = fc
  .array(
    fc.uniqueArray(fc.constantFrom("a", "b", "c", "__proto__", "constructor"), {
      minLength: 1,
      maxLength: 4,
    }),
    { maxLength: 4 },
  )
  .chain((turns) =>
    fc.record({
      turns: fc.constant(turns),
      order: fc.array(fc.nat(100), { minLength: 20, maxLength: 20 }),
    }),
  )
  .map(({ turns, order }) =>
    turns.flatMap((ids) => [
      {
        role: "assistant",
        tool_calls: ids.map((each) => ({ id: each, function: { name: `t-${each}` } })),
      },
      ...ids
        .map((each, index) => ({ each, rank: order[index] as number }))
        .sort((one, other) => one.rank - other.rank)
        .map(({ each }) => ({
          role: "tool",
          tool_call_id: each,
          name: `t-${each}`,
          content: each,
        })),
    ]),
  );
type Message = { role: string; tool_call_id?: string; name?: string };

describe("checkLinkage", () => {
  it("throws for no conversation at all, and changes none", { tags: "longer" }, () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), (messages) => {
        const before = structuredClone(messages);
        for (const { index, reason } of checkLinkage(messages, { requireAnswers: true })) {
          expect(index).toBeLessThan(messages.length);
          expect(reason).toBeTruthy();
        }
        expect(messages).toEqual(before);
      }),
      { numRuns: inject("long") ? 2_000 : 200 },
    );
  });

  it("P19 finds nothing where every call is answered once in its own turn", () => {
    fc.assert(
      fc.property(linked, (messages) => {
        const strict = { requireNames: true, requireAnswers: true };
        expect(checkLinkage([...messages, { role: "user" }], strict)).toEqual([]);
      }),
    );
  });

  it("P19 finds something wherever a result is dropped, doubled, moved or given to another", () => {
    const change = fc.constantFrom("drop", "double", "move", "id", "name");
    fc.assert(
      fc.property(linked, fc.nat(), change, (messages: Message[], pick, what) => {
        const results = messages.flatMap(({ role }, index) => (role === "tool" ? [index] : []));
        fc.pre(results.length > 0);
        const at = results[pick % results.length] as number;
        const result = messages[at] as Message;
        const changed = [...messages];
        if (what === "drop") changed.splice(at, 1);
        if (what === "double") changed.splice(at, 0, result);
        if (what === "move") changed.unshift(...changed.splice(at, 1));
        if (what === "id") changed[at] = { ...result, tool_call_id: "another" };
        if (what === "name") changed[at] = { ...result, name: "another" };
        expect(checkLinkage([...changed, { role: "user" }])).not.toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it("P8 finds the same while data is planted on Object.prototype", () => {
    const planted = {
      role: "tool",
      tool_call_id: "a",
      content: "x",
      name: "t",
      type: "text",
      id: "a",
    };
    fc.assert(
      fc.property(fc.array(message, { maxLength: 6 }), (messages) => {
        const before = checkLinkage(messages);
        Object.assign(Object.prototype, planted, { requireNames: true });
        let polluted: unknown;
        try {
          polluted = checkLinkage(messages);
        } finally {
          for (const key of [...Object.keys(planted), "requireNames"]) {
            Reflect.deleteProperty(Object.prototype, key);
          }
        }
        expect(polluted).toEqual(before);
      }),
    );
  });
});
