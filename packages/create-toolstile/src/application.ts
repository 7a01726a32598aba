import { createRequire } from "node:module";
import { join } from "node:path";
import type { Creator } from "./creator.js";
import { frameworks } from "./frameworks.js";
import { type Files, readTemplate, templateFolder, withVersion } from "./template.js";

const placeholder = "toolstile-app";

const help = `Usage: npm create toolstile [FOLDER] [-- OPTION…]

Makes an agent with guarded tools, a guard.yaml and a test. It runs offline: its model follows a
script. In a terminal, it asks what is not given. A folder that is not empty is refused.

Example:
  npm create toolstile my-agent -- --framework langchain

Options:
  --name NAME        the name of the package; by default the folder's
  --framework NAME   ${frameworks.map(({ name }) => name).join(", ")}
  --yes              ask nothing: what is not given has its default
  --json             print { name, folder, files, next } as JSON, and ask nothing
  --help             this text

Exit codes: 0, it was made; 1, it could not be written; 2, the command line is wrong.
`;

/** `npm create toolstile`: an application. */
export const application: Creator = {
  program: "create-toolstile",
  help,
  defaultName: placeholder,
  question: {
    option: "framework",
    text: "What runs the agent?",
    answers: frameworks,
  },
  filesFor: (name, framework = "none") => filesOf(name, framework),
  next: ["npm install", "npm start", "npm test"],
};

/** The files that all have, and over them those of the framework. */
function filesOf(name: string, framework: string): Files {
  const folder = templateFolder(import.meta.url, "application");
  const common = readTemplate(join(folder, "common"));
  const own = readTemplate(join(folder, framework));
  const { version } = createRequire(import.meta.url)("../package.json") as { version: string };
  const manifest = withVersion(
    merged(common.get("package.json") as string, own.get("package.json") as string),
    version,
  );
  return new Map(
    [...new Map([...common, ...own, ["package.json", manifest]])].map(([path, text]) => [
      path,
      text.replaceAll(placeholder, name),
    ]),
  );
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** A manifest with the dependencies of another. What is needed to run is no longer only for development. */
function merged(common: string, own: string): string {
  const base = JSON.parse(common) as Manifest;
  const more = JSON.parse(own) as Manifest;
  const dependencies = Object.fromEntries(
    Object.entries({ ...base.dependencies, ...more.dependencies }).sort(([one], [other]) =>
      one < other ? -1 : 1,
    ),
  );
  const devDependencies = Object.fromEntries(
    Object.entries(base.devDependencies ?? {}).filter(([name]) => !(name in dependencies)),
  );
  return `${JSON.stringify({ ...base, dependencies, devDependencies }, undefined, 2)}\n`;
}
