/** @typedef {import("./changesets.mjs").Changeset} Changeset */

const mark = "<!-- The next version goes here. -->\n";

/**
 * The changelog with one more version, on top.
 *
 * @param {string} changelog
 * @param {string} version
 * @param {string} date As 2026-01-31.
 * @param {readonly Changeset[]} changesets
 * @throws {Error} Where the place for it is missing, or the version is there already.
 */
export function changelogWith(changelog, version, date, changesets) {
  if (!changelog.includes(mark)) throw new Error(`CHANGELOG.md has no line ${mark.trim()}`);
  const heading = `## ${version}, ${date}`;
  if (changelog.includes(`## ${version}, `)) throw new Error(`CHANGELOG.md has ${version} already`);
  const entries = changesets.map(({ packages, text }) => {
    const names = packages.map((name) => `\`${name}\``).join(", ");
    return text.startsWith("- ") || text.includes("\n- ")
      ? text
      : `- ${names}: ${text.replaceAll("\n", "\n  ")}`;
  });
  const section = `\n${heading}\n\n${entries.join("\n")}\n`;
  return changelog.replace(mark, () => `${mark}${section}`);
}
