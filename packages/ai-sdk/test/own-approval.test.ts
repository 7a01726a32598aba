import { approvals, memoryStore } from "@toolstile/approval";
import { allow } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardTools, toolApproval } from "../src/index.js";
import { sdks, toolCall } from "./support/sdk.js";

describe("a tool that asks for an approval by itself", () => {
  const [{ ai, model, stopAfter }, seven] = [sdks[0], sdks[1]] as const;
  const guarding = {
    guardrails: [{ name: "all", evaluate: () => allow() }],
    approver: approvals({ store: memoryStore() }),
  };
  const asking = (needsApproval: unknown) => ({
    inputSchema: z.object({}),
    needsApproval,
    execute: async () => "ran",
  });

  /** Whether the SDK asks its user. */
  async function isAsked(
    sdk: Pick<(typeof sdks)[number], "ai" | "model" | "stopAfter">,
    options: object,
  ) {
    const { content } = await sdk.ai.generateText({
      model: sdk.model([toolCall("c1", "pay", {})]),
      prompt: "go",
      stopWhen: sdk.stopAfter(1),
      ...options,
    } as Parameters<typeof ai.generateText>[0]);
    return content.some(({ type }) => type === "tool-approval-request");
  }

  it.each<[string, unknown, boolean]>([
    ["true", true, true],
    ["a text", "yes", true],
    ["a function that answers a number", async () => 1, true],
    ["false", false, false],
    ["an empty text", "", false],
    ["a function that answers nothing", () => undefined, false],
  ])("does so also where it says it by %s", async (_, needsApproval, asks) => {
    const guarded = guardTools(
      { pay: asking(needsApproval) },
      { ...guarding, requestApproval: true },
    );
    expect(await isAsked({ ai, model, stopAfter }, { tools: guarded })).toBe(asks);
    expect(await isAsked(seven, { tools: guarded })).toBe(asks);
    // The SDK asks toolApproval in place of the tool.
    const tools = guardTools({ pay: asking(needsApproval) }, guarding);
    expect(await isAsked(seven, { tools, toolApproval: toolApproval(tools) })).toBe(asks);
  });

  it("is asked with its own arguments, through toolApproval", async () => {
    const asked: unknown[] = [];
    const pay = asking((input: unknown, { toolCallId }: { toolCallId: string }) => {
      asked.push([input, toolCallId]);
      return true;
    });
    const tools = guardTools({ pay }, guarding);
    expect(await isAsked(seven, { tools, toolApproval: toolApproval(tools) })).toBe(true);
    expect(asked).toEqual([[{}, "c1"]]);
  });

  it("does so beside the guarded ones, too", async () => {
    const guarded = guardTools({ other: asking(false) }, guarding);
    const tools = { ...guarded, pay: asking(true) };
    expect(await isAsked(seven, { tools, toolApproval: toolApproval(guarded) })).toBe(true);
  });
});
