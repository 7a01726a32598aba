import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { call, testProvider } from "@toolstile/testing";
import { textLimit } from "../src/index.js";

describe("textLimit", () => {
  // What holds of every guard: closed on failure, pure, quotes nothing, and more.
  testProvider(it, () => textLimit({ maxCharacters: 30 }), {
    allowed: [call({ query: "spring tide" }), call({ page: 2 })],
    denied: [
      call({ query: "spring tide and neap tide in May" }),
      call({ parts: ["spring tide ", { more: "and neap tide" }] }),
    ],
  });
});

describe("textLimit", () => {
  it("allows as much text as the limit, and not one character more", async () => {
    const { evaluate } = textLimit({ maxCharacters: 7 });
    assert.equal((await evaluate(call({ q: "spring" }))).decision, "allow");
    assert.equal((await evaluate(call({ q: "springs" }))).decision, "deny");
  });

  it("refuses a limit that is no whole number above 0", () => {
    assert.throws(() => textLimit({ maxCharacters: 0 }), { code: "ERR_INVALID_OPTION" });
  });
});
