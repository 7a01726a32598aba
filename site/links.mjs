import { resolveLink } from "./pages.mjs";

/**
 * Has a Markdown renderer lead each link of a page, which is a path of the repository, to its place on the
 * site. A link that leads to nothing stays as it is: the check of the built site finds it.
 *
 * @param {import("vitepress").MarkdownRenderer} markdown
 * @param {readonly import("./pages.mjs").Page[]} pages
 */
export function linksOfTheRepository(markdown, pages) {
  const sources = new Map(pages.map(({ path, source }) => [path, source]));
  markdown.core.ruler.push("links-of-the-repository", ({ tokens, env }) => {
    const source = sources.get(env.relativePath);
    if (source === undefined) return;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const link = token.type === "link_open" ? token.attrGet("href") : null;
      if (link === null) continue;
      const target = resolveLink(source, link);
      if (target === undefined) continue;
      token.attrSet("href", target.href);
      // A page of its own making: the site's router would look for it among the pages that it knows.
      if (!target.isPage) token.attrSet("target", "_self");
    }
  });
}

/**
 * The anchor of a heading, as code hosts make it: a link to it leads to the same place there and here.
 *
 * @param {string} heading
 */
export function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}
