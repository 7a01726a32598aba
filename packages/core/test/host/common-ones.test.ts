import { describe, expect, it } from "vitest";
import { errorText, isRewritten } from "../../src/host/index.js";
import { allow, allowAll, ToolRunner } from "../../src/index.js";
import {
  isJsonObject,
  isObject,
  readOptions,
  toolNameSchema,
  uncheckedFor,
  valueWithin,
} from "../../src/provider/index.js";
import { BoundedWait } from "../../src/time/wait.js";
import { errorOf } from "../support/errors.js";
import { HandClock } from "../support/hand-clock.js";
import { deferred, idle } from "../support/promises.js";
import { spyTool } from "../support/runners.js";

const request = { name: "send", callId: "c1" };

const over = (why: string): string => `over: ${why}`;
const boundsOf = (clock: HandClock, caller?: AbortSignal) => ({ clock, timeoutMs: 20, caller });

describe("the value of a promise within bounds", () => {
  it("is what the promise brings, and its error is thrown", async () => {
    const bounds = boundsOf(new HandClock());
    expect(await valueWithin(bounds, Promise.resolve("brought"), over)).toBe("brought");
    const error = new Error("no");
    await expect(valueWithin(bounds, Promise.reject(error), over)).rejects.toBe(error);
    expect(bounds.clock.waiting).toBe(0);
  });

  it("is what is said of its end, where the time is over or the caller aborts before", async () => {
    const clock = new HandClock();
    const late = valueWithin(boundsOf(clock), new Promise<string>(() => {}), over);
    clock.pass(20);
    expect(await late).toBe("over: timeout");
    const caller = new AbortController();
    const left = valueWithin(boundsOf(clock, caller.signal), new Promise<string>(() => {}), over);
    caller.abort();
    expect(await left).toBe("over: aborted");
  });

  it("P1 is the error that is thrown at its end, and not a wait without end", async () => {
    const clock = new HandClock();
    const late = valueWithin<string>(boundsOf(clock), new Promise(() => {}), () => {
      throw new Error("too late");
    });
    clock.pass(20);
    await expect(late).rejects.toThrow("too late");
  });
});

describe("waits that end together", () => {
  it("are told of once, and nothing that comes later", async () => {
    const clock = new HandClock();
    const told: string[] = [];
    const late = deferred<string>();
    const wait = new BoundedWait(boundsOf(clock), (why) => void told.push(why));
    wait.wait(late.promise, (end) => void told.push(end));
    clock.pass(20);
    late.resolve("late");
    await idle();
    wait.abort();
    expect(told).toEqual(["timeout"]);
  });
});

describe("an object", () => {
  it.each<[unknown, boolean, boolean]>([
    [{}, true, true],
    [Object.create(null), true, true],
    [new Date(0), true, true],
    [[], true, false],
    [null, false, false],
    [undefined, false, false],
    ["text", false, false],
    [7, false, false],
    [() => 1, false, false],
  ])("may be a list, and as JSON has it is none: %s", (value, isAny, isOfJson) => {
    expect([isObject(value), isJsonObject(value)]).toEqual([isAny, isOfJson]);
  });
});

describe("the text of an error", () => {
  it("is all that is printed of it, or another text where it cannot be printed", () => {
    expect(errorText(new TypeError("no"), "unknown")).toBe("TypeError: no");
    expect(errorText("no", "unknown")).toBe("no");
    const hostile = {
      toString: () => {
        throw new Error("hunter2");
      },
    };
    expect(errorText(hostile, "unknown")).toBe("unknown");
  });
});

describe("options that are passed on", () => {
  it("P5 are known by their names, and their values are checked by another", () => {
    const table = uncheckedFor({ limit: {}, name: {} });
    expect({ ...readOptions("w()", { limit: "x" }, table) }).toEqual({ limit: "x" });
    expect(errorOf(() => readOptions("w()", { limits: 1 }, table)).message).toBe(
      "w() has no option 'limits'. Did you mean 'limit'? It takes: limit, name.",
    );
  });
});

describe("the schema of a tool's name in options that are data", () => {
  it("takes a plain name, or a pattern that is written as one", () => {
    expect(toolNameSchema).toEqual({
      anyOf: [
        {
          type: "string",
          minLength: 1,
          pattern: "^[^*?]*$",
          description: 'a plain name; a pattern is written as { pattern: "github_*" }',
        },
        {
          type: "object",
          properties: { pattern: { type: "string", minLength: 1, maxLength: 256 } },
          required: ["pattern"],
          additionalProperties: false,
        },
      ],
    });
  });
});

describe("a result", () => {
  it("counts as rewritten where a guard changed it, and not where one allowed it", async () => {
    const judge = { name: "judge", evaluateResult: () => allow() };
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll(), judge] });
    expect(isRewritten(await runner.run(request))).toBe(false);
  });
});
