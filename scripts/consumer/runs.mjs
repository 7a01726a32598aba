import { cpSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "../processes.mjs";
import { environmentInside, environmentOutside, runNode } from "./node.mjs";
import { readManifest } from "./project.mjs";

/** @typedef {import("./node.mjs").Run} Run */
/** @typedef {{ name: string, inside: Place, outside: Place }} Program A program of the workspace, and the same in the project. */
/** @typedef {{ cwd: string, arguments_: readonly string[] }} Place */

const deadline = 60_000;

/** The commands that need no file and no network, by the program that has them. */
const commands = new Map([["toolstile", [["--help"], ["demo"]]]]);

/**
 * The examples, each copied into the project with nothing that was installed for it.
 *
 * @param {string} project
 * @returns {Program[]}
 */
export function copyExamples(project) {
  return readdirSync(join(root, "examples")).map((name) => {
    const inside = join(root, "examples", name);
    const outside = join(project, "examples", name);
    cpSync(inside, outside, {
      recursive: true,
      filter: (path) => basename(path) !== "node_modules",
    });
    const start = readManifest(inside).scripts?.start ?? "";
    const [, file] = /^node (\S+)$/.exec(start) ?? [];
    if (file === undefined) throw new Error(`examples/${name} does not start with "node FILE"`);
    const arguments_ = [file];
    return {
      name: `examples/${name}`,
      inside: { cwd: inside, arguments_ },
      outside: { cwd: outside, arguments_ },
    };
  });
}

/**
 * The programs that packages bring, with each command that can be given as it is.
 *
 * @param {string} project
 * @param {readonly { name: string, source: string }[]} packed
 * @returns {Program[]}
 */
export function installedPrograms(project, packed) {
  return packed.flatMap(({ name, source }) => {
    const { bin = {} } = readManifest(source);
    const files = typeof bin === "string" ? { [name.replace(/^@.*\//, "")]: bin } : bin;
    return Object.entries(files).flatMap(([program, file]) =>
      (commands.get(program) ?? [["--help"]]).map((command) => ({
        name: [program, ...command].join(" "),
        inside: { cwd: project, arguments_: [join(source, file), ...command] },
        outside: {
          cwd: project,
          arguments_: [join("node_modules", ".bin", program), ...command],
        },
      })),
    );
  });
}

/**
 * Run a program in the workspace and in the project, and tell what is wrong with the latter.
 *
 * @param {Program} program
 */
export async function compareRuns({ name, inside, outside }) {
  const [wanted, found] = await Promise.all([
    runNode(inside.arguments_, { cwd: inside.cwd, env: environmentInside(), timeout: deadline }),
    runNode(outside.arguments_, { cwd: outside.cwd, env: environmentOutside(), timeout: deadline }),
  ]);
  return differences(wanted, found).map((problem) => `${name}: ${problem}`);
}

/**
 * @param {Run} wanted
 * @param {Run} found
 * @returns {string[]}
 */
export function differences(wanted, found) {
  if (found.ended !== "exit code 0") return [`${found.ended}\n${found.stderr}`];
  if (wanted.ended !== found.ended) return [`in the workspace: ${wanted.ended}\n${wanted.stderr}`];
  return /** @type {const} */ (["stdout", "stderr"]).flatMap((stream) => {
    const [wantedLines, lines] = [linesOf(wanted[stream]), linesOf(found[stream])];
    const index = lines.findIndex((line, at) => line !== wantedLines[at]);
    if (index === -1 && lines.length === wantedLines.length) return [];
    const at = index === -1 ? lines.length : index;
    const [here, there] = [lines[at] ?? "nothing more", wantedLines[at] ?? "nothing more"];
    return [`${stream}, line ${at + 1}:\n  ${here}\nin the workspace:\n  ${there}`];
  });
}

/**
 * Digests over times and ids, and the process's number in Node's warnings, differ from run to run.
 *
 * @param {string} text
 */
function linesOf(text) {
  const constant = text.replace(/\b[0-9a-f]{16,64}\b/g, "[digest]").replace(/^\(node:\d+\)/gm, "");
  return constant.split("\n");
}
