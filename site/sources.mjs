import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { root } from "./pages.mjs";

/**
 * Writes a plain page for each file of the repository that a page of the built site links to and that is no
 * page itself: a test, an example, a schema.
 *
 * @param {string} built The folder with the built site.
 */
export function writeSources(built) {
  const waiting = new Set(htmlFiles(built).flatMap((file) => linked(readFileSync(file, "utf8"))));
  // A page of a folder adds its files while the set is walked.
  for (const path of waiting) {
    const place = join(built, "source", `${path}.html`);
    mkdirSync(dirname(place), { recursive: true });
    const whole = join(root, path);
    const isFolder = statSync(whole).isDirectory();
    const files = isFolder ? filesIn(whole) : [];
    for (const file of files) waiting.add(posix.join(path, file));
    writeFileSync(place, page(path, isFolder ? listing(path, files) : text(whole)));
  }
}

/** @param {string} html */
function linked(html) {
  return [...html.matchAll(/href="\/source\/([^"#]+)\.html(?:#[^"]*)?"/g)]
    .map(([, path = ""]) => decodeURIComponent(path))
    .filter((path) => existsSync(join(root, path)));
}

/** @param {string} folder */
function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

/**
 * @param {string} path
 * @param {readonly string[]} files
 */
function listing(path, files) {
  const name = posix.basename(path);
  return `<ul>${files.map((file) => `<li><a href="${name}/${file}.html">${escapeHtml(file)}</a></li>`).join("")}</ul>`;
}

/** @param {string} file */
function text(file) {
  return `<pre tabindex="0">${escapeHtml(readFileSync(file, "utf8"))}</pre>`;
}

/**
 * @param {string} path
 * @param {string} content
 */
function page(path, content) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(path)} | Toolstile</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 0 auto; padding: 1rem; }
  h1 { font-size: 1.2rem; overflow-wrap: anywhere; }
  pre { font: 13px/1.5 ui-monospace, monospace; overflow-x: auto; }
</style>
<p><a href="/">Toolstile</a></p>
<h1>${escapeHtml(path)}</h1>
${content}
</html>
`;
}

/** @param {string} built @returns {string[]} */
function htmlFiles(built) {
  return readdirSync(built, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".html"))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** @param {string} value */
function escapeHtml(value) {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
