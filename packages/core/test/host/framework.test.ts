import { describe, expect, it } from "vitest";
import { base64, denial, isRewritten, outputOf, thrownFor } from "../../src/host/index.js";
import {
  allowAll,
  deny,
  type Guardrail,
  modify,
  rewrite,
  shadow,
  ToolRunner,
  ToolstileError,
} from "../../src/index.js";
import { sameJson } from "../../src/provider/index.js";

const run = (execute: () => unknown, ...guardrails: Guardrail[]) =>
  new ToolRunner({
    tools: [{ name: "t", execute }],
    guardrails: [allowAll(), ...guardrails],
    unchecked: true,
  }).run({ name: "t" });

describe("what a framework gets for an outcome", () => {
  it("is the value of the tool, or the tool's own error", async () => {
    expect(outputOf(await run(() => ({ sent: true })))).toEqual({ sent: true });
    const fault = new Error("of the tool");
    const failed = await run(() => {
      throw fault;
    });
    expect(() => outputOf(failed)).toThrow(fault);
  });

  it("P1 is an error for a call that was stopped, whose text is that for the model", async () => {
    const denied = await run(() => "done", { name: "no", evaluate: () => deny("not today") });
    let thrown: unknown;
    try {
      outputOf(denied);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: "ERR_DENIED", message: denied.result.content });
    expect(String(thrown)).toBe(denied.result.content);
    expect((thrown as ToolstileError).outcomes).toEqual([denied]);
  });

  it("P1 is no value where the result was withheld", async () => {
    const withheld = await run(() => "secret", {
      name: "judge",
      evaluateResult: () => deny("not shown"),
    });
    expect(() => outputOf(withheld)).toThrow(/not shown/);
  });

  it("has the text of a denial in its message and when it is written", () => {
    const error = denial("stopped");
    expect([error.message, String(error), error.code]).toEqual([
      "stopped",
      "stopped",
      "ERR_DENIED",
    ]);
  });
});

describe("a rewritten result", () => {
  const judge = { name: "judge", evaluateResult: () => rewrite({ content: "cut" }) };

  it("is known as one if a guard in force changed it", async () => {
    expect(isRewritten(await run(() => "long", judge))).toBe(true);
    expect(isRewritten(await run(() => "long", shadow(judge)))).toBe(false);
    expect(isRewritten(await run(() => "long"))).toBe(false);
  });

  it("is not one whose arguments were changed", async () => {
    const changes = { name: "m", evaluate: () => modify({ a: 1 }) };
    expect(isRewritten(await run(() => "long", changes))).toBe(false);
  });
});

describe("the error that a framework is thrown", () => {
  const aborted = new ToolstileError("ERR_ABORTED", "left");

  it("P4 is the caller's reason where the caller aborted, and the error itself otherwise", () => {
    const reason = new Error("enough");
    const gone = AbortSignal.abort(reason);
    const other = new ToolstileError("ERR_APPROVAL", "none");
    const foreign = Object.assign(new Error("of the framework"), { code: "ERR_ABORTED" });
    expect(thrownFor(aborted, gone)).toBe(reason);
    expect(thrownFor(aborted, new AbortController().signal)).toBe(aborted);
    expect(thrownFor(aborted, undefined)).toBe(aborted);
    expect(thrownFor(other, gone)).toBe(other);
    expect(thrownFor(foreign, gone)).toBe(foreign);
  });
});

describe("what frameworks and core compare", () => {
  it("is the same JSON in any order, and never what is not JSON", () => {
    expect(sameJson({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
    expect(sameJson({ a: 1 }, { a: 2 })).toBe(false);
    expect(sameJson(undefined, undefined)).toBe(false);
    expect(sameJson(1n, 1n)).toBe(false);
  });

  it("has bytes as base64", () => {
    expect(base64(Uint8Array.of(0, 255, 16))).toBe(Buffer.from([0, 255, 16]).toString("base64"));
  });
});
