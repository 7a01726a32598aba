// The page of promises, written from conformance/promises.json and the names of the tests.
//   node scripts/promises.mjs --write
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const page = join(root, "docs", "promises.md");

/** @typedef {{ id: string, promise: string, partly?: string, missing?: string }} Promised */

/** @returns {Promised[]} */
export function readPromises() {
  return JSON.parse(readFileSync(join(root, "conformance", "promises.json"), "utf8"));
}

/** The files of tests that say a promise's id at the start of a name. @returns {Map<string, Set<string>>} */
export function citations() {
  const cited = new Map();
  for (const path of testFiles()) {
    for (const [, id] of readFileSync(path, "utf8").matchAll(/["'`](P\d+) /g)) {
      if (!cited.has(id)) cited.set(id, new Set());
      cited.get(id).add(relative(root, path));
    }
  }
  return cited;
}

function testFiles() {
  const folders = [
    join(root, "conformance", "test"),
    ...readdirSync(join(root, "packages")).map((name) => join(root, "packages", name, "test")),
  ];
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

export function written() {
  const cited = citations();
  const sections = readPromises().map(({ id, promise, partly, missing }) => {
    const files = [...(cited.get(id) ?? [])].map((path) => `- [${path}](../${path})`);
    const state = missing ?? partly;
    return [`## ${id}`, promise, ...(state ? [`*${state}*`] : []), files.join("\n")]
      .filter((part) => part !== "")
      .join("\n\n");
  });
  return `# Promises

Each promise has an id. A test that holds it says the id at the start of its name, so that
\`npm test -- -t "P6 "\` runs the tests of one promise. This page is written by
\`node scripts/promises.mjs --write\`, and a test holds it to what the tests say.

${sections.join("\n\n")}
`;
}

if (process.argv.includes("--write")) writeFileSync(page, written());
