import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  chain,
  deny,
  forTools,
  type GuardrailProvider,
  liveChain,
  parallel,
  shadow,
  ToolRunner,
  tool,
  when,
} from "../src/index.js";
import { callOf, foreignCall, resultOf } from "./support/calls.js";
import { errorOf } from "./support/errors.js";

const shut = (): GuardrailProvider => ({ name: "shut", evaluate: () => deny("shut") });

describe("P5 a live chain inside another guard is an error:", () => {
  const { guardrail } = liveChain([allowAll()]);
  it.each<[string, () => unknown]>([
    ["chain", () => chain([guardrail])],
    ["shadow", () => shadow(guardrail)],
    ["forTools", () => forTools(["search"], guardrail)],
    ["when", () => when(() => true, guardrail)],
    ["parallel", () => parallel([guardrail, allowAll()])],
    ["another live chain", () => liveChain([guardrail])],
    ["a copy of it", () => new ToolRunner({ guardrails: [{ ...guardrail }] })],
    ["an heir of it", () => new ToolRunner({ guardrails: [Object.create(guardrail)] })],
    [
      "a tool's own",
      () =>
        new ToolRunner({
          guardrails: [allowAll({ name: "x" })],
          tools: [tool({ name: "search", guardrails: [guardrail], execute: () => "" })],
        }),
    ],
  ])("%s", (_, build) => {
    const error = errorOf(build);
    expect(error.code).toBe("ERR_INVALID_PROVIDER");
    expect(error.message).toContain("must stand directly among the guardrails");
  });

  it("and asked by hand, it answers as its guards of now do", async () => {
    const live = liveChain([allowAll()]);
    expect(await live.guardrail.evaluate(foreignCall())).toMatchObject({ decision: "allow" });
    expect(await live.guardrail.admit?.(foreignCall())).toMatchObject({ decision: "allow" });
    const judge = { ...shut(), admit: () => deny("no"), evaluateResult: () => deny("withheld") };
    live.replace([judge as GuardrailProvider]);
    expect(await live.guardrail.evaluate(foreignCall())).toMatchObject({ reason: "shut" });
    expect(await live.guardrail.admit?.(foreignCall())).toMatchObject({ reason: "no" });
    expect(await live.guardrail.evaluateResult?.(foreignCall(), resultOf())).toMatchObject({
      reason: "withheld",
    });
  });
});

it("a live chain that judges no results allows each, when it is asked directly", async () => {
  const { guardrail } = liveChain([{ name: "g", evaluate: () => allow() }]);
  const result = { callId: "c", name: "send_mail", isError: false, content: "x" };
  expect(await guardrail.evaluateResult?.(callOf(), result as never)).toBe(allow());
});
