import { Tool } from "@mastra/core/tools";
import { allowAll } from "@toolstile/core";
import { tool as sdkTool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardHooks, guardTool, guardTools } from "../src/index.js";
import { mailer } from "./mail.js";

const guardrails = [allowAll()];
const code = (name: string) => expect.objectContaining({ code: name });

describe("guardTools", () => {
  const { send } = mailer();
  const made = (set: unknown, options: object) => () => guardTools(set as never, options as never);

  it("P5 refuses an option, a tool or a set that it cannot mean", () => {
    expect(made({ send }, { guardrail: [] })).toThrow("Did you mean 'guardrails'?");
    expect(made([send], { guardrails })).toThrow(code("ERR_INVALID_OPTION"));
    expect(made({ send: 5 }, { guardrails })).toThrow(code("ERR_INVALID_TOOL"));
    expect(made({ send }, { guardrails, requestApproval: true })).toThrow("need an approver");
    expect(made({ send }, { guardrails: [{ ...allowAll(), tools: ["sned"] }] })).toThrow(
      "Did you mean 'send'?",
    );
    expect(() => guardTool(undefined as never, { guardrails })).toThrow(code("ERR_INVALID_TOOL"));
  });

  it("refuses a tool that something else runs", () => {
    const client = new Tool({ id: "ask_user", description: "Ask." });
    expect(made({ client }, { guardrails })).toThrow("has no execute");
    const hosted = { type: "provider", id: "x.search", args: {}, isProviderExecuted: true };
    expect(made({ hosted }, { guardrails })).toThrow("The provider runs the tool 'hosted'");
  });

  it("refuses a tool of Mastra 0.x by the version, and names who guards a tool of the AI SDK", () => {
    // As @mastra/core 0.24 makes them: without the mark of later versions.
    const old = {
      id: "old",
      description: "Old.",
      inputSchema: z.object({}),
      resumeSchema: undefined,
      execute: async () => 1,
    };
    expect(made({ old }, { guardrails })).toThrow("made by @mastra/core 0.x");
    const other = sdkTool({ inputSchema: z.object({}), execute: async () => 1 });
    expect(made({ other }, { guardrails })).toThrow("@toolstile/ai-sdk");
  });

  it("leaves the tools that it was given as they were, and everything else of them as it is", () => {
    const before = { ...send };
    const guarded = guardTools({ send }, { guardrails });
    expect({ ...send }).toEqual(before);
    expect(guarded.send).toBeInstanceOf(Tool);
    expect({ ...guarded.send }).toEqual({ ...before, execute: expect.any(Function) });
    expect(guarded.send.execute).not.toBe(before.execute);
  });

  it("P8 guards a tool called __proto__ as any other", async () => {
    const { send: tool, sent } = mailer();
    const own = Object.fromEntries([["__proto__", tool]]);
    const [[name, guarded] = []] = Object.entries(guardTools(own, { guardrails: [] }));
    expect(name).toBe("__proto__");
    await expect(guarded?.execute?.({ to: "ann" }, {} as never)).rejects.toThrow("no guardrail");
    expect(sent).toEqual([]);
  });
});

describe("guardHooks", () => {
  it("P5 refuses an option that nobody reads", () => {
    expect(() => guardHooks({ guardrail: [] } as never)).toThrow("Did you mean 'guardrails'?");
  });

  it("P5 refuses a guard that names a tool which is not among those told of", () => {
    const guard = { ...allowAll(), tools: ["sned"] };
    expect(() => guardHooks({ guardrails: [guard], tools: [{ name: "send" }] })).toThrow(
      "Did you mean 'send'?",
    );
  });
});
