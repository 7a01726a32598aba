import { defineConfig } from "vitepress";
import { sidebar } from "../contents.mjs";
import { anchorOf, linksOfTheRepository } from "../links.mjs";
import { findPages, findReference } from "../pages.mjs";
import { searchOptions } from "../search-options.mjs";

const pages = findPages();

export default defineConfig({
  title: "Toolstile",
  description: "Guards between an AI agent and its tools.",
  lang: "en",
  srcDir: ".pages",
  outDir: "dist",
  cacheDir: "dist/.cache",
  // The check of the built site sees every link, also those to files that are no pages.
  ignoreDeadLinks: true,
  lastUpdated: false,
  markdown: {
    // Words in angle brackets are text in these pages, on a code host as here.
    html: false,
    anchor: { slugify: anchorOf },
    config: (markdown) => linksOfTheRepository(markdown, pages),
  },
  themeConfig: {
    nav: [
      { text: "Start", link: "/start" },
      { text: "Recipes", link: "/recipes/" },
      { text: "Concepts", link: "/concepts/" },
      { text: "Operate", link: "/operate/" },
    ].filter(({ link }) => pages.some(({ path }) => `/${path}`.startsWith(link))),
    sidebar: sidebar([...pages, ...findReference()]),
    outline: { level: [2, 3] },
    search: { provider: "local", options: { miniSearch: { searchOptions } } },
    docFooter: { prev: false, next: false },
  },
});
