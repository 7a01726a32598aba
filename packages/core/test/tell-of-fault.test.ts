import { describe, expect, it, onTestFinished } from "vitest";
import { reportFault } from "../src/host/index.js";
import type { Fault } from "../src/index.js";
import { idle } from "./support/promises.js";

describe("telling operators of a fault", () => {
  const fault = (): Fault => ({ source: "g", phase: "call", error: "what" });

  it("gives them the fault, frozen", () => {
    const told: Fault[] = [];
    reportFault((each) => void told.push(each), fault());
    expect(told).toEqual([fault()]);
    expect(Object.isFrozen(told[0])).toBe(true);
  });

  it("is none of the caller's business where they throw, reject later, or are not there", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    onTestFinished(() => void process.off("unhandledRejection", note));
    reportFault(undefined, fault());
    reportFault(() => {
      throw new Error("broken");
    }, fault());
    reportFault(() => Promise.reject(new Error("broken")), fault());
    await idle();
    expect(unhandled).toEqual([]);
  });
});
