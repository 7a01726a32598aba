import { describe, expect, it } from "vitest";
import {
  allow,
  allowAll,
  chain,
  deny,
  failOpen,
  type GuardrailProvider,
  type JsonObject,
  modify,
  parallel,
  type ToolCall,
  ToolRunner,
  when,
} from "../src/index.js";

const noDelete: GuardrailProvider = {
  name: "no-delete",
  evaluate: () => deny("nothing is deleted"),
};

const giving: GuardrailProvider = { name: "giving", evaluate: () => modify({ x: 1 }) };

function denialOf(guardrails: readonly GuardrailProvider[], options: object = {}) {
  const tools = [{ name: "delete", execute: () => "" }];
  return new ToolRunner({ tools, guardrails: [...guardrails], unchecked: true }).denialOf(
    "delete",
    options,
  );
}

describe("denialOf, where the arguments are not known", () => {
  it("says nothing where the host's facts are none", () => {
    expect(denialOf([noDelete])).toMatchObject({ reason: "nothing is deleted" });
    for (const context of [7, "s1", { sesionId: "s1" }]) {
      expect(denialOf([noDelete], { context })).toBeUndefined();
    }
  });

  it.each<keyof ToolCall>(["callId", "turnId", "receipt", "runId", "signal"])(
    "says nothing where a guard or a condition reads the %s, which only a call has, even if it catches what that throws",
    (name) => {
      const read: unknown[] = [];
      const isThere = (call: ToolCall): boolean => {
        try {
          read.push(call[name]);
        } catch {
          return false;
        }
        return true;
      };
      const judging: GuardrailProvider = {
        name: "judging",
        evaluate: (call) => (isThere(call) ? allow() : deny(`no ${name}`)),
      };
      const without = when((call) => !isThere(call), noDelete);
      for (const guard of [judging, parallel([judging]), failOpen(judging), without]) {
        expect(denialOf([guard])).toBeUndefined();
      }
      expect(denialOf([judging, noDelete])).toMatchObject({ reason: "nothing is deleted" });
      expect(read).toEqual([]);
    },
  );

  it("asks with the name that the model would call, and a run of its own", () => {
    const told: unknown[] = [];
    const curious: GuardrailProvider = {
      name: "curious",
      evaluate: ({ toolName, requestedName, run }) => {
        told.push([toolName, requestedName, typeof run]);
        return requestedName === "delete" ? allow() : deny("not by that name");
      },
    };
    const runner = new ToolRunner({
      tools: [{ name: "delete", execute: () => "" }],
      guardrails: [curious],
      aliases: { rm: "delete" },
      unchecked: true,
    });
    expect(runner.denialOf("delete")).toBeUndefined();
    expect(runner.denialOf("rm")).toMatchObject({ reason: "not by that name" });
    expect(told).toEqual([
      ["delete", "delete", "object"],
      ["delete", "rm", "object"],
    ]);
  });

  it.each<[string, (args: JsonObject) => unknown]>([
    ["a member", (args) => args["x"]],
    ["if there is a member", (args) => "x" in args],
    ["its own members", (args) => Object.keys(args)],
    ["the descriptor of a member", (args) => Object.getOwnPropertyDescriptor(args, "x")],
    ["the prototype", (args) => Object.getPrototypeOf(args)],
    ["if they can be extended", (args) => Object.isExtensible(args)],
    ["a member that it sets", (args) => Reflect.set(args, "x", 1)],
    ["a member that it defines", (args) => Reflect.defineProperty(args, "x", { value: 1 })],
    ["a member that it deletes", (args) => Reflect.deleteProperty(args, "x")],
    ["if they can be closed", (args) => Reflect.preventExtensions(args)],
    ["another prototype that it sets", (args) => Reflect.setPrototypeOf(args, null)],
    ["all that JSON has of them", (args) => JSON.stringify(args)],
  ])("says nothing where a guard looks for %s, even if it catches what that throws", (_, look) => {
    const looking: GuardrailProvider = {
      name: "looking",
      evaluate: ({ args }) => {
        try {
          look(args);
        } catch {
          return deny("it cannot be read");
        }
        return deny("it was read");
      },
    };
    expect(denialOf([looking])).toBeUndefined();
  });

  it.each([true, false])(
    "says nothing where a condition looked at them, caught what that throws and is %s",
    (met) => {
      const thrown: unknown[] = [];
      const condition = ({ args }: { args: JsonObject }) => {
        try {
          return args["x"] === 1;
        } catch (error) {
          thrown.push(error);
          return met;
        }
      };
      expect(denialOf([when(condition, noDelete)])).toBeUndefined();
      expect(thrown).toMatchObject([{ message: expect.stringContaining("cannot be read") }]);
    },
  );

  it.each<[string, GuardrailProvider]>([
    ["in a chain", chain([when(({ args }) => args["x"] === 1, noDelete)])],
    ["asked at once", parallel([when(({ args }) => args["x"] === 1, noDelete), allowAll()])],
    ["behind one that gives others, in a chain", chain([giving])],
    ["behind one that gives others, asked at once", parallel([giving, allowAll()])],
  ])("says nothing where a condition on them is %s", (_, guardrail) => {
    expect(denialOf([guardrail])).toBeUndefined();
  });

  it("is that of a call that no guard judges where no condition on the tool is met", () => {
    expect(denialOf([when(() => false, noDelete)])).toMatchObject({
      basis: "no_provider",
      code: "no_provider",
      decidedBy: "core",
    });
  });

  it.each<[string, unknown]>([
    ["no object", "s1"],
    ["unknown to core", { session: "s1" }],
    ["unreadable", Object.defineProperty({}, "sessionId", { enumerable: true, get: () => boom() })],
  ])(
    "says nothing where the context is %s, for then the call is denied for another reason",
    (_, context) => {
      const ofSession: GuardrailProvider = {
        name: "of-session",
        evaluate: ({ context: facts }) => (facts.sessionId === "s1" ? allow() : deny("no session")),
      };
      expect(denialOf([ofSession])).toMatchObject({ decidedBy: "of-session" });
      expect(denialOf([ofSession], { context })).toBeUndefined();
    },
  );
});

function boom(): never {
  throw new Error("a getter");
}
