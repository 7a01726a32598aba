import type { OpenedCall } from "@toolstile/core/host";
import { describe, expect, it } from "vitest";
import { OpenTurn } from "../src/replay/open-turn.js";

/** Calls that note how they were closed, and how often anybody looked at one. */
function openCalls(ids: readonly string[], name = (id: string) => `tool of ${id}`) {
  const closed: [id: string, answer: string][] = [];
  const seen = { looks: 0 };
  const turn = new OpenTurn();
  for (const callId of ids) {
    const call = { callId, requestedName: name(callId) };
    turn.add({
      get call() {
        seen.looks++;
        return call;
      },
      close: async (answer: object) => void closed.push([callId, Object.keys(answer).join()]),
    } as unknown as OpenedCall);
  }
  return { turn, closed, seen };
}

const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "done" });

describe("OpenTurn", () => {
  it("closes each call with the result under its id, and releases the others", async () => {
    const { turn, closed } = openCalls(["a", "b", "c"]);
    for (const id of ["c", "x", "a", "a"]) await turn.answer(result(id));
    await turn.answer({ role: "tool", content: "whose?" });
    await turn.release();
    await turn.release();
    expect(closed).toEqual([
      ["c", "value"],
      ["a", "value"],
      ["b", "released"],
    ]);
  });

  it("closes by name the first call of it that is open, for a result of the legacy kind", async () => {
    const { turn, closed } = openCalls(["a", "b", "c"], () => "same");
    await turn.answer(result("a"));
    for (const name of ["same", "other", "same", "same"]) {
      await turn.answer({ role: "function", name, content: "done" });
    }
    expect(closed.map(([id]) => id)).toEqual(["a", "b", "c"]);
  });

  it.each([
    ["by ids in reverse", (id: string) => result(id), (id: string) => id],
    ["by names in reverse", (id: string) => ({ role: "function", name: id }), (id: string) => id],
    ["by one name", () => ({ role: "function", name: "same" }), () => "same"],
  ])(
    "looks at each call a few times only, however many are answered %s",
    async (_, answer, name) => {
      const ids = Array.from({ length: 2_000 }, (_, index) => `c${index}`);
      const { turn, closed, seen } = openCalls(ids, name);
      for (const id of ids.toReversed()) await turn.answer(answer(id));
      expect(closed.length).toBe(ids.length);
      expect(seen.looks).toBeLessThan(6 * ids.length);
    },
  );
});
