import { describe, expect, it } from "vitest";
import { allowAll, type Fault, ToolRunner } from "../src/index.js";
import { spyTool } from "./support/runners.js";

class Session {
  readonly #id = "s1";
  id(): string {
    return this.#id;
  }
}
class WithGetter {
  get sessionId(): string {
    return "s1";
  }
}
class WithDefault {
  declare sessionId: string;
}
Object.defineProperty(WithDefault.prototype, "sessionId", { value: "s0", writable: true });

async function faultOf(context: object): Promise<string | undefined> {
  const faults: Fault[] = [];
  const tool = spyTool();
  const runner = new ToolRunner({
    tools: [tool],
    guardrails: [allowAll()],
    onFault: (fault) => void faults.push(fault),
  });
  const outcome = await runner.run({ name: "send" }, { context });
  expect(tool.runs).toHaveLength(outcome.status === "executed" ? 1 : 0);
  return outcome.status === "executed" ? undefined : String((faults[0]?.error as Error)?.message);
}

describe("P5 the facts of a call", () => {
  it.each<[string, object]>([
    ["an instance without facts of its own", new Session()],
    ["a list that has facts", Object.assign([], { sessionId: "s1" })],
    ["a map", new Map([["sessionId", "s1"]])],
    ["attributes of an instance without members", { attributes: new Session() }],
  ])("are refused in %s, and operators are told why", async (_, context) => {
    expect(await faultOf(context)).toBe(
      "A context, and its attributes, must be an object with facts of its own.",
    );
  });

  it.each<[string, object]>([
    ["by an accessor of a class", Object.assign(new WithGetter(), { tenant: "t1" })],
    ["by the prototype alone", Object.assign(new WithDefault(), { tenant: "t1" })],
  ])("are refused where one is given %s", async (_, context) => {
    expect(await faultOf(context)).toBe("A fact is inherited, and is not read.");
  });

  it("are taken from an instance that has its own in place of an inherited one", async () => {
    expect(await faultOf(Object.assign(new WithDefault(), { sessionId: "s1" }))).toBeUndefined();
  });

  it("are refused where one is a promise", async () => {
    expect(await faultOf({ sessionId: Promise.reject(new Error("late")) })).toBe(
      "A promise states no facts.",
    );
  });
});
