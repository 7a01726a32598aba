import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {object} Changeset A change that has not been released.
 * @property {string} id The name of its file.
 * @property {readonly string[]} packages
 * @property {string} text
 */

/**
 * @param {string} folder
 * @returns {Changeset[]}
 */
export function readChangesets(folder) {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".md") && file !== "README.md")
    .sort()
    .map((file) => {
      const content = readFileSync(join(folder, file), "utf8");
      const [, head = "", text = ""] = /^---\n(.*?)\n?---\n(.*)$/s.exec(content) ?? [];
      const packages = [...head.matchAll(/^["']?([^"':]+)["']?: *(?:major|minor|patch)$/gm)];
      return {
        id: file.replace(/\.md$/, ""),
        packages: packages.map(([, name = ""]) => name),
        text: text.trim(),
      };
    });
}
