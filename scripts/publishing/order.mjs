/**
 * Packages from the lowest floor to the highest, so that none is published before what it needs.
 *
 * @template {{ source: string }} Packed
 * @param {readonly Packed[]} packed
 * @param {readonly { packages: readonly string[] }[]} floors
 * @returns {Packed[]}
 * @throws {Error} For a package that is on no floor.
 */
export function inOrder(packed, floors) {
  const order = floors.flatMap(({ packages }) => packages);
  /** @param {Packed} each */
  const place = ({ source }) => {
    const index = order.indexOf(String(source.split(/[\\/]/).at(-1)));
    if (index === -1) throw new Error(`${source} is on no floor of architecture.json`);
    return index;
  };
  return packed
    .map((each) => ({ each, at: place(each) }))
    .sort((one, other) => one.at - other.at)
    .map(({ each }) => each);
}

/**
 * The address of the repository that a workflow of GitHub runs for.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
export function addressOf({ GITHUB_SERVER_URL, GITHUB_REPOSITORY }) {
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY) return undefined;
  return `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`;
}

/**
 * A manifest that says where its sources are, which npm compares with the proof of provenance.
 *
 * @param {string} manifest
 * @param {string} url
 * @param {string} directory
 */
export function withRepository(manifest, url, directory) {
  const repository = { type: "git", url, directory };
  return `${JSON.stringify({ ...JSON.parse(manifest), repository }, undefined, 2)}\n`;
}
