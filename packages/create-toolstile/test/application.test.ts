import { describe, expect, it } from "vitest";
import { application } from "../src/application.js";
import { frameworks } from "../src/frameworks.js";

describe("an application", () => {
  it.each(frameworks)("for $name has the name everywhere, and no placeholder", ({ name }) => {
    const files = application.filesFor("tea-shop", name);
    const text = [...files.values()].join("\n");
    expect(text).not.toContain("toolstile-app");
    expect(JSON.parse(files.get("package.json") ?? "").name).toBe("tea-shop");
    expect(files.get("README.md")).toMatch(/^# tea-shop\n/);
  });

  it.each(frameworks)("for $name has an agent, guards, a test, and git's list", ({ name }) => {
    const paths = [...application.filesFor("tea-shop", name).keys()];
    expect(paths).toEqual(
      expect.arrayContaining([".gitignore", "guard.yaml", "src/agent.ts", "test/agent.test.ts"]),
    );
    expect(paths).not.toContain("gitignore");
  });

  it("names a package once, among those that are needed to run where it is", () => {
    const { dependencies, devDependencies } = JSON.parse(
      application.filesFor("tea-shop", "mcp").get("package.json") ?? "",
    );
    expect(dependencies).toHaveProperty("toolstile");
    expect(devDependencies).not.toHaveProperty("toolstile");
  });
});
