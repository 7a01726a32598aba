import { optionalPackage } from "@toolstile/core/files";
import { describe, expect, it } from "vitest";

describe("optionalPackage", () => {
  it("loads a package from where the module is that needs it", () => {
    const { version } = optionalPackage<{ version: string }>(
      "vitest/package.json",
      import.meta.url,
      "It",
    );
    expect(version).toMatch(/^\d+\./);
  });

  it("names the package, who needs it, and the command that installs it", () => {
    const load = () => optionalPackage("no-such-package", import.meta.url, "A store");
    expect(load).toThrow(
      "A store needs the package 'no-such-package', which cannot be loaded. Install it beside this one: npm install no-such-package",
    );
    expect(load).toThrow(expect.objectContaining({ code: "ERR_CONFIG" }));
  });
});
