import { describe, expect, it } from "vitest";
import { allow, deny, modify, rewrite, ToolstileError } from "../src/index.js";
import * as provider from "../src/provider/index.js";

describe("@toolstile/core/provider", () => {
  it.each(Object.entries({ allow, deny, modify, rewrite, ToolstileError }))(
    "has the same %s as the root",
    (name, value) => {
      expect(new Map<string, unknown>(Object.entries(provider)).get(name)).toBe(value);
    },
  );
});
