import { describe, expect, it } from "vitest";
import { OptionFaults } from "../src/errors/option-faults.js";

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
