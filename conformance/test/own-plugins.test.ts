import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPlugin } from "@toolstile/config";
import { describe, expect, it } from "vitest";

const packages = fileURLToPath(new URL("../../packages", import.meta.url));

/** Those that export a plugin. */
const withPlugin = readdirSync(packages).filter((name) => {
  const path = join(packages, name, "src/index.ts");
  const index = existsSync(path) ? readFileSync(path, "utf8") : "";
  return /^export \{[^}]*\bplugin\b[^}]*\}/m.test(index);
});

describe("the packages that a guard.yaml can name", () => {
  it("are found", () => {
    expect(withPlugin).toContain("allowlist");
    expect(withPlugin.length).toBeGreaterThan(3);
  });

  it.each(withPlugin)("P5 are meant by their bare names: %s", async (name) => {
    const loading = loadPlugin({ use: name }, { base: import.meta.url });
    await expect(loading).rejects.toThrow(`Did you mean '@toolstile/${name}'?`);
  });
});
