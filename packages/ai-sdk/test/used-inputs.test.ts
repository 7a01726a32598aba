import { allow, allowAll, type GuardrailProvider, modify } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardTools } from "../src/index.js";
import { readByModel, sdks, toolCall } from "./support/sdk.js";

const inputSchema = z.object({ q: z.string() });

/** Whatever is looked for, tea is. */
const teaOnly: GuardrailProvider = {
  name: "tea-only",
  evaluate: ({ args }) => (args["q"] === "tea" ? allow() : modify({ q: "tea" })),
};

describe.each(sdks)(
  "toModelOutput of a guarded tool in ai $version",
  ({ ai, model, stopAfter }) => {
    const told = ({ input, output }: { input: { q: string }; output: unknown }) => ({
      type: "text" as const,
      value: `${output} for ${input.q}`,
    });

    async function read(execute: (input: { q: string }) => unknown) {
      const search = { inputSchema, execute, toModelOutput: told };
      const mock = model([
        toolCall("c1", "search", { q: "gin" }),
        toolCall("c2", "search", { q: "tea" }),
      ]);
      await ai.generateText({
        model: mock,
        tools: guardTools({ search }, { guardrails: [teaOnly] }),
        prompt: "go",
        stopWhen: stopAfter(3),
      } as Parameters<typeof ai.generateText>[0]);
      return readByModel(mock);
    }

    it("P6 is told the arguments that were used, and not those that a guard changed", async () => {
      const text = { type: "text", value: "found for tea" };
      expect(await read(() => "found")).toEqual({ c1: text, c2: text });
    });

    it("P6 is told them of a tool that streams as well", async () => {
      const text = { type: "text", value: "found for tea" };
      const streaming = async function* () {
        yield "looking";
        yield "found";
      };
      expect(await read(streaming)).toEqual({ c1: text, c2: text });
    });

    it("is told what the model wrote where the history was read anew", async () => {
      const search = { inputSchema, execute: () => "found", toModelOutput: told };
      const { toModelOutput } = guardTools({ search }, { guardrails: [teaOnly] }).search;
      expect(toModelOutput({ input: { q: "gin" }, output: "found" }).value).toBe("found for gin");
    });
  },
);

describe("a guarded ToolSet", () => {
  it("P7 has no tool that runs what it inherits after it was guarded", () => {
    class Confirm {
      readonly inputSchema = inputSchema;
    }
    const { confirm } = guardTools({ confirm: new Confirm() }, { guardrails: [allowAll()] });
    Object.assign(Confirm.prototype, { execute: () => "ran" });
    expect((confirm as { execute?: unknown }).execute).toBeUndefined();
  });

  it("tells each guard of each tool once", () => {
    const told: string[] = [];
    const guard: GuardrailProvider = {
      ...allowAll(),
      register: ({ name }) => {
        told.push(name);
      },
    };
    const search = { inputSchema, execute: () => "found" };
    guardTools({ search, find: search }, { guardrails: [guard] });
    expect(told).toEqual(["search", "find"]);
  });
});
