import { tool } from "@openai/agents";
import { allow, deny, type GuardrailProvider } from "@toolstile/core";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { guardMcpServer, guardTool } from "../src/index.js";
import { FakeMcpServer } from "./fake-mcp-server.js";
import { asking, read, run } from "./scripted-run.js";

const secret = "said by nobody";
/** A value with the words somewhere in it. */
const holding = fc.constantFrom<unknown>(
  secret,
  [1, secret],
  { deep: [{ deeper: secret }] },
  { [secret]: 1 },
);
const memberName = fc.oneof(
  fc.constantFrom("text", "data", "content", "parts", "output", "value", "reasoning", "id"),
  fc.string({ minLength: 1, maxLength: 9 }).filter((key) => key !== "__proto__"),
);
const type = fc.oneof(
  fc.constantFrom(
    "text",
    "image",
    "file",
    "audio",
    "resource",
    "tool_use",
    "tool-result",
    "data-x",
  ),
  fc.string({ maxLength: 9 }),
);
/** A part of any type, or of none, with the words in any member. */
const strange = fc.oneof(
  fc.tuple(type, memberName, holding).map(([of, key, value]) => ({ type: of, [key]: value })),
  fc
    .tuple(memberName, holding)
    .map(([key, value]) => ({ type: "text", text: "hello", [key]: value })),
  fc.tuple(memberName, holding).map(([key, value]) => ({ [key]: value })),
  fc.constantFrom<unknown>({ type: secret, text: "hello" }, secret, [secret]),
);
const plain = { type: "text", text: "hello" };
/** A list of parts with a strange one at any place. */
const parts = fc
  .tuple(fc.nat(2), strange)
  .map(([at, part]) => [plain, plain].toSpliced(at, 0, part as never) as unknown[]);
/** Stops the words wherever it is shown them. */
const judge: GuardrailProvider = {
  name: "judge",
  evaluate: () => allow(),
  evaluateResult: (_, result) =>
    JSON.stringify(result).includes(secret) ? deny("nobody said so") : allow(),
};

const numRuns = inject("long") ? 200 : 12;

describe("a part or member that nobody knows, in a tool's result", () => {
  it("is judged before a model reads it, of a function tool", { tags: "longer" }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(parts, strange), async (found) => {
        const answer = tool({
          name: "answer",
          description: "Answers.",
          parameters: z.object({}),
          execute: (async () => found) as never,
        });
        const model = asking([["answer", {}, "c1"]]);
        await run([guardTool(answer, { guardrails: [judge], unchecked: true })], model);
        expect(JSON.stringify(read(model))).not.toContain(secret);
      }),
      { numRuns },
    );
  });

  it("is judged or left out, of an MCP server's", { tags: "longer" }, async () => {
    // The members of an array are no members of a result.
    const members = fc
      .tuple(
        memberName.filter((key) => !(key in [])),
        holding,
      )
      .map(([key, value]) => ({ content: [plain], [key]: value }));
    const result = fc.oneof(
      parts.map((content) => ({ content })),
      members,
    );
    await fc.assert(
      fc.asyncProperty(result, fc.boolean(), async (found, whole) => {
        const server = new FakeMcpServer(() => structuredClone(found));
        const guarded = guardMcpServer(server, { guardrails: [judge], unchecked: true });
        const answered = whole
          ? await guarded.callToolResult?.("send_mail", { to: "ann" })
          : await guarded.callTool("send_mail", { to: "ann" });
        const members = Object.getOwnPropertyDescriptors(answered);
        expect(JSON.stringify(members)).not.toContain(secret);
      }),
      { numRuns },
    );
  });
});
