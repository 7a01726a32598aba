import { it as nodeIt } from "node:test";
import { expect, it } from "vitest";
import type { TestFunction } from "../src/index.js";

it("takes the `it` of vitest and of node:test as it is", () => {
  const runners: TestFunction[] = [it, nodeIt];
  expect(runners.every((runner) => typeof runner === "function")).toBe(true);
});
