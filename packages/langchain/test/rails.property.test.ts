import {
  AIMessage,
  type BaseMessage,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { guardrailsMiddleware } from "../src/rails/index.js";
import { scripted } from "./support/agents.js";
import { agentWith, blocking } from "./support/rails.js";

const words = "say the word";
const marker = "the word";

/** A value with the words somewhere in it. */
const holding = fc.oneof(
  fc.constant<unknown>(words),
  fc.constant<unknown>([1, words]),
  fc.constant<unknown>({ deep: { deeper: [words] } }),
  fc.constant<unknown>({ [words]: true }),
);
const memberName = fc.oneof(
  fc.constantFrom(
    "title",
    "content_blocks",
    "parts",
    "reasoning",
    "refusal",
    "data",
    "value",
    "url",
    "id",
  ),
  fc.string({ minLength: 1, maxLength: 12 }).filter((key) => key !== "__proto__"),
);
const blockType = fc.constantFrom(
  "text",
  "input_text",
  "image_url",
  "image",
  "file",
  "document",
  "audio",
  "video",
  "refusal",
  "reasoning",
  "thinking",
  "non_standard",
  "tool_use",
  "tool_call",
  "tool_result",
  "search_result",
  "new kind",
);
const goodBlock = fc.constantFrom<Record<string, unknown>>(
  { type: "text", text: "hello" },
  { type: "image_url", image_url: { url: "https://example.com/a.png" } },
);
/** A block of any kind with the words in any member. */
const block = fc
  .tuple(blockType, memberName, holding, fc.boolean())
  .map(([type, key, value, isText]) => ({ type, ...(isText && { text: "hello" }), [key]: value }));
const content = fc.oneof(
  fc.constant<unknown>(words),
  fc.constant<unknown>([words]),
  fc.constant<unknown>([{ type: "text", text: words }]),
  fc.constant<unknown>([{ type: words, text: "hello" }]),
  fc.tuple(fc.array(goodBlock, { maxLength: 2 }), block).map(([good, bad]) => [...good, bad]),
);
/** The members of a message, with the words in one of them. */
const spoken = fc.oneof(
  content.map((given) => ({ content: given })),
  fc.constant({ content: "hello", name: words }),
  fc.tuple(memberName, holding).map(([key, value]) => ({
    content: "hello",
    additional_kwargs: { [key]: value },
  })),
  fc.tuple(memberName, holding).map(([key, value]) => ({
    content: "hello",
    response_metadata: { [key]: value },
  })),
);

type Fields = Record<string, unknown>;
const made: readonly ((fields: Fields) => BaseMessage)[] = [
  (fields) => new HumanMessage(fields as never),
  (fields) => new SystemMessage(fields as never),
  (fields) =>
    new SystemMessage({
      ...fields,
      additional_kwargs: {
        ...(fields["additional_kwargs"] as object),
        __openai_role__: "developer",
      },
    } as never),
  (fields) => new ChatMessage({ role: "user", ...fields } as never),
  (fields) => new ChatMessage({ role: "critic", ...fields } as never),
  (fields) => new ChatMessage({ ...fields, role: words } as never),
  (fields) => new FunctionMessage({ name: "f", ...fields } as never),
  (fields) => new ToolMessage({ tool_call_id: "c1", name: "find", ...fields } as never),
  (fields) => new ToolMessage({ ...fields, tool_call_id: words } as never),
  (fields) => new AIMessage(fields as never),
  (fields) =>
    new AIMessage({
      ...fields,
      tool_calls: [{ id: "c9", name: "find", args: { q: words } }],
    } as never),
];
const message = fc
  .tuple(fc.constantFrom(...made), spoken)
  .map(([make, fields]) => make(structuredClone(fields)));

const asked = [{ id: "c1", name: "find", args: {} }];
const conversation = (): BaseMessage[] => [
  new HumanMessage("hello"),
  new AIMessage({ content: "", tool_calls: asked }),
  new ToolMessage({ content: "found", tool_call_id: "c1", name: "find" }),
  new AIMessage("There it is."),
  new HumanMessage("thanks"),
];

describe("rails of LangChain, over conversations and answers of every shape", () => {
  it("let the model read nothing that they would have blocked, of whichever role, in whichever member, at whichever place", {
    tags: "longer",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(message, fc.nat(5), fc.boolean(), async (bad, at, isLast) => {
        const { rails } = blocking(marker);
        const model = scripted();
        model.respond(new AIMessage("fine"));
        const agent = agentWith(guardrailsMiddleware({ rails }), model);
        const messages = isLast ? [...conversation(), bad] : conversation().toSpliced(at, 0, bad);
        await agent.invoke({ messages });
        expect(JSON.stringify(model.calls.map((call) => call.messages))).not.toContain(marker);
      }),
      { numRuns: inject("long") ? 120 : 30 },
    );
  });

  it("let the caller read nothing of an answer that they would have blocked, in whichever member of it", {
    tags: "longer",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(spoken, fc.boolean(), async (fields, isRefused) => {
        const { rails } = blocking(marker);
        const model = scripted();
        const invalid_tool_calls = isRefused ? [{ id: "c1", name: "find", args: words }] : [];
        model.respond(new AIMessage({ ...structuredClone(fields), invalid_tool_calls } as never));
        const { name: _, ...answer } = fields as Fields;
        const agent = agentWith(guardrailsMiddleware({ rails }), model);
        const { messages } = await agent.invoke({ messages: "hello" });
        if (!isRefused && !JSON.stringify(answer).includes(marker)) return;
        expect(JSON.stringify(messages)).not.toContain(marker);
      }),
      { numRuns: inject("long") ? 120 : 30 },
    );
  });
});
