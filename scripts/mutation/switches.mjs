/** @typedef {import("./mutants.mjs").Mutant} Mutant */

/**
 * Puts mutants into the text of a file, each behind a switch: `mutantIsOn(id)`.
 *
 * @param {string} text
 * @param {readonly (Mutant & { id: number })[]} mutants
 */
export function withSwitches(text, mutants) {
  /** @type {{ at: number, rank: number, put: string }[]} */
  const puts = [];
  for (const [index, { id, start, end, form, replacement }] of mutants.entries()) {
    // An outer range begins first and ends last; of two alike, the one that comes first is outside.
    const length = end - start + (mutants.length - index) / (mutants.length + 1);
    const put = (
      /** @type {number} */ at,
      /** @type {number} */ rank,
      /** @type {string} */ what,
    ) => puts.push({ at, rank, put: what });
    if (form === "body") put(start + 1, 0, ` if (mutantIsOn(${id})) return; `);
    else if (form === "statement") {
      put(start, -length, `{ if (!mutantIsOn(${id})) `);
      put(end, length - text.length, " }");
    } else {
      put(start, -length, `(mutantIsOn(${id}) ? (${replacement}) : (`);
      put(end, length - text.length, "))");
    }
  }
  // What ends at a place comes before what begins there.
  puts.sort(
    (one, other) => one.at - other.at || order(one) - order(other) || one.rank - other.rank,
  );
  let made = "";
  let last = 0;
  for (const { at, put } of puts) {
    made += text.slice(last, at) + put;
    last = at;
  }
  return made + text.slice(last);
}

/** @param {{ put: string }} piece */
function order({ put }) {
  return put === "))" || put === " }" ? 0 : 1;
}

/**
 * The text of a file with one mutant in the place of the source, as somebody would write it.
 *
 * @param {string} text
 * @param {Mutant} mutant
 */
export function withMutant(text, { start, end, form, replacement }) {
  if (form === "body") return `${text.slice(0, start + 1)} return; ${text.slice(start + 1)}`;
  const put = form === "expression" ? `(${replacement})` : replacement || "{}";
  return text.slice(0, start) + put + text.slice(end);
}

/** The folder of the package that a mutant is of. @param {Pick<Mutant, "file">} mutant */
export function packageOf({ file }) {
  return file.slice(0, file.indexOf("/src/"));
}
