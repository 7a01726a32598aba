import { expect, it } from "vitest";
import { readContent } from "../src/rails/content.js";

it("reads a block that holds more words than fit on the stack, and more blocks than that", () => {
  const words = Array.from({ length: 150_000 }, (_, at) => `word ${at}`);
  const block = { type: "text", text: "hello", annotations: words };
  expect(readContent([block]).beside).toHaveLength(150_000);
  expect(readContent(words).shown).toHaveLength(150_000);
  expect(readContent([{ type: "of nobody", words }]).beside.length).toBeGreaterThanOrEqual(150_000);
});
