/**
 * What a check needs of one page of the built site. It reads only pages that this site wrote: well-formed,
 * with attributes in double quotes.
 *
 * @typedef {object} BuiltPage
 * @property {string} path From the top of the site, with `.html`.
 * @property {string | undefined} title
 * @property {readonly string[]} headings The first headings.
 * @property {readonly string[]} links Every `href` and `src`, as it is written.
 * @property {ReadonlySet<string>} ids
 * @property {readonly string[]} imagesWithoutText
 * @property {string} prose What a reader sees that is not code.
 */

/**
 * @param {string} path
 * @param {string} html
 * @returns {BuiltPage}
 */
export function readPage(path, html) {
  const body = html
    .replace(/<script\b[^>]*>.*?<\/script>/gs, "")
    .replace(/<style\b[^>]*>.*?<\/style>/gs, "");
  return {
    path,
    title: textOf(/<title>(.*?)<\/title>/s.exec(html)?.[1]),
    headings: [...body.matchAll(/<h1\b[^>]*>(.*?)<\/h1>/gs)].map(([, text]) => textOf(text) ?? ""),
    links: [...body.matchAll(/<(?:a|link|img|source)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map(
      ([, link = ""]) => unescapeHtml(link),
    ),
    ids: new Set([...body.matchAll(/\sid="([^"]*)"/g)].map(([, id = ""]) => unescapeHtml(id))),
    imagesWithoutText: [...body.matchAll(/<img\b[^>]*>/g)]
      .map(([tag]) => tag)
      .filter((tag) => !/\salt="[^"]+"/.test(tag)),
    prose: textOf(body.replace(/<(pre|code)\b.*?<\/\1>/gs, " ")) ?? "",
  };
}

/** @param {string | undefined} html */
function textOf(html) {
  const text = html === undefined ? undefined : unescapeHtml(html.replace(/<[^>]*>/g, " "));
  return text?.replace(/[\s\u200b]+/g, " ").trim();
}

/** @param {string} text */
function unescapeHtml(text) {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
