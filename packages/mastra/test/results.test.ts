import { createTool } from "@mastra/core/tools";
import { allow, deny, type GuardrailProvider, rewrite } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardTools } from "../src/index.js";
import { mailer } from "./mail.js";
import { agentOf, asking, readBy } from "./scripted.js";

describe("the result of a guarded tool", () => {
  const judging = (evaluateResult: GuardrailProvider["evaluateResult"]): GuardrailProvider => ({
    name: "judge",
    evaluate: () => allow(),
    evaluateResult,
  });
  async function read(tool: unknown, judge: GuardrailProvider) {
    const observer = recordingObserver();
    const model = asking([["t", { to: "Ann" }, "c1"]]);
    const tools = guardTools({ t: tool as never }, { guardrails: [judge], observers: [observer] });
    const result = await agentOf(model, { tools }).generate("go");
    return { read: readBy(model).c1, result, status: observer.records[0]?.outcome?.status };
  }

  it("is rewritten for the application and for the model, which reads it through toModelOutput", async () => {
    const judge = judging((_, { structured }) => rewriteOnce(structured, { sent: "SOMEBODY" }));
    const { read: text, result } = await read(mailer().send, judge);
    expect(text).toBe("sent to somebody");
    expect(result.toolResults.map(({ payload }) => payload.result)).toEqual([{ sent: "SOMEBODY" }]);
  });

  it("is an error that says why where it is withheld, and nothing of it is passed on", async () => {
    const {
      read: text,
      result,
      status,
    } = await read(
      mailer().send,
      judging(() => deny("private")),
    );
    expect(text).toBe("error: Tool result withheld: private");
    expect(status).toBe("withheld");
    expect(JSON.stringify(result.steps)).not.toContain('"sent"');
  });

  it("that the tool threw is judged, and read as it was without guards", async () => {
    const failing = createTool({
      id: "f",
      description: "Fails.",
      execute: async () => {
        throw new Error("no such mailbox");
      },
    });
    const seen: unknown[] = [];
    const plain = await read(
      failing,
      judging((_, result) => {
        seen.push([result.isError, result.content]);
        return allow();
      }),
    );
    expect(seen).toEqual([[true, "no such mailbox"]]);
    expect(plain.read).toBe("error: no such mailbox");
    expect(plain.status).toBe("failed");
    const kept = await read(
      failing,
      judging(() => deny("private")),
    );
    expect(kept.read).toBe("error: Tool result withheld: private");
  });

  it("that does not fit the tool's own schema is judged as an error, and read as it was without guards", async () => {
    const broken = createTool({
      id: "b",
      description: "Answers wrongly.",
      outputSchema: z.object({ sent: z.string() }),
      execute: async () => ({ sent: 7 }) as never,
    });
    const { read: value, status } = await read(
      broken,
      judging(() => allow()),
    );
    expect(JSON.stringify(value)).toContain("output validation failed");
    expect(status).toBe("failed");
  });

  it("that JSON cannot hold is kept back, and the run goes on", async () => {
    const odd = createTool({
      id: "o",
      description: "Odd.",
      execute: async () => new Map() as never,
    });
    const { read: text, result } = await read(
      odd,
      judging(() => allow()),
    );
    expect(text).toContain("error: ");
    expect(await result.text).toBe("done");
  });
});

function rewriteOnce(structured: unknown, wanted: object) {
  return JSON.stringify(structured) === JSON.stringify(wanted)
    ? allow()
    : rewrite({ content: JSON.stringify(wanted), structured: wanted as never });
}
