import { describe, expect, it } from "vitest";
import { briefJson } from "../src/approvals/brief-json.js";

const x24 = "x".repeat(24);

describe("arguments on one line", () => {
  it.each([
    ["that are few", { to: "Bob", amount: 9, ok: true, none: null, list: [[], {}] }, undefined],
    ["with a text as long as one may be", { a: x24 }, undefined],
    ["with a text that says it was cut", { a: `${x24.slice(1)}…` }, undefined],
    ["with a longer text", { a: `${x24}x`, to: "eve" }, `{"a":"${x24}"…,"to":"eve"}`],
    ["with a longer key", { [x24.repeat(9)]: 1, to: "eve" }, `{"${x24}"…:1,"to":"eve"}`],
    ["with pairs", { a: "😀".repeat(25) }, `{"a":"${"😀".repeat(24)}"…}`],
    [
      "with a key of what cannot be seen",
      { ["\u3164".repeat(130)]: 1, to: "eve" },
      `{"${"\\u{3164}".repeat(24)}"…:1,… 1 more}`,
    ],
    [
      "with long lists",
      { a: Array.from({ length: 2_000 }, () => 10_000_000), b: 2, c: 3 },
      `{"a":[${"10000000,".repeat(13)}… 1,987 more],… 2 more}`,
    ],
  ])("%s are whole, or say what is left out", (_, args, expected) => {
    expect(briefJson(args)).toBe(expected ?? JSON.stringify(args));
  });

  it("are read no further than they are shown", () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 1]));
    let reads = 0;
    const counting = new Proxy(many, {
      get(target, key) {
        reads += 1;
        return Reflect.get(target, key);
      },
    });
    expect(briefJson(counting)).toMatch(/… 49,98\d more\}$/);
    expect(reads).toBeLessThan(30);
  });
});
