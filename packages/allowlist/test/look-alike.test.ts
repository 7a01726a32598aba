import { describe, expect, it } from "vitest";
import { difference, LookAlikes, passFor, skeleton } from "../src/look-alike.js";

describe("skeleton", () => {
  it.each([...passFor])("reads %s as %s", (other, latin) => {
    expect(skeleton(`x${other}x`)).toBe(skeleton(`x${latin}x`));
  });

  it.each([
    ["ｓｅａｒｃｈ", "search"],
    ["𝐬𝐞𝐚𝐫𝐜𝐡", "search"],
    ["se\u0301arch", "search"],
    ["SEARCH", "search"],
    ["ſearch", "search"],
    ["CОРУ", "copy"],
    ["ⅿail", "rnail"],
    ["vvrite", "write"],
  ])("takes %s for %s", (name, read) => {
    expect(skeleton(name)).toBe(skeleton(read));
  });

  it.each([
    ["search", "research"],
    ["read_file", "read_files"],
    ["get", "set"],
  ])("tells %s and %s apart", (name, other) => {
    expect(skeleton(name)).not.toBe(skeleton(other));
  });
});

describe("LookAlikes", () => {
  it("finds all names that a name could be taken for, and not the name itself", () => {
    const alike = new LookAlikes(["list", "1ist", "other"]);
    expect(alike.of("LIST")).toEqual(["list", "1ist"]);
    expect(alike.of("list")).toEqual(["1ist"]);
    expect(alike.of("unheard")).toEqual([]);
  });

  it("looks at no name that is longer than any tool's", () => {
    const alike = new LookAlikes(["a".repeat(257)]);
    expect(alike.of("A".repeat(257))).toEqual([]);
  });
});

describe("difference", () => {
  it.each([
    ["search", "Search", "case"],
    ["search", "se\u200barch", "white space or invisible characters"],
    ["search", "s\u0435arch", "characters that look alike"],
    ["search", "Se arch", "characters that look alike"],
  ])("between %o and %o is %s", (name, other, words) => {
    expect(difference(other, name)).toBe(words);
  });
});
