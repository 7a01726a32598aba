import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's top folder. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** Where the pages stand, under the names that they have on the site, while it is built. */
const staging = fileURLToPath(new URL(".pages", import.meta.url));

/** Where the pages of the reference go, which are made from the sources. */
export const referenceFolder = join(staging, "reference");

/**
 * @typedef {object} Page
 * @property {string} source The file with its text, from the repository's top.
 * @property {string} path Its name on the site, with `.md`.
 * @property {string} title Its first heading, without marks.
 */

/** Pages that stand outside `docs` and `packages`. */
const others = new Map([
  ["CONTRIBUTING.md", "contributing.md"],
  ["SECURITY.md", "security.md"],
]);

/** Files of `docs` that are no page: a form to copy, and what `npm run docs` writes. */
const withoutPage = [/^docs\/decisions\/template\.md$/, /^docs\/reference\//];

/**
 * Lists the pages that the repository holds as Markdown.
 *
 * @returns {Page[]}
 */
export function findPages() {
  const documents = filesBelow("docs").filter((path) => path.endsWith(".md"));
  const readmes = readdirSync(join(root, "packages"))
    .map((name) => `packages/${name}/README.md`)
    .filter((path) => existsSync(join(root, path)));
  return [...documents, ...readmes, ...others.keys()]
    .filter((source) => !withoutPage.some((pattern) => pattern.test(source)))
    .map((source) => ({ source, path: pathOf(source), title: titleOf(source) }));
}

/**
 * Lists the pages of the reference, once they are made.
 *
 * @returns {Omit<Page, "source">[]}
 */
export function findReference() {
  if (!existsSync(referenceFolder)) return [];
  return readdirSync(referenceFolder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => {
      const heading = /^# (.+)$/m.exec(readFileSync(join(referenceFolder, path), "utf8"))?.[1];
      const title = (heading ?? path).replace(/\\/g, "").replace(/^Reference of /, "");
      return { path: `reference/${path.replaceAll("\\", "/")}`, title };
    })
    .sort((one, other) => (one.title < other.title ? -1 : 1));
}

/**
 * The name on the site of a Markdown file of the repository.
 *
 * @param {string} source
 */
function pathOf(source) {
  const other = others.get(source);
  if (other !== undefined) return other;
  const readme = /^packages\/([^/]+)\/README\.md$/.exec(source);
  return readme ? `packages/${readme[1]}.md` : source.replace(/^docs\//, "");
}

/** @param {string} source */
function titleOf(source) {
  const text = readFileSync(join(root, source), "utf8");
  const heading = /^# (.+)$/m.exec(text)?.[1];
  if (heading === undefined) throw new Error(`${source} must have a first heading, '# …'.`);
  return heading.replaceAll("`", "");
}

/**
 * Copies the pages, and the pictures beside them, to where the site is built from.
 *
 * @param {readonly Page[]} pages
 */
export function stage(pages) {
  rmSync(staging, { recursive: true, force: true });
  for (const { source, path } of pages) {
    const place = join(staging, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, readFileSync(join(root, source), "utf8"));
  }
  for (const path of filesBelow("docs").filter((each) => /\.(?:svg|png)$/.test(each))) {
    cpSync(join(root, path), join(staging, path.replace(/^docs\//, "")), { recursive: true });
  }
}

/**
 * Where a link of a page leads on the site, or `undefined` if it leads to nothing in the repository. A link
 * to a file that is no page leads to a page that shows the file.
 *
 * @param {string} source The file that has the link, from the repository's top.
 * @param {string} link
 * @returns {{ href: string, isPage: boolean } | undefined}
 */
export function resolveLink(source, link) {
  if (/^(?:[a-z][a-z+.-]*:|#|\/)/i.test(link)) return { href: link, isPage: true };
  const [file = "", hash] = link.split("#", 2);
  const anchor = hash === undefined ? "" : `#${hash}`;
  const path = posix.join(posix.dirname(source), decodeURIComponent(file)).replace(/\/$/, "");
  if (path === "README.md") return { href: `/${anchor}`, isPage: true };
  const page = [path, `${path}/README.md`].find((each) => each.endsWith(".md") && isPage(each));
  if (page !== undefined) return { href: `/${pathOf(page)}${anchor}`, isPage: true };
  if (path.startsWith("..") || !existsSync(join(root, path))) return undefined;
  return { href: `/source/${path}.html${anchor}`, isPage: false };
}

/** @param {string} source */
function isPage(source) {
  const named =
    others.has(source) ||
    source.startsWith("docs/") ||
    /^packages\/[^/]+\/README\.md$/.test(source);
  return named && existsSync(join(root, source)) && !withoutPage.some((each) => each.test(source));
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(path) : [path];
    })
    .sort();
}
