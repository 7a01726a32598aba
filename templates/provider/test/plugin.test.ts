import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFromPlugin } from "@toolstile/config";
import { plugin } from "../src/index.js";

describe("plugin", () => {
  it("makes the guard that a guard.yaml describes", () => {
    const options = { maxCharacters: 500, name: "short-questions" };
    assert.equal(createFromPlugin(plugin, options, "guards[0]").name, "short-questions");
  });

  it("has a misspelt option refused, and says which was meant", () => {
    assert.throws(
      () => createFromPlugin(plugin, { maxCharacter: 500 }, "guards[0]"),
      /guards\[0\].*'maxCharacter'.*Did you mean 'maxCharacters'/,
    );
  });
});
