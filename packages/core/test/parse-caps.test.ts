import { describe, expect, it } from "vitest";
import { allowAll, ToolRunner } from "../src/index.js";
import { type ParsedArguments, parseArguments } from "../src/json/parse.js";
import { defaultLimits } from "../src/json/snapshot.js";
import { spyTool } from "./support/runners.js";

function codeOf(parsed: ParsedArguments): string {
  return parsed.ok ? "ok" : parsed.code;
}

/** An object so many levels deep, the outermost being the first. */
function nested(levels: number, open = '{"a":', close = "}"): string {
  return `${open.repeat(levels - 1)}{}${close.repeat(levels - 1)}`;
}

describe("P18 the caps of text", () => {
  it("are 64 levels, counting the object itself", () => {
    expect(codeOf(parseArguments(nested(64)))).toBe("ok");
    expect(codeOf(parseArguments(nested(65)))).toBe("too_deep");
    expect(codeOf(parseArguments(`{"a":${"[".repeat(63)}${"]".repeat(63)}}`))).toBe("ok");
    expect(codeOf(parseArguments(`{"a":${"[".repeat(64)}${"]".repeat(64)}}`))).toBe("too_deep");
  });

  it("count levels of objects and lists, and not what stands in the last", () => {
    const leaf = (text: string) => `{"a":${"[".repeat(63)}${text}${"]".repeat(63)}}`;
    for (const text of ["null", "0", '"x"', "true", "null,null"]) {
      expect(codeOf(parseArguments(leaf(text)))).toBe("ok");
      expect(codeOf(parseArguments(nested(64).replace("{}", `{"b":${text.split(",")[0]}}`)))).toBe(
        "ok",
      );
      expect(codeOf(parseArguments(JSON.parse(leaf(text))))).toBe("ok");
    }
    expect(codeOf(parseArguments(leaf("[]")))).toBe("too_deep");
  });

  it("end text of 100,000 levels without overflowing the stack", () => {
    expect(codeOf(parseArguments(nested(100_000)))).toBe("too_deep");
    expect(codeOf(parseArguments(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`))).toBe(
      "too_deep",
    );
    expect(codeOf(parseArguments("[".repeat(100_000)))).toBe("invalid_json");
    expect(codeOf(parseArguments(`{"a":${"[".repeat(1_000_000)}`))).toBe("invalid_json");
  });

  it("are 100,000 values, counting the object itself", () => {
    const list = (length: number): string => `{"a":[${new Array(length).fill("0").join(",")}]}`;
    expect(codeOf(parseArguments(list(99_998)))).toBe("ok");
    expect(codeOf(parseArguments(list(99_999)))).toBe("too_large");
    const object = (keys: number): string =>
      `{${Array.from({ length: keys }, (_, index) => `"${index}":0`).join(",")}}`;
    expect(codeOf(parseArguments(object(99_999)))).toBe("ok");
    expect(codeOf(parseArguments(object(100_000)))).toBe("too_large");
  });

  it("count the same values in text and in an object", () => {
    const limits = { ...defaultLimits, maxNodes: 7 };
    const seven = { a: [1, { b: null }], c: { d: "x" } };
    const eight = { ...seven, e: true };
    expect(codeOf(parseArguments(seven, { ...limits, maxNodes: 6 }))).toBe("too_large");
    for (const given of [seven, JSON.stringify(seven)]) {
      expect(codeOf(parseArguments(given, limits))).toBe("ok");
    }
    for (const given of [eight, JSON.stringify(eight)]) {
      expect(codeOf(parseArguments(given, limits))).toBe("too_large");
    }
  });

  it("are 1 MiB of UTF-8", () => {
    const room = 1_048_576 - '{"a":""}'.length;
    const text = (fill: string, times: number): string => `{"a":"${fill.repeat(times)}"}`;
    expect(codeOf(parseArguments(text("x", room)))).toBe("ok");
    expect(codeOf(parseArguments(text("x", room + 1)))).toBe("too_large");
    expect(codeOf(parseArguments(text("é", room / 2)))).toBe("ok");
    expect(codeOf(parseArguments(text("é", room / 2 + 1)))).toBe("too_large");
    expect(codeOf(parseArguments(text("€", Math.floor(room / 3))))).toBe("ok");
    expect(codeOf(parseArguments(text("€", Math.floor(room / 3) + 1)))).toBe("too_large");
    expect(codeOf(parseArguments(text("😀", room / 4)))).toBe("ok");
    expect(codeOf(parseArguments(text("😀", room / 4 + 1)))).toBe("too_large");
  });

  it("count blank text too", () => {
    expect(codeOf(parseArguments(" ".repeat(1_048_576)))).toBe("ok");
    expect(codeOf(parseArguments(" ".repeat(1_048_577)))).toBe("too_large");
  });

  it("come before reading, so that too much of anything is too large", () => {
    expect(codeOf(parseArguments("[".repeat(1_048_577)))).toBe("too_large");
  });

  it("can be given", () => {
    const limits = { maxBytes: 20, maxDepth: 2, maxNodes: 3 };
    expect(codeOf(parseArguments('{"a":{"b":1}}', limits))).toBe("ok");
    expect(codeOf(parseArguments('{"a":{"b":{}}}', limits))).toBe("too_deep");
    expect(codeOf(parseArguments('{"a":1,"b":2,"c":3}', limits))).toBe("too_large");
    expect(codeOf(parseArguments('{"a":"xxxxxxxxxxxxxxx"}', limits))).toBe("too_large");
  });

  it("take time in proportion to the text when it is all quotes and backslashes", () => {
    // A scan that were quadratic would need 10^11 steps and be stopped by the runner's deadline.
    const fill = '\\\\\\"'.repeat(250_000);
    expect(codeOf(parseArguments(`{"a":"${fill}"}`))).toBe("ok");
    const slashes = "\\".repeat(1_000_000);
    expect(codeOf(parseArguments(`{"a":"${slashes}"}`))).toBe("ok");
    expect(codeOf(parseArguments(`{"a":"${slashes}\\"}`))).toBe("invalid_json");
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
