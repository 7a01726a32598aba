import { describe, expect, it, onTestFinished, vi } from "vitest";
import { OptionFaults } from "../src/errors/option-faults.js";
import { checkOptions } from "../src/errors/options.js";
import { CallerAbort } from "../src/host/index.js";
import { allowAll, chain, parallel, ToolRunner, ToolstileError, tool } from "../src/index.js";
import { BoundedWait } from "../src/time/wait.js";
import { errorOf } from "./support/errors.js";
import { HandClock } from "./support/hand-clock.js";
import { deferred, idle } from "./support/promises.js";
import { guard, spyTool } from "./support/runners.js";
import { request, runnerOf, words } from "./support/streams.js";

describe("what is refused, and seldom given", () => {
  it("is a listener that is no function", () => {
    const runner = new ToolRunner({ guardrails: [allowAll()] });
    const error = errorOf(() => runner.on("settled", "log" as never));
    expect(error).toMatchObject({ code: "ERR_INVALID_OPTION" });
    expect(error.message).toContain("must be a function, received string");
  });

  it("is a `sealed` that is neither true nor false", () => {
    const error = errorOf(() => tool({ name: "t", sealed: "no" as never, execute: () => "" }));
    expect(error.message).toContain("`sealed` must be a boolean, received string");
  });

  it("is a definition that is not JSON, by name", () => {
    const parameters = { type: "object", maximum: 1n };
    const error = errorOf(
      () => new ToolRunner({ tools: [{ name: "t", parameters }], guardrails: [allowAll()] }),
    );
    expect(error.code).toBe("ERR_INVALID_TOOL");
    expect(`${error.message} ${(error.cause as Error | undefined)?.message}`).toContain(
      "The definition of tool 't' is not JSON.",
    );
  });

  it("are options that throw when they are read", () => {
    const options = new Proxy({}, { ownKeys: () => boom() });
    for (const make of [
      () => new ToolRunner(options as never),
      () => tool(options as never),
      () => new ToolRunner({ guardrails: [allowAll()], limits: options }),
    ]) {
      expect(errorOf(make).code).toMatch(/^ERR_INVALID_(?:OPTION|TOOL)$/);
    }
  });

  it("is no guard at all where several are to be asked at once", () => {
    expect(errorOf(() => parallel([])).message).toBe("parallel() needs at least one guardrail.");
  });

  it("is a call that cannot be read, by the error of whoever made it", () => {
    const broken = new Proxy({}, { get: () => boom(), getOwnPropertyDescriptor: () => boom() });
    expect(() => chain([guard("g", {})]).evaluate(broken as never)).toThrow("a getter");
  });
});

describe("the faults among the causes of an error", () => {
  const faults = [{ path: ["rules", 3], text: "must be a list" }];

  it("are those of an OptionFaults, of any copy, at most four causes deep", () => {
    const found = new OptionFaults("wrong", faults);
    const wrap = (cause: unknown) => new Error("outer", { cause });
    expect(OptionFaults.of(found)).toBe(faults);
    expect(OptionFaults.of(wrap(wrap(wrap(found))))).toBe(faults);
    expect(OptionFaults.of(wrap(wrap(wrap(wrap(found)))))).toBeUndefined();
    const foreign = Object.assign(new Error("wrong"), { name: "OptionFaults", faults });
    expect(OptionFaults.of(foreign)).toBe(faults);
  });

  it.each<[string, unknown]>([
    ["an error of another name", Object.assign(new Error("x"), { faults })],
    ["an error without faults", Object.assign(new Error("x"), { name: "OptionFaults" })],
    ["no faults", new OptionFaults("x", [])],
    ["faults that are no list", new OptionFaults("x", { length: 1 } as never)],
    ["a fault without text", new OptionFaults("x", [{ path: ["a"] } as never])],
    ["a fault without path", new OptionFaults("x", [{ text: "a" } as never])],
    [
      "a path with a step of another type",
      new OptionFaults("x", [{ path: [null], text: "" } as never]),
    ],
    ["no error", { name: "OptionFaults", faults }],
  ])("are none of %s", (_, error) => {
    expect(OptionFaults.of(error)).toBeUndefined();
  });
});

describe("a signal that cannot be listened to", () => {
  it("P12 leaves no deadline behind", () => {
    const clock = new HandClock();
    const caller = Object.assign(new CallerAbort(), { addEventListener: boom });
    expect(() => new BoundedWait({ clock, timeoutMs: 5, caller }, () => {})).toThrow("a getter");
    expect(clock.waiting).toBe(0);
  });
});

