import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { readFirstSteps, wasPrinted } from "../../scripts/consumer/readme.mjs";
import { tryReadme } from "../../scripts/consumer/readmes.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { unscoped } = JSON.parse(readFileSync(join(root, "architecture.json"), "utf8"));
/** Those that are no program. */
const libraries = readdirSync(join(root, "packages")).filter((name) => !unscoped.includes(name));

function readmeOf(name: string): string {
  return readFileSync(join(root, "packages", name, "README.md"), "utf8");
}

/** The first steps of a reader of a package's README. */
const firstSteps = (name: string) => readFirstSteps(readmeOf(name));

/**
 * Runs each file in its folder, and prints its name behind what it printed, all in one process, which loads once what
 * they share. One is over when nothing is left to do of it; where it fails, so does this, and runs no other.
 */
const runAll = `
const examples = JSON.parse(process.argv[1]);
let running;
process.on("beforeExit", async () => {
  if (process.exitCode) process.exit();
  if (running !== undefined) process.stdout.write("\\0" + running.name + "\\0");
  running = examples.shift();
  if (running === undefined) process.exit();
  process.chdir(running.folder);
  await import(running.file);
});
`;

/** The output of each example that did not fail, by the name of its package. */
function printedBy(names: readonly string[]): ReadonlyMap<string, string> {
  // Within conformance, where every package is a dependency; what the examples write goes elsewhere.
  const cache = join(root, "conformance", "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const programs = mkdtempSync(join(cache, "readmes-"));
  const folders = mkdtempSync(join(tmpdir(), "toolstile-readmes-"));
  try {
    const examples = names.map((name) => {
      const [file, folder] = [join(programs, `${name}.mjs`), join(folders, name)];
      writeFileSync(file, firstSteps(name).code ?? "");
      mkdirSync(folder);
      return { name, file: pathToFileURL(file).href, folder };
    });
    const { stdout } = spawnSync(process.execPath, ["-e", runAll, JSON.stringify(examples)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    return new Map(
      Array.from(stdout.matchAll(/([^\0]*)\0([^\0]*)\0/g), ([, text = "", name = ""]) => [
        name,
        text,
      ]),
    );
  } finally {
    for (const each of [programs, folders]) rmSync(each, { recursive: true });
  }
}

describe("the example in the README of", () => {
  let printed: ReadonlyMap<string, string>;
  beforeAll(() => {
    printed = printedBy(libraries);
  });

  it.each(libraries)("%s runs as it stands", (name) => {
    const { code, promises } = firstSteps(name);
    expect(code).toBeDefined();
    expect([...printed.keys()]).toContain(name);
    const own = printed.get(name) ?? "";
    expect(promises.filter((promise) => !wasPrinted(own, promise))).toEqual([]);
  });
});

describe("the install line in the README of", () => {
  it.each(libraries)("%s has every package that its first example names", (name) => {
    const { installs, uses } = firstSteps(name);
    expect(uses).not.toEqual([]);
    expect(uses.filter((each) => !installs.has(each))).toEqual([]);
  });
});

describe("what a README has its reader do first", () => {
  const readme = (line: string) => `# gate

\`\`\`sh
${line}
\`\`\`

\`\`\`yaml
guards: [{ use: "@shop/till" }]
\`\`\`

\`\`\`js
import { gate } from "gate/entry";
import {
  z,
} from "zod";
import { readFileSync } from "node:fs";

console.log(gate(z)); // open
console.log({ gate });
// { gate: "shut" }
\`\`\`
`;

  it("is read with versions and options of npm, and as far as the end of the first example", () => {
    const steps = readFirstSteps(readme("npm install --save-dev gate zod@^4.1.0 @shop/till@2"));
    expect([...steps.installs]).toEqual([
      ["gate", "*"],
      ["zod", "^4.1.0"],
      ["@shop/till", "2"],
    ]);
    expect(steps.uses).toEqual(["@shop/till", "gate", "zod"]);
    expect(steps.promises).toEqual(["open", '{ gate: "shut" }']);
  });

  it.each(["gate", "zod", "@shop/till"])(
    "is found to lack %s where the install line does",
    async (name) => {
      const others = ["gate", "zod", "@shop/till"].filter((each) => each !== name);
      const place = join(tmpdir(), "toolstile-never-made");
      const found = await tryReadme(place, readme(`npm install ${others.join(" ")}`), []);
      expect(found).toEqual([
        `its first example uses ${name}, which its install line does not name`,
      ]);
    },
  );
});

describe("shell lines in the READMEs and the pages", () => {
  // In zsh, the shell of macOS, a # on a line that is typed begins no comment: npm then looks for a package "#".
  it("that install something have no comment behind them", () => {
    const markdownIn = (folder: string, recursive: boolean) =>
      readdirSync(join(root, folder), { recursive, encoding: "utf8" })
        .filter((each) => each.endsWith(".md"))
        .map((each) => join(folder, each));
    const pages = [
      ...markdownIn("", false),
      ...markdownIn("docs", true),
      ...markdownIn("templates", true),
      ...readdirSync(join(root, "packages")).map((each) => join("packages", each, "README.md")),
    ];
    const lines = pages.flatMap((page) =>
      readFileSync(join(root, page), "utf8")
        .split("\n")
        .filter((line) => /^(?:npm|npx|toolstile) [^`]* # /.test(line))
        .map((line) => `${page}: ${line}`),
    );
    expect(lines).toEqual([]);
  });
});

describe("every entry of a package", () => {
  it.each(libraries)("of %s is named in its README", (name) => {
    const manifest = readFileSync(join(root, "packages", name, "package.json"), "utf8");
    const entries = Object.keys(JSON.parse(manifest).exports)
      .filter((entry) => entry !== "." && !entry.endsWith(".json"))
      .map((entry) => `@toolstile/${name}${entry.slice(1)}`);
    const readme = readmeOf(name);
    expect(entries.filter((entry) => !readme.includes(entry))).toEqual([]);
  });
});
