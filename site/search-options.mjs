/**
 * How the search weighs what it finds. The pages get these functions as text, so each must stand alone.
 *
 * @type {import("minisearch").SearchOptions}
 */
export const searchOptions = {
  fuzzy: (term) => (term.length > 4 ? 0.15 : false),
  prefix: (term) => term.length > 2,
  boost: { title: 5, titles: 3, text: 1 },
  // A guide answers a question, and a decision says why it is so. Who searches may never have been on the first page.
  boostDocument: (id) =>
    /^\/start\b/.test(id)
      ? 2.4
      : /^\/(?:recipes|concepts|operate|providers|troubleshooting|threat-model|comparison|write-a-provider|benchmarks)\b/.test(
            id,
          )
        ? 1.8
        : /^\/(?:decisions|reference)\b/.test(id)
          ? 0.4
          : 1,
  // A question has words that are on every page.
  processTerm: (term) => {
    const word = term.toLowerCase();
    const common =
      " a about an and are as at be by can do does for from has have how i if in into is it its me my of on or so that the their there this to was what when where which who why will with you your ";
    return common.includes(` ${word} `) ? null : word;
  },
};
