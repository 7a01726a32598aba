import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { misnamed, sidebar } from "../../site/contents.mjs";
import { anchorOf } from "../../site/links.mjs";
import { findPages, resolveLink } from "../../site/pages.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pages = findPages();

/** The links of a page, outside of code. */
function linksOf(source: string): string[] {
  const text = readFileSync(join(root, source), "utf8")
    .replace(/^( *)```.*?^\1```/gms, "")
    .replace(/`[^`\n]*`/g, "code");
  return [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, link = ""]) => link);
}

describe("the pages of the site", () => {
  it("are those that the table of contents names", () => {
    expect(misnamed(pages)).toEqual([]);
  });

  it("each have a title of their own", () => {
    const titles = pages.map(({ title }) => title);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  it("link to what is there", () => {
    const dead = pages.flatMap(({ source }) =>
      linksOf(source)
        .filter((link) => resolveLink(source, link) === undefined)
        .map((link) => `${source}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  it("are in the side bar once, under their titles", () => {
    const links = sidebar(pages).flatMap(({ items }) => items.map(({ link }) => link));
    expect(links.filter((link, index) => links.indexOf(link) !== index)).toEqual([]);
    expect(links.length).toBe(pages.length);
  });
});

describe("the questions that the search is asked", () => {
  const file = join(root, "site", "questions.json");
  const questions: Record<string, string[]> = JSON.parse(readFileSync(file, "utf8"));
  const names = new Set(pages.map(({ path }) => path.replace(/(?:index)?\.md$/, "")));

  it("are at least twenty, each of a page that is there", () => {
    expect(Object.keys(questions).length).toBeGreaterThanOrEqual(20);
    const wanted = Object.values(questions).flat();
    expect(wanted.filter((name) => !names.has(name))).toEqual([]);
  });
});

describe("a link of the repository", () => {
  it.each([
    ["docs/index.md", "start.md", "/start.md"],
    ["docs/index.md", "../packages/core/README.md#entries", "/packages/core.md#entries"],
    ["README.md", "packages/core", "/packages/core.md"],
    ["docs/start.md", "../README.md", "/"],
    ["packages/core/README.md", "src/run/steps.ts", "/source/packages/core/src/run/steps.ts.html"],
    ["docs/index.md", "https://example.com/", "https://example.com/"],
    ["docs/index.md", "#where-to-go", "#where-to-go"],
    ["docs/index.md", "no-such-page.md", undefined],
    ["docs/index.md", "../../elsewhere.md", undefined],
  ])("in %s to %s leads to %s", (source, link, href) => {
    expect(resolveLink(source, link)?.href).toBe(href);
  });
});

describe("the anchor of a heading", () => {
  it.each([
    ["Where is ...?", "where-is-"],
    ["`ERR_ABORTED`", "err_aborted"],
    ["Values: `equals`, `oneOf`", "values-equals-oneof"],
    ["Übergröße", "übergröße"],
  ])("of %s is %s, as on a code host", (heading, anchor) => {
    expect(anchorOf(heading)).toBe(anchor);
  });
});
