import { describe, expect, it } from "vitest";
import { allow, type GuardrailProvider, ToolRunner } from "../src/index.js";
import { errorOf } from "./support/errors.js";

const built = (members: object) =>
  new ToolRunner({ guardrails: [{ name: "g", evaluate: () => allow(), ...members }] as never });

/** Writes each of some letters another way, beginning with the first. */
function misspelt(name: string, slips: number): string {
  return `${"x".repeat(slips)}${name.slice(slips)}`;
}

describe("P5 a member of a guard", () => {
  const most: readonly (readonly [keyof GuardrailProvider, number])[] = [
    ["evaluate", 1],
    ["evaluateResult", 2],
    ["admit", 1],
    ["settle", 1],
    ["register", 1],
    ["checksArguments", 2],
    ["judgesPieces", 2],
    ["timeoutMs", 1],
  ];

  it.each(most)(
    "P5 that is %s but for %i letters is refused, with the right name",
    (name, slips) => {
      const wrong = misspelt(name, slips);
      expect(errorOf(() => built({ [wrong]: () => allow() }))).toMatchObject({
        code: "ERR_UNKNOWN_MEMBER",
        message: `The guardrail 'g' has a member '${wrong}', which core does not call. Did you mean '${name}'?`,
      });
    },
  );

  it.each(most)(
    "that differs from %s in more than %i letters is the guard's own",
    (name, slips) => {
      expect(() => built({ [misspelt(name, slips + 1)]: () => allow() })).not.toThrow();
    },
  );

  it.each(["evaluateAll", "admitOnce", "settled", "EVALUATE"])(
    "P5 that begins as one of core's does, as %s, is refused",
    (name) => {
      expect(errorOf(() => built({ [name]: () => allow() })).code).toBe("ERR_UNKNOWN_MEMBER");
    },
  );
});
