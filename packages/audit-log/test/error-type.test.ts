import { expect, it } from "vitest";
import { errorType } from "../src/log/error-type.js";

const trap = new Proxy(
  {},
  {
    getPrototypeOf() {
      throw new Error("s3cret");
    },
  },
);

it.each<[string, unknown, string]>([
  ["a built-in error", new TypeError("s3cret"), "TypeError"],
  ["an error renamed to a secret", Object.assign(new Error(""), { name: "s3cret" }), "Error"],
  [
    "an error whose class is named like a sentence",
    new { "my s3cret": class extends Error {} }["my s3cret"](),
    "object",
  ],
  ["a text", "s3cret", "string"],
  ["nothing", undefined, "undefined"],
  ["null", null, "null"],
  ["an object of no class", Object.create(null), "object"],
  ["a proxy that throws", trap, "object"],
])("P2 says no more than the type of %s", (_, error, type) => {
  expect(errorType(error)).toBe(type);
});
