import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Places that hold only on the machine of whoever wrote them: the hosts of package registries and
 * folders of one machine. The patterns are written so that this file does not match itself.
 */
const places = [
  // What is called is a method of something named registry.
  {
    pattern: /\bregistry\.[a-z][\w.-]*\.[a-z]{2,}\b(?!\()/i,
    what: "the host of a package registry",
  },
  {
    pattern: /\b(?:npmmirror|pypi|pythonhosted|yarnpkg)\.[a-z]{2,}\b/i,
    what: "the host of a package registry",
  },
  { pattern: /(?<![\w.*-])\/(?:work|root)\/(?!\*)/, what: "a folder of one machine" },
];
const inLockFile = { pattern: /\w+:\/\/|\btarball:|\bgit@[a-z]/, what: "a place to fetch from" };

/**
 * No file that goes into a commit names a place of one machine, and the lock file names no host.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function noPlacesOfOneMachine(root) {
  return committedFiles(root).flatMap((path) => {
    const buffer = readFileSync(join(root, path));
    if (buffer.includes(0)) return [];
    const patterns = path === "pnpm-lock.yaml" ? [...places, inLockFile] : places;
    return buffer
      .toString("utf8")
      .split("\n")
      .flatMap((line, index) =>
        patterns
          .filter(({ pattern }) => pattern.test(line) && !/^\s*deprecated:/.test(line))
          .map(({ what }) => `${path}:${index + 1} names ${what}`),
      );
  });
}

/**
 * Lists the files that git would take: all but those that the top `.gitignore` names. The file is read,
 * and not git asked, which a machine with Node alone need not have.
 *
 * @param {string} root
 */
function committedFiles(root) {
  const ignored = readIgnored(join(root, ".gitignore"));
  return walk("");

  /**
   * @param {string} folder
   * @returns {string[]}
   */
  function walk(folder) {
    return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.name === ".git" || ignored.some((matches) => matches(path, entry.name))) return [];
      if (entry.isDirectory()) return walk(path);
      return entry.isFile() ? [path] : [];
    });
  }
}

/**
 * @param {string} file
 * @returns {((path: string, name: string) => boolean)[]}
 */
function readIgnored(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      if (/[!?[\]\\]|\*.*\*|.\*/.test(line))
        throw new Error(`.gitignore: '${line}' is more than this check reads`);
      if (line.startsWith("*")) return (_path, name) => name.endsWith(line.slice(1));
      const plain = line.replace(/^\/|\/$/g, "");
      return plain.includes("/") ? (path) => path === plain : (_path, name) => name === plain;
    });
}
