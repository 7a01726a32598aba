import { describe, expect, it } from "vitest";
import * as host from "../src/host/index.js";
import * as root from "../src/index.js";
import * as provider from "../src/provider/index.js";

describe("@toolstile/core/provider", () => {
  it("has the same objects as the root and the host's entry, and nothing else", () => {
    const others: Record<string, unknown> = { ...host, ...root };
    for (const [name, value] of Object.entries(provider)) {
      expect(value, name).toBe(others[name]);
    }
  });
});
