import { describe, expect, it } from "vitest";
import { readPointer } from "../src/provider/index.js";
import { errorOf } from "./support/errors.js";

const read = (text: string) => readPointer(text, "rules()", "at");

describe("a JSON Pointer that is an option", () => {
  it.each([
    ["", []],
    ["/", [""]],
    ["/to", ["to"]],
    ["/items/*/name", ["items", "*", "name"]],
    ["/a~1b/m~0n/~01", ["a/b", "m~n", "~1"]],
    ["/a//b", ["a", "", "b"]],
  ])("%j leads by %j", (text, names) => {
    expect(read(text)).toEqual(names);
  });

  it.each([
    ["to", "received 'to'. Did you mean '/to'?"],
    ["to/name", "received 'to/name'. Did you mean '/to/name'?"],
    ["/a~2", "received '/a~2'."],
    ["/a~", "received '/a~'."],
  ])("P5 %j is refused, with what it was probably meant as", (text, received) => {
    const { code, message } = errorOf(() => read(text));
    expect(code).toBe("ERR_INVALID_OPTION");
    expect(message).toBe(
      `rules(): 'at' must be a JSON Pointer, as in /to or /items/*/name, ${received}`,
    );
  });

  it("P5 has at most 32 steps", () => {
    expect(read("/a".repeat(32))).toHaveLength(32);
    expect(errorOf(() => read("/a".repeat(33))).message).toBe(
      "rules(): 'at' must have at most 32 steps.",
    );
  });
});
