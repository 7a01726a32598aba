import { allow, allowAll, deny, rewrite } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { guardQuery } from "../src/index.js";
import { ask, play } from "./cli.js";
import { judging, toolbox } from "./mail.js";

const send = "mcp__mail__send";

/** Takes what is secret out of a result, wherever it stands. */
const redacting = judging((_, { content, structured }) => {
  if (!JSON.stringify([content, structured]).includes("secret")) return allow();
  const clean = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll("secret", "-"));
  const isText = structured === undefined;
  return rewrite({ content: clean(content), structured: isText ? undefined : clean(structured) });
});

describe("the result of a tool", () => {
  it("is rewritten, of an MCP server's tool and of the SDK's own", async () => {
    const { tools } = toolbox();
    const options = guardQuery({}, { guardrails: [redacting] });
    const { read } = await play(
      { options, tools },
      [send, { to: "secret" }, "c1"],
      ["Bash", { command: "secret\nplain" }, "c2"],
      ["Bash", { command: "plain" }, "c3"],
    );
    expect(read).toEqual({
      c1: [{ type: "text", text: "sent to -" }],
      c2: { stdout: "-\nplain", stderr: "", code: 0 },
      c3: { stdout: "plain", stderr: "", code: 0 },
    });
  });

  it("is content parts to its judges where it is that to the model", async () => {
    const { tools } = toolbox();
    const seen: unknown[] = [];
    const judge = judging((_, { content, structured }) => {
      seen.push([content, structured]);
      return allow();
    });
    const options = guardQuery({}, { guardrails: [judge] });
    await play({ options, tools }, [send, { to: "ann" }, "c1"], ["Bash", { command: "x" }, "c2"]);
    const output = { stdout: "x", stderr: "", code: 0 };
    expect(seen).toEqual([
      [[{ type: "text", text: "sent to ann" }], undefined],
      [JSON.stringify(output), output],
    ]);
  });

  it("is withheld in the tool's own shape, of which nothing of the result is left", async () => {
    const { tools } = toolbox();
    const observer = recordingObserver();
    const guardrails = [judging(() => deny("private"))];
    const options = guardQuery({}, { guardrails, observers: [observer] });
    const made = () => ({ type: "file", files: ["secret", "b"], size: 7, isNew: true, old: null });
    const { read, stopReason } = await play(
      { options, tools: { ...tools, Make: made } },
      [send, { to: "secret" }, "c1"],
      ["Make", {}, "c2"],
    );
    const text = "Tool result withheld: private";
    expect(stopReason).toBeUndefined();
    expect(read).toEqual({
      c1: text,
      c2: { type: "file", files: [text], size: 0, isNew: false, old: null },
    });
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual([
      "withheld",
      "withheld",
    ]);
  });

  it("that a judge rewrites to text is that text in the tool's own shape", async () => {
    const { tools } = toolbox();
    const judge = judging((_, { content }) =>
      content === "gone" ? allow() : rewrite({ content: "gone" }),
    );
    const options = guardQuery({}, { guardrails: [judge] });
    const { read } = await play({ options, tools }, ["Bash", { command: "secret" }, "c1"]);
    expect(read.c1).toEqual({ stdout: "gone", stderr: "gone", code: 0 });
  });

  it("that the SDK reads on in place of the one that was withheld or rewritten stops the run", async () => {
    const { tools } = toolbox();
    const call = { tool_name: "Bash", tool_use_id: "c1", tool_input: { command: "x" } };
    for (const guard of [
      judging(() => deny("private")),
      judging(() => deny("private", { replacement: "" })),
      // Words of the old one, which are found in it as well.
      judging(() => deny("private", { replacement: "secret" })),
      redacting,
    ]) {
      const options = guardQuery({}, { guardrails: [guard] });
      const session = { options, tools };
      await ask(session, "PreToolUse", call);
      await ask(session, "PostToolUse", { ...call, tool_response: { stdout: "a secret\nb" } });
      const tool_calls = [{ ...call, tool_response: "1\ta secret" }];
      const [answer] = await ask(session, "PostToolBatch", { tool_calls });
      expect(answer).toMatchObject({
        continue: false,
        stopReason: "Tool result withheld: it could not be kept from the model",
      });
    }
  });

  it("of a tool that failed is judged, and read as it is; one that is kept back stops the run before the model reads it", async () => {
    const { tools } = toolbox();
    const observer = recordingObserver();
    const plain = guardQuery({}, { guardrails: [allowAll()], observers: [observer] });
    const passed = await play({ options: plain, tools }, ["fail", {}, "c1"]);
    expect(passed.read).toEqual({ c1: "no such mailbox" });
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["failed"]);
    for (const judge of [
      judging(() => deny("private")),
      judging((_, { content }) => (content === "-" ? allow() : rewrite({ content: "-" }))),
    ]) {
      const options = guardQuery({}, { guardrails: [judge] });
      const kept = await play({ options, tools }, ["fail", {}, "c1"], [send, { to: "ann" }, "c2"]);
      expect(kept.stopReason).toBeDefined();
      expect(kept.read).toEqual({});
      expect(kept.stopReason).not.toContain("mailbox");
    }
  });

  it("of a call that was never decided is withheld, and such an error stops the run", async () => {
    const options = guardQuery({}, { guardrails: [allowAll()] });
    const session = { options, tools: {} };
    const call = { tool_name: send, tool_use_id: "c9", tool_input: {} };
    const [answer] = await ask(session, "PostToolUse", { ...call, tool_response: "secret" });
    expect(answer?.specific.updatedToolOutput).toContain("Tool result withheld: ");
    await ask(session, "PostToolUseFailure", { ...call, tool_use_id: "c8", error: "secret" });
    const tool_calls = [{ ...call, tool_use_id: "c8", tool_response: "secret" }];
    const [batch] = await ask(session, "PostToolBatch", { tool_calls });
    expect(batch?.continue).toBe(false);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("hunter2");
      },
    ],
    ["answers true", () => true as never],
  ])("P1 P2 is withheld where a judge %s", async (_, evaluateResult) => {
    const { tools } = toolbox();
    const options = guardQuery({}, { guardrails: [judging(evaluateResult)] });
    const { read } = await play({ options, tools }, [send, { to: "ann" }, "c1"]);
    expect(read.c1).toContain("Tool result withheld: ");
    expect(read.c1).not.toContain("hunter2");
  });
});
