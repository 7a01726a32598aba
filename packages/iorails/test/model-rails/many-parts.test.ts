import { expect, it } from "vitest";
import { lastUserText } from "../../src/model-rails/user-text.js";

it("reads a message of more parts than fit on the stack", () => {
  const content = Array.from({ length: 150_000 }, () => ({ type: "text", text: "x" }));
  expect(lastUserText([{ role: "user", content }])?.text).toBe(Array(150_000).fill("x").join("\n"));
});
