import { describe, expect, it } from "vitest";
import { provider } from "../src/provider.js";

describe("a provider's package", () => {
  const files = provider.filesFor("@shop/toolstile-provider-office-hours", undefined);

  it("has the new names in its paths and texts, and none of the template's", () => {
    const text = [...files].flat().join("\n");
    expect(text).not.toMatch(/text-?limit/i);
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([".gitignore", "src/office-hours.ts", "test/office-hours.test.ts"]),
    );
    expect(files.get("src/index.ts")).toContain('from "./office-hours.js"');
    expect(files.get("README.md")).toMatch(/^# @shop\/toolstile-provider-office-hours\n/);
  });

  it("wants core as a peer, by a range", () => {
    const { name, peerDependencies } = JSON.parse(files.get("package.json") ?? "");
    expect(name).toBe("@shop/toolstile-provider-office-hours");
    expect(peerDependencies).toEqual({ "@toolstile/core": expect.stringMatching(/^\^\d/) });
  });
});
