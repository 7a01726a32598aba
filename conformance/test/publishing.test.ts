import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { changelogWith } from "../../scripts/publishing/changelog.mjs";
import { addressOf, inOrder, withRepository } from "../../scripts/publishing/order.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("publishing", () => {
  const floors = [{ packages: ["core"] }, { packages: ["allowlist", "rules"] }];

  it("publishes no package before one that it needs", () => {
    const packed = ["rules", "core", "allowlist"].map((name) => ({
      source: `/shop/packages/${name}`,
    }));
    expect(inOrder(packed, floors).map(({ source }) => source.slice(15))).toEqual([
      "core",
      "allowlist",
      "rules",
    ]);
    expect(() => inOrder([{ source: "/shop/packages/tea" }], floors)).toThrow("is on no floor");
  });

  it("says where the sources are as the workflow knows it, and only there", () => {
    const address = addressOf({
      GITHUB_SERVER_URL: "https://git.example",
      GITHUB_REPOSITORY: "a/b",
    });
    expect(address).toBe("git+https://git.example/a/b.git");
    expect(addressOf({})).toBeUndefined();
    expect(JSON.parse(withRepository('{"name":"tea"}', String(address), "packages/tea"))).toEqual({
      name: "tea",
      repository: { type: "git", url: address, directory: "packages/tea" },
    });
  });

  it("has a workflow that may prove where a package was built, and holds no token", () => {
    const workflow = readFileSync(join(root, ".github/workflows/release.yml"), "utf8");
    expect(workflow).toContain("id-token: write");
    expect(workflow).not.toMatch(/secrets\.|_TOKEN/);
    for (const [, used] of workflow.matchAll(/uses: (\S+)/g))
      expect(used).toMatch(/@[0-9a-f]{40}$/);
  });

  it("starts that workflow only from a tag, and runs all of CI before it publishes", () => {
    const workflow = readFileSync(join(root, ".github/workflows/release.yml"), "utf8");
    expect(workflow).toContain('push:\n    tags: ["v*"]');
    expect(workflow.indexOf(".ci/run")).toBeLessThan(workflow.indexOf("--publish"));
    expect(workflow.indexOf(".ci/run")).toBeGreaterThan(0);
  });
});

describe("the changelog", () => {
  const changes = [
    { id: "a", packages: ["@toolstile/core"], text: "Brews tea." },
    { id: "b", packages: ["@toolstile/core", "toolstile"], text: "- `toolstile`: one.\n- two." },
  ];
  const now = readFileSync(join(root, "CHANGELOG.md"), "utf8");

  it("has the next version on top, with each change and its packages", () => {
    const one = changelogWith(now, "1.0.0", "2026-01-31", changes);
    expect(one).toContain(
      "## 1.0.0, 2026-01-31\n\n- `@toolstile/core`: Brews tea.\n- `toolstile`: one.\n- two.\n",
    );
    const two = changelogWith(one, "1.1.0", "2026-02-28", changes);
    expect(two.indexOf("## 1.1.0")).toBeLessThan(two.indexOf("## 1.0.0"));
  });

  it("is not written where it has no place for a version, or has that version", () => {
    expect(() => changelogWith("# Changelog\n", "1.0.0", "2026-01-31", changes)).toThrow(
      "has no line",
    );
    const one = changelogWith(now, "1.0.0", "2026-01-31", changes);
    expect(() => changelogWith(one, "1.0.0", "2026-02-28", changes)).toThrow("has 1.0.0 already");
  });
});
