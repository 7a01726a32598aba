import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { readPage } from "./html.mjs";

/** @typedef {import("./html.mjs").BuiltPage} BuiltPage */

/**
 * Reads every page of the built site.
 *
 * @param {string} built
 * @returns {BuiltPage[]}
 */
export function readPages(built) {
  return readdirSync(built, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".html"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) =>
      readPage(relative(built, file).replaceAll("\\", "/"), readFileSync(file, "utf8")),
    )
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

/**
 * Links and pictures lead to a file of the site, and anchors to a place in it. What leads outside of the
 * site is not asked for: the check needs no network.
 *
 * @param {string} built
 * @param {readonly BuiltPage[]} pages
 * @returns {string[]}
 */
export function deadLinks(built, pages) {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return pages.flatMap((page) =>
    [...new Set(page.links)].flatMap((link) => {
      if (/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(link)) return [];
      const [whole = "", hash = ""] = link.split("#", 2);
      const file = target(page.path, decodeURIComponent(whole.replace(/\?.*$/, "")));
      const place = join(built, file);
      if (!existsSync(place) || !statSync(place).isFile()) {
        return [`${page.path}: the link to '${link}' leads to nothing`];
      }
      const ids = byPath.get(file)?.ids;
      const isThere = hash === "" || ids === undefined || ids.has(decodeURIComponent(hash));
      return isThere ? [] : [`${page.path}: the link to '${link}' leads to no place on its page`];
    }),
  );
}

/**
 * @param {string} from
 * @param {string} link
 */
function target(from, link) {
  if (link === "") return from;
  const path = link.startsWith("/") ? link.slice(1) : posix.join(posix.dirname(from), link);
  if (path === "" || path === "." || path.endsWith("/")) return posix.join(path, "index.html");
  return path;
}

/**
 * Each page has a title and one first heading, and no other page has them.
 *
 * @param {readonly BuiltPage[]} pages
 * @returns {string[]}
 */
export function untitled(pages) {
  /** @type {Map<string, string>} */
  const owners = new Map();
  return pages.flatMap(({ path, title = "", headings }) => {
    if (path === "404.html") return [];
    const owner = owners.get(title);
    owners.set(title, path);
    return [
      ...(title === "" || /undefined|^\s*\|/.test(title) ? [`${path} has no title`] : []),
      ...(owner === undefined ? [] : [`${path} has the title of ${owner}: '${title}'`]),
      ...(headings.length === 1 ? [] : [`${path} has ${headings.length} first headings`]),
    ];
  });
}

/** What a reader would see of Markdown that was not rendered. */
const rawMarkdown = /\]\([^)\s]+\)|\*\*\S|```|(?:^|\s)#{2,6} \S|\{#[\w-]+\}/;

/**
 * @param {readonly BuiltPage[]} pages
 * @returns {string[]}
 */
export function rawText(pages) {
  return pages
    .filter(({ path }) => !path.startsWith("source/"))
    .flatMap(({ path, prose }) => {
      const found = rawMarkdown.exec(prose);
      if (found === null) return [];
      const around = prose.slice(Math.max(0, found.index - 40), found.index + 40);
      return [`${path} shows Markdown: …${around}…`];
    });
}

/**
 * @param {readonly BuiltPage[]} pages
 * @returns {string[]}
 */
export function picturesWithoutText(pages) {
  return pages.flatMap(({ path, imagesWithoutText }) =>
    imagesWithoutText.map((tag) => `${path}: a picture has no text in its place: ${tag}`),
  );
}