describe("a wait that is over", () => {
  it("P4 is not ended again by a signal that does not let go of it", () => {
    const ends: string[] = [];
    const caller = Object.assign(new CallerAbort(), { removeEventListener: () => {} });
    const bounds = { clock: new HandClock(), timeoutMs: 5, caller };
    const wait = new BoundedWait(bounds, (why) => void ends.push(why));
    wait.stop();
    caller.abort();
    expect(ends).toEqual([]);
  });
});

describe("options that are checked by their keys", () => {
  it("are refused where they cannot be read, are no object or have another key", () => {
    const broken = new Proxy({}, { ownKeys: () => boom() });
    for (const options of [broken, 7, null, [], { b: 1 }]) {
      const error = errorOf(() => checkOptions("f()", options, ["a"]));
      expect(error.code).toMatch(/^ERR_(?:INVALID|UNKNOWN)_OPTION$/);
    }
    expect(checkOptions("f()", { a: 1 }, ["a"])).toBeUndefined();
  });
});

describe("arguments of more values than are allowed", () => {
  it("are invalid as text and as an object, in one list and in many", async () => {
    const limits = { maxNodes: 20 };
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()], limits });
    const many = { all: Array.from({ length: 30 }, (_, at) => at) };
    const nested = { all: Array.from({ length: 10 }, () => [1, 2]) };
    for (const args of [many, nested]) {
      for (const given of [args, JSON.stringify(args)]) {
        const outcome = await runner.run({ name: "send", arguments: given });
        expect(outcome.status).toBe("invalid");
      }
    }
  });
});

describe("a call that its caller has left", () => {
  it.each([
    ["an error", { error: new Error("late") }],
    ["that it is not known what became of it", { unknown: true }],
    ["a value", { value: "late" }],
  ] as const)("P4 P12 is over as unknown if its answer is %s", async (_, answer) => {
    const caller = new AbortController();
    const runner = new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()] });
    const opened = await runner.open({ name: "send", callId: "c1" }, { signal: caller.signal });
    if (opened.outcome !== undefined) throw new Error("it must be open");
    caller.abort();
    expect(await opened.close(answer)).toMatchObject({ status: "aborted", executed: "unknown" });
  });
});

describe("a reader of a stream that throws into it", () => {
  it("P4 gets its error back once the call has settled", async () => {
    const settling = deferred<void>();
    const runner = new ToolRunner({
      tools: [spyTool("send", words)],
      guardrails: [guard("g", { settle: () => settling.promise })],
    });
    const stream = runner.stream(request);
    await stream.next();
    const reason = new Error("of the reader");
    let settled = false;
    const thrown = stream.throw(reason).catch((error: unknown) => {
      settled = true;
      return error;
    });
    await idle();
    expect(settled).toBe(false);
    settling.resolve();
    expect(await thrown).toBe(reason);
    expect(await stream.next()).toMatchObject({ done: true });
  });

  it("P4 gets its error back where nothing was read yet", async () => {
    const reason = new Error("of the reader");
    await expect(runnerOf(words).stream(request).throw(reason)).rejects.toBe(reason);
  });
});

describe("the end of a runner's scope", () => {
  it("closes it, and waits for that", async () => {
    const closing = deferred<void>();
    let isOver = false;
    const runner = new ToolRunner({ guardrails: [guard("g", { close: () => closing.promise })] });
    const done = runner[Symbol.asyncDispose]().then(() => {
      isOver = true;
    });
    await idle();
    expect(isOver).toBe(false);
    closing.resolve();
    await done;
    expect(await runner.run({ name: "t" })).toMatchObject({ code: "runner_closed" });
  });
});

describe("a listener for faults that fails itself", () => {
  it("is warned of by the process", async () => {
    // Each kind of fault is warned of once in a process: another file may have done so.
    vi.resetModules();
    const { reportFault } = await import("../src/host/index.js");
    const warnings = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    onTestFinished(() => warnings.mockRestore());
    reportFault(boom, {
      source: "adapter",
      phase: "describe",
      error: new ToolstileError("ERR_DENIED", "x"),
    });
    expect(warnings.mock.calls.map(([text]) => String(text))).toEqual([
      expect.stringContaining("'onFault' failed in onFault()"),
    ]);
  });
});

function boom(): never {
  throw new Error("a getter");
}
