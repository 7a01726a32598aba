import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { judge, parts, secret, strange } from "../../../conformance/parity/strange-parts.js";
import { guardQuery } from "../src/index.js";
import { play } from "./cli.js";

describe("a part or member that nobody knows, in a tool's result", () => {
  it.each(["mcp__mail__send", "Make"])(
    "is judged before a model reads it, of %s",
    { tags: "longer" },
    async (name) => {
      await fc.assert(
        fc.asyncProperty(fc.oneof(parts, strange), async (found) => {
          const options = guardQuery({}, { guardrails: [judge] });
          const { read } = await play({ options, tools: { [name]: () => found } }, [
            name,
            {},
            "c1",
          ]);
          expect(JSON.stringify(read)).not.toContain(secret);
        }),
        { numRuns: inject("long") ? 300 : 30 },
      );
    },
  );
});
