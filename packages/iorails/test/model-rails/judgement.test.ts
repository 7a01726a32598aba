import { describe, expect, it } from "vitest";
import { ModelError } from "../../src/errors.js";
import { Latest } from "../../src/latest.js";
import { CannotJudge } from "../../src/model-rails/cannot-judge.js";
import { judgement } from "../../src/model-rails/judgement.js";
import { outputParsers } from "../../src/model-rails/parsers.js";
import { toolJudge } from "../../src/model-rails/tool-judge.js";
import { digestOf, type Judgement } from "../../src/model-rails/verdict-cache.js";
import { prompt, scripted } from "./data.js";

const parse = outputParsers.get("is_content_safe") as never;
const question = (text: string, rail = "r") => ({ rail, model: "guard", body: { text }, parse });

function cached(answers: Parameters<typeof scripted>[0], most = 2) {
  const cache = new Latest<Judgement>(most);
  return {
    ...scripted(answers),
    verdicts: (type: string) => (type === "guard" ? cache : undefined),
  };
}

describe("the verdict of a model", () => {
  it("says which answer it was read from, by its digest alone", async () => {
    const { metadata } = await judgement(scripted(["unsafe: hunter2"]), question("a"), undefined);
    expect(metadata["answer_digest"]).toBe(digestOf("unsafe: hunter2"));
    expect(digestOf("unsafe: hunter2")).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it("is kept where the model has a cache, and the model is not asked again", async () => {
    const ports = cached(["safe", "unsafe S1"]);
    const first = await judgement(ports, question("a"), undefined);
    const again = await judgement(ports, question("a"), undefined);
    const other = await judgement(ports, question("b"), undefined);
    expect(first.metadata).not.toHaveProperty("cached");
    expect(again).toEqual({ ...first, metadata: { ...first.metadata, cached: true } });
    expect(other).toMatchObject({ verdict: "block", categories: ["S1"] });
    expect(ports.asked).toHaveLength(2);
  });

  it("is not another rail's, nor that of another question or setting", async () => {
    const ports = cached(["safe", "unsafe", "unsafe"]);
    await judgement(ports, question("a"), undefined);
    expect((await judgement(ports, question("a", "other"), undefined)).verdict).toBe("block");
    const warmer = { ...question("a"), body: { text: "a", temperature: 1 } };
    expect((await judgement(ports, warmer, undefined)).verdict).toBe("block");
  });

  it.each([
    ["no verdict", "perhaps"],
    ["no text", " "],
    ["an error", new ModelError("status", "guard", "m", { status: 500 })],
  ])("is not kept where the answer is %s", async (_, answer) => {
    const ports = cached([answer, "unsafe"]);
    await expect(judgement(ports, question("a"), undefined)).rejects.toThrow();
    expect((await judgement(ports, question("a"), undefined)).verdict).toBe("block");
  });

  it("tells the digest of an answer that is no verdict, too", async () => {
    const thrown = await judgement(scripted(["perhaps"]), question("a"), undefined).catch((e) => e);
    expect(thrown).toBeInstanceOf(CannotJudge);
    expect(thrown.metadata).toEqual({ answer_digest: digestOf("perhaps") });
  });

  it("is forgotten when it is the one that was used longest ago of too many", async () => {
    const ports = cached(["safe", "safe", "safe", "unsafe"]);
    for (const text of ["a", "b", "a", "c"]) await judgement(ports, question(text), undefined);
    expect(ports.asked).toHaveLength(3);
    await judgement(ports, question("a"), undefined);
    expect(ports.asked).toHaveLength(3);
    expect((await judgement(ports, question("b"), undefined)).verdict).toBe("block");
  });
});

describe("a judge of a tool", () => {
  const judge = (
    of: "call" | "result",
    template: string,
    answers: Parameters<typeof scripted>[0],
  ) => {
    const ports = scripted(answers);
    const made = toolJudge({ name: "j", model: "guard", prompt: prompt("t", template), parse, of });
    return { ports, judge: made };
  };
  const call = { toolName: "pay", args: { to: "{{ tool_name }}", note: "\u00f6" } };

  it("reads the name and the arguments as JSON, which stay data", async () => {
    const { ports, judge: ask } = judge("call", "{{ tool_name }} {{ tool_call_arguments }}", [
      "safe",
    ]);
    expect(await ask(call, ports, undefined)).toMatchObject({ status: "passed" });
    expect(ports.asked[0]?.body).toEqual({
      messages: [{ role: "user", content: 'pay {"to":"{{ tool_name }}","note":"\u00f6"}' }],
      temperature: 0.001,
      max_tokens: 1024,
    });
  });

  it("reads of a result its text, or its parts as JSON", async () => {
    const { ports, judge: ask } = judge("result", "{{ tool_result_content }}", ["safe", "unsafe"]);
    await ask({ ...call, content: "18 \u00b0C" }, ports, undefined);
    const parts = [{ type: "text", text: "x" }];
    expect(await ask({ ...call, content: parts }, ports, undefined)).toMatchObject({
      status: "blocked",
      basis: "policy",
      reason: "j: the result is to be blocked",
    });
    const texts = ports.asked.map(
      ({ body }) => (body["messages"] as { content: string }[])[0]?.content,
    );
    expect(texts).toEqual(["18 \u00b0C", JSON.stringify(parts)]);
  });

  it.each([
    ["is no verdict", "well"],
    ["does not come", new ModelError("network", "guard", "m")],
    ["is an error of another kind", new Error("hunter2")],
  ])("blocks as failed where the answer %s, and quotes nothing", async (_, answer) => {
    const { ports, judge: ask } = judge("call", "x", [answer]);
    const verdict = await ask(call, ports, undefined);
    expect(verdict).toMatchObject({ status: "blocked", basis: "error" });
    expect(JSON.stringify(verdict)).not.toContain("hunter2");
  });

  it("does not read a result where it judges calls", () => {
    expect(() => judge("call", "{{ tool_result_content }}", [])).toThrow("tool_result_content");
  });

  it("rejects with the caller's abort", async () => {
    const reason = new Error("gone");
    const { ports, judge: ask } = judge("call", "x", [new Error("x")]);
    await expect(ask(call, ports, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
