import { describe, expect, it } from "vitest";
import * as host from "../src/host/index.js";
import * as root from "../src/index.js";
import * as provider from "../src/provider/index.js";

describe("@toolstile/core/provider", () => {
  it("has the same objects as the root and the host's entry, and of its own only Decision", () => {
    const others: Record<string, unknown> = { ...host, ...root };
    const own = Object.entries(provider).filter(([name, value]) => value !== others[name]);
    expect(own.map(([name]) => name)).toEqual(["Decision"]);
  });
});
