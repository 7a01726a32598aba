import { describe, expect, it } from "vitest";
import { allowAll, ToolRunner, type ToolRunnerOptions } from "../src/index.js";
import { spyTool } from "./support/runners.js";

const guardrails = [allowAll()];

const runnerOf = (options: Partial<ToolRunnerOptions> = {}) =>
  new ToolRunner({ tools: [spyTool()], guardrails: [allowAll()], ...options });

describe("an observer", () => {
  it("may have data of its own whose name is near a member of core's", () => {
    const observers = [{ name: "log", settle: () => {}, settled: [] } as never];
    expect(() => runnerOf({ observers })).not.toThrow();
  });

  it("P5 is refused where it is null", () => {
    expect(() => runnerOf({ observers: [null as never] })).toThrow(
      "Observer number 1 of the list must be an object with a name and settle(record).",
    );
  });

  it("P6 that is required and fails keeps a result from the model, in words that say why", async () => {
    const full = {
      name: "full",
      required: true,
      settle: (): never => {
        throw new Error("disk full");
      },
    };
    const outcome = await runnerOf({ observers: [full], onFault: () => {} }).run({ name: "send" });
    expect(outcome).toMatchObject({
      status: "withheld",
      basis: "audit",
      code: "audit",
      decidedBy: "full",
      reason: "the call could not be put on record",
    });
  });
});

describe("a member of an observer", () => {
  const observed = (key: string) => () =>
    new ToolRunner({
      guardrails,
      observers: [{ name: "log", settle: () => {}, [key]: () => {} } as never],
    });

  it.each(["intnet", "xntent", "xettle", "xequired"])(
    "P5 that is a slip, as %s, is refused",
    (key) => {
      expect(observed(key)).toThrow(expect.objectContaining({ code: "ERR_UNKNOWN_MEMBER" }));
    },
  );

  it.each(["xxtent", "xxttle", "xxquired"])("that differs more, as %s, is its own", (key) => {
    expect(observed(key)).not.toThrow();
  });
});
