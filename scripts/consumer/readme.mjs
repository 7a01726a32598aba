/**
 * @typedef {object} FirstSteps What the README of a package has a reader do first.
 * @property {ReadonlyMap<string, string>} installs The packages of its install lines, with the version that a line asks for, or "*".
 * @property {string | undefined} code The first example that stands on its own.
 * @property {readonly string[]} commands The lines of the first shell block that installs nothing, where it comes before any code.
 * @property {readonly string[]} uses The packages that this example names, and the files before it.
 * @property {readonly string[]} promises What the example says that it prints.
 */

/**
 * Read what stands before the end of the first example.
 *
 * @param {string} readme
 * @returns {FirstSteps}
 */
export function readFirstSteps(readme) {
  /** @type {Map<string, string>} */
  const installs = new Map();
  for (const block of readme.matchAll(/^```(\w*)\n(.*?)^```$/gms)) {
    const [whole, language = "", text = ""] = block;
    if (language === "sh") {
      const lines = text.trim().split("\n");
      const others = lines.filter((line) => !/^npm install(?: |$)/.test(line));
      for (const line of lines.filter((each) => !others.includes(each))) {
        for (const [name, range] of packagesOf(line)) installs.set(name, range);
      }
      if (others.length > 0) {
        return { installs, code: undefined, commands: others, uses: [], promises: [] };
      }
    }
    if ((language === "js" || language === "ts") && text.startsWith("import ")) {
      return {
        installs,
        code: text,
        commands: [],
        uses: namedIn(readme.slice(0, block.index + whole.length)),
        promises: promisesOf(text, readme.slice(block.index + whole.length)),
      };
    }
  }
  return { installs, code: undefined, commands: [], uses: [], promises: [] };
}

/**
 * @param {string} line `npm install --save-dev name@^1.2.3 …`
 * @returns {[name: string, range: string][]}
 */
function packagesOf(line) {
  const words = line.split(" ").slice(2);
  return words
    .filter((word) => !word.startsWith("-"))
    .map((word) => {
      const [, name = word, range = "*"] = /^(.[^@]*)@(.+)$/.exec(word) ?? [];
      return [name, range];
    });
}

/**
 * What is behind a console.log() or on the lines below it, and what is shown below the command that runs the example.
 *
 * @param {string} code
 * @param {string} after
 * @returns {string[]}
 */
function promisesOf(code, after) {
  const behind = [...code.matchAll(/console\.log\(.*\); \/\/ (.+)$/gm)];
  const below = [...code.matchAll(/(?:console\.log\(.*\);|^\})\n((?:\/\/ .+\n)+)/gm)];
  const [, shown = ""] = /^\n*```sh\nnode .*\n```\n\n```text\n(.*?)^```$/ms.exec(after) ?? [];
  return [
    ...behind.map(([, promise = ""]) => promise.replace(/^"|"$/g, "")),
    ...below.flatMap(([, lines = ""]) =>
      lines
        .replaceAll(/^\/\/ /gm, "")
        .trim()
        .split("\n"),
    ),
    ...shown.split("\n").filter((line) => line !== ""),
  ];
}

/**
 * Whether a text was printed. How long lines are broken does not count.
 *
 * @param {string} printed
 * @param {string} promise
 */
export function wasPrinted(printed, promise) {
  return printed.replaceAll(/\s+/g, " ").includes(promise.replaceAll(/\s+/g, " "));
}

/**
 * The packages that code imports, and that a guard.yaml uses.
 *
 * @param {string} code
 * @returns {string[]}
 */
function namedIn(code) {
  const specifiers = [
    ...code.matchAll(/^(?:import|\} from) .*?"([^".][^"]*)"/gm),
    ...code.matchAll(/\buse: "([^".][^"]*)"/g),
  ].map(([, specifier = ""]) => specifier);
  const names = specifiers
    .filter((specifier) => !specifier.startsWith("node:"))
    .map((specifier) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/"));
  return [...new Set(names)].sort();
}
