import { tool } from "@openai/agents";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { z } from "zod";
import {
  holding,
  judge,
  memberName,
  parts,
  plain,
  secret,
  strange,
} from "../../../conformance/parity/strange-parts.js";
import { guardMcpServer, guardTool } from "../src/index.js";
import { FakeMcpServer } from "./fake-mcp-server.js";
import { asking, read, run } from "./scripted-run.js";

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
