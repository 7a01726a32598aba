import { describe, expect, it } from "vitest";
import { parseUrl } from "../src/provider/index.js";

describe("parseUrl()", () => {
  it("reads a URL with letters beyond ASCII, however often it was asked", () => {
    // URL.canParse of Node 20 answers false once the engine has optimised the call.
    for (let time = 0; time < 20_000; time++) {
      expect(parseUrl("https://b\u00fccher.example/") === undefined).toBe(false);
    }
  });

  it.each(["", "no", "http://", "https://a b/"])("gives nothing for %j", (text) => {
    expect(parseUrl(text)).toBeUndefined();
  });
});
