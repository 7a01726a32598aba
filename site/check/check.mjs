import { misnamed } from "../contents.mjs";
import { findPages } from "../pages.mjs";
import { deadLinks, picturesWithoutText, rawText, readPages, untitled } from "./pages.mjs";
import { askQuestions } from "./search.mjs";

/**
 * Walks the built site, and asks its search what readers ask. Prints what it looked at, and what is wrong.
 *
 * @param {string} built The folder with the built site.
 * @returns {Promise<boolean>} Whether nothing is wrong.
 */
export async function checkSite(built) {
  const pages = readPages(built);
  const answers = await askQuestions(built);
  const problems = [
    ...misnamed(findPages()),
    ...deadLinks(built, pages),
    ...untitled(pages),
    ...rawText(pages),
    ...picturesWithoutText(pages),
    ...answers
      .filter(({ place }) => place === 0)
      .map(
        ({ question, pages: wanted, found }) =>
          `the search for '${question}' finds ${found.join(", ") || "nothing"} first, and not ${wanted.join(" or ")}`,
      ),
  ];
  const links = pages.reduce((sum, { links }) => sum + links.length, 0);
  const first = answers.filter(({ place }) => place === 1).length;
  const found = answers.filter(({ place }) => place > 0).length;
  console.log(`${pages.length} pages, ${links} links and pictures`);
  console.log(
    `search: ${found} of ${answers.length} questions find their page among the first three, ${first} as the first`,
  );
  for (const { question, place, found: shown } of answers) {
    console.log(`  ${place === 0 ? "-" : place}  ${question}: ${shown.join(", ")}`);
  }
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? "The site holds." : `${problems.length} things are wrong.`);
  return problems.length === 0;
}
