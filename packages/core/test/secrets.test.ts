import { describe, expect, it } from "vitest";
import { allow, allowAll, deny, type GuardrailProvider, modify, ToolRunner } from "../src/index.js";
import { everythingIn, guard, request, spyObserver, spyTool, textOf } from "./support/runners.js";

describe("P2 what the model and the records are told", () => {
  const secret = "hunter2-s3cret";

  it("P2 keeps thrown secrets and argument values out of outcomes and records", async () => {
    const observer = spyObserver();
    const thrower = (): never => {
      throw new Error(`cannot connect with ${secret}`);
    };
    for (const members of [
      { evaluate: thrower },
      { admit: thrower },
      { evaluateResult: thrower },
      { evaluate: () => ({ decision: secret }) as never },
      { evaluate: () => ({ decision: "modify", modifiedArgs: { [secret]: 1n } }) as never },
      { evaluate: () => deny("no", { code: 5 as never }) },
    ]) {
      const runner = new ToolRunner({
        tools: [spyTool()],
        guardrails: [guard("bad", members)],
        observers: [observer],
      });
      const outcome = await runner.run({ name: "send", arguments: {} });
      expect(outcome.status).toMatch(/denied|withheld/);
      expect(everythingIn(outcome)).not.toContain(secret);
    }
    expect(everythingIn([observer.records, observer.announced])).not.toContain(secret);
  });

  it.each([
    `{"pin":"${secret}"`,
    `{"${secret}":1,"${secret}":2}`,
    `["${secret}"]`,
    `"${secret}"`,
    secret,
    `{"a":9007199254740993,"b":"${secret}"}`,
    `{"__proto__":"${secret}"}`,
  ])("P2 quotes nothing of arguments that cannot be read: %s", async (text) => {
    const observer = spyObserver();
    const runner = new ToolRunner({ guardrails: [allowAll()], observers: [observer] });
    const outcome = await runner.run({ name: "send", arguments: text });
    expect(outcome.status).toBe("invalid");
    expect(everythingIn([outcome, observer.records])).not.toContain(secret);
  });

  it("P2 quotes no argument value in core's own denials", async () => {
    const tool = spyTool();
    const shifty = (name: string, to: string): GuardrailProvider =>
      guard(name, { evaluate: () => modify({ pin: secret, to }) });
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [shifty("one", "a"), shifty("two", "b")],
    });
    const outcome = await runner.run({ name: "send", arguments: { pin: secret } });
    expect(outcome).toMatchObject({ status: "denied", basis: "unstable" });
    expect(textOf(outcome)).not.toContain(secret);
    expect("reason" in outcome && outcome.reason).not.toContain(secret);
  });

  it("P2 treats the text of the tool's own error as content, which the judges see", async () => {
    const seen: unknown[] = [];
    const runner = new ToolRunner({
      tools: [
        spyTool("send", () => {
          throw new Error(`disk ${secret}`);
        }),
      ],
      guardrails: [
        allowAll(),
        {
          name: "redact",
          evaluateResult: (_call, { content, isError }) => {
            seen.push([content, isError]);
            return content === "disk ***"
              ? allow()
              : { decision: "modify", modifiedResult: { content: "disk ***" } };
          },
        },
      ],
    });
    const outcome = await runner.run(request);
    expect(seen[0]).toEqual([`disk ${secret}`, true]);
    expect(outcome).toMatchObject({
      status: "failed",
      result: { isError: true, content: "disk ***" },
    });
  });
});
