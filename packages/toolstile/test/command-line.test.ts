import { describe, expect, it } from "vitest";
import { readArguments, UsageError } from "../src/terminal/command-line.js";

const forms = { json: "boolean", audit: "string" } as const;

describe("reading the command line", () => {
  it("tells operands from options, in any order", () => {
    const given = readArguments(["a", "--json", "b", "--audit", "log", "--", "--c"], forms);
    expect(given.operands).toEqual(["a", "b", "--c"]);
    expect([given.has("json"), given.text("audit")]).toEqual([true, "log"]);
  });

  it("takes a value that begins with a dash only after an equals sign", () => {
    expect(readArguments(["--audit=-log"], forms).text("audit")).toBe("-log");
  });

  it.each([
    [["--jsno"], "There is no option '--jsno'. Did you mean '--json'?"],
    [["-j"], "There is no option '-j'."],
    [["--no-json"], "There is no option '--no-json'."],
    [["--json=yes"], "--json takes no value."],
    [["--audit"], "--audit needs a value."],
    [["--audit="], "--audit needs a value."],
    [["--audit", "--json"], "--audit needs a value."],
    [["--constructor"], "There is no option '--constructor'."],
  ])("refuses %j", (argv, message) => {
    expect(() => readArguments(argv, forms)).toThrow(UsageError);
    expect(() => readArguments(argv, forms)).toThrow(message);
  });
});
