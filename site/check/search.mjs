import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import MiniSearch from "minisearch";
import { searchOptions } from "../search-options.mjs";

/** So many pages a reader looks at before trying other words. */
const looked = 3;

/**
 * @typedef {object} Answer
 * @property {string} question
 * @property {readonly string[]} pages The pages that answer it.
 * @property {readonly string[]} found The first pages that the search finds.
 * @property {number} place The place, from 1, of the first page that answers it; 0 if none is there.
 */

/**
 * Asks the search of the built site what readers ask, as its pages ask it.
 *
 * @param {string} built The folder with the built site.
 * @returns {Promise<Answer[]>}
 */
export async function askQuestions(built) {
  const search = MiniSearch.loadJSON(await readIndex(join(built, "assets", "chunks")), {
    fields: ["title", "titles", "text"],
    storeFields: ["title", "titles"],
    searchOptions,
  });
  /** @type {Record<string, readonly string[]>} */
  const questions = JSON.parse(readFileSync(new URL("../questions.json", import.meta.url), "utf8"));
  return Object.entries(questions).map(([question, pages]) => {
    const all = [...new Set(search.search(question).map(({ id }) => pageOf(String(id))))];
    const found = all.slice(0, looked);
    return { question, pages, found, place: found.findIndex((each) => pages.includes(each)) + 1 };
  });
}

/**
 * The index as VitePress writes it: a module whose default export is JSON.
 *
 * @param {string} folder
 * @returns {Promise<string>}
 */
async function readIndex(folder) {
  const file = readdirSync(folder).find((name) => name.startsWith("@localSearchIndex"));
  if (file === undefined) throw new Error(`${folder} has no index for the search.`);
  return (await import(pathToFileURL(join(folder, file)).href)).default;
}

/** @param {string} id A section: `/guard-file.html#keys`. */
function pageOf(id) {
  return id
    .replace(/^\//, "")
    .replace(/#.*$/, "")
    .replace(/\.html$/, "");
}
