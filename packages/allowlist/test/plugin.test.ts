import { call } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { type AllowlistRules, plugin } from "../src/index.js";

describe("plugin", () => {
  it("makes an allowlist of rules and options in one object", () => {
    const provider = plugin.create({
      allow: ["search"],
      agents: { support: { deny: ["search"] } },
      name: "tools",
      unknownTools: "ignore",
    });
    expect(provider).toMatchObject({ name: "tools", tools: undefined });
    if (!("evaluate" in provider)) throw new Error("not a provider");
    expect(provider.evaluate(call({}, "search", { agentName: "sales" }))).toMatchObject({
      decision: "allow",
    });
    expect(provider.evaluate(call({}, "search", { agentName: "support" }))).toMatchObject({
      decision: "deny",
    });
  });

  it("knows the same options as its schema", () => {
    const known = Object.keys(plugin.optionsSchema.properties as object);
    const message = `It takes: ${known.join(", ")}.`;
    expect(() => plugin.create({ alow: [] } as AllowlistRules)).toThrow(message);
  });
});
