import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compilerFaults } from "./compiled-examples.js";
import { type Recipe, readRecipe } from "./recipe.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pages = join(root, "docs", "recipes");
// From conformance, where every package is a dependency.
const folder = join(root, "conformance", ".recipes");
const recipes = readdirSync(pages)
  .filter((file) => file.endsWith(".md") && file !== "index.md")
  .map((file) => readRecipe(file.slice(0, -3), readFileSync(join(pages, file), "utf8")));

/** Node's own modules need no install line. */
const packageOf = (specifier: string) =>
  specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");

/** The peers of one of our packages. */
function peersOf(name: string): string[] {
  const file = join(root, "packages", name.replace("@toolstile/", ""), "package.json");
  if (!existsSync(file)) return [];
  return Object.keys(JSON.parse(readFileSync(file, "utf8")).peerDependencies ?? {});
}

/** The packages that a page's files and commands use. */
function usedBy({ files, commands }: Recipe): string[] {
  const code = [...files.entries()].filter(([name]) => /\.[mc]?[jt]s$/.test(name));
  const imports = code.flatMap(([, text]) =>
    [...text.matchAll(/(?:from|import|import\()\s*"([^".][^"]*)"/g)].map(([, name = ""]) => name),
  );
  const guards = [...files.values()].flatMap((text) =>
    [...text.matchAll(/^\s*-? ?(?:approver: )?\{? ?use: "(@[^"]+)"/gm)].map(
      ([, name = ""]) => name,
    ),
  );
  const typed = commands.flatMap(({ line, meanwhile }) => [line, ...meanwhile]);
  const programs = typed.some((line) => line.includes("npx toolstile")) ? ["toolstile"] : [];
  if (code.some(([, text]) => text.includes('"mcp-server-filesystem"')))
    programs.push("@modelcontextprotocol/server-filesystem");
  const all = [...imports, ...guards, ...programs].filter((name) => !name.startsWith("node:"));
  return [...new Set(all.map(packageOf))];
}

function run(
  line: string,
  cwd: string,
): Promise<{ printed: string; code: number; errors: string }> {
  const program = join(root, "packages", "toolstile", "dist", "cli.js");
  const command = line
    .replaceAll("npx toolstile", `"${process.execPath}" "${program}"`)
    .replace(/^node /, `"${process.execPath}" `);
  const env = { ...process.env, NO_COLOR: "1" };
  return new Promise((resolve) => {
    execFile("sh", ["-c", command], { cwd, env }, (error, printed, errors) => {
      resolve({ printed, errors, code: typeof error?.code === "number" ? error.code : 0 });
    });
  });
}

/** Types what a page says for the second terminal, once a call waits there. */
async function doMeanwhile(lines: readonly string[], cwd: string): Promise<void> {
  const list = lines.find((line) => line.includes("approvals list")) ?? "";
  for (let tries = 0; tries < 100; tries++) {
    const { printed } = await run(`${list} --json`, cwd);
    const id = /"id": *"([^"]+)"/.exec(printed)?.[1];
    if (id === undefined) continue;
    for (const line of lines) {
      const unattended = line.includes("approvals approve") ? `${line} --yes` : line;
      const { code, errors } = await run(unattended.replace(/\bID\b/, id), cwd);
      expect({ line, code, errors }).toMatchObject({ line, code: 0 });
    }
    return;
  }
  throw new Error("no call waits for a person");
}

const ports: Readonly<Record<string, number>> = { Redis: 6379, PostgreSQL: 5432 };

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("close", () => socket.destroy()).once("connect", () => socket.end());
  });
}

/** A time is another in each run. */
const withoutTimes = (text: string) =>
  text.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}/g, "(time)");

/** On a page, `…` stands for what is other in each run, and on a line of its own for lines that the page leaves out. */
function isPrinted(printed: string, page: string): boolean {
  const escaped = withoutTimes(page)
    .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll(/^…\n/gm, "(?:.*\\n)*?")
    // A figure in a table may have more digits, and fewer blanks before it.
    .replaceAll(/ *…/g, (blanks) => (blanks.length > 2 ? " +.*?" : blanks.replace("…", ".*?")));
  return new RegExp(`^${escaped}$`).test(withoutTimes(printed));
}

describe("the recipes", () => {
  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true });
    for (const { name, files } of recipes) {
      mkdirSync(join(folder, name), { recursive: true });
      for (const [file, text] of files) {
        mkdirSync(join(folder, name, file, ".."), { recursive: true });
        writeFileSync(join(folder, name, file), text);
      }
    }
    mkdirSync(join(folder, "node_modules"));
    // What conformance has no dependency on. With OpenTelemetry, pnpm would give it other copies of LangChain.
    symlinkSync(join(root, "packages/toolstile"), join(folder, "node_modules/toolstile"));
    const telemetry = "node_modules/@opentelemetry";
    const server = "node_modules/@modelcontextprotocol/server-filesystem";
    mkdirSync(join(folder, "node_modules/@modelcontextprotocol"));
    symlinkSync(join(root, "packages/toolstile", server), join(folder, server));
    mkdirSync(join(folder, "node_modules/.bin"));
    // Not a link: what was built after it was installed may not be run by itself.
    const program = join(folder, "node_modules/.bin/toolstile");
    const started = `exec "${process.execPath}" "${join(root, "packages/toolstile/dist/cli.js")}" "$@"`;
    writeFileSync(program, `#!/bin/sh\n${started}\n`, { mode: 0o755 });
    const served = join(folder, "node_modules/.bin/mcp-server-filesystem");
    symlinkSync(join(folder, server, "dist/index.js"), served);
    symlinkSync(join(root, "packages/audit-log", telemetry), join(folder, telemetry));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("are at least thirty, and each has something that runs and says what it prints", () => {
    expect(recipes.length).toBeGreaterThanOrEqual(30);
    const silent = recipes.filter(
      ({ commands }) => !commands.some(({ prints }) => prints !== undefined),
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it("stand in their table of contents, each once and under its own title", () => {
    const index = readFileSync(join(pages, "index.md"), "utf8");
    const listed = [...index.matchAll(/^- \[(.+)\]\((.+)\.md\)/gm)].map(([, title, name]) => ({
      name,
      title,
    }));
    const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }) =>
      String(a.name).localeCompare(String(b.name));
    expect(listed.sort(byName)).toEqual(
      recipes.map(({ name, title }) => ({ name, title })).sort(byName),
    );
  });

  it.each(recipes)("install what they use, and beside that only its peers: $name", (recipe) => {
    const installed = recipe.installs.map((each) => each.replace(/(?<=.)@.*$/, ""));
    const needed = usedBy(recipe);
    const peers = ["@toolstile/core", ...installed.flatMap(peersOf)];
    expect(needed.filter((name) => !installed.includes(name))).toEqual([]);
    expect(installed.filter((name) => !needed.includes(name) && !peers.includes(name))).toEqual([]);
  });

  it.each(recipes)("type no command that only Linux has in this form: $name", ({ commands }) => {
    const typed = commands.flatMap(({ line, meanwhile }) => [line, ...meanwhile]);
    const ofLinux =
      /\b(?:sed (?:-\w*i|--)|head -n ?-|date -d|stat -c|grep -\w*P|base64 -w|xargs -r|cp --|mktemp --|truncate )/;
    expect(typed.filter((line) => ofLinux.test(line))).toEqual([]);
  });

  it("compile as they stand, in the strictest mode", { tags: "long" }, () => {
    const files = recipes.flatMap(({ name, files: all }) =>
      [...all.keys()]
        .filter((file) => /\.m[jt]s$/.test(file))
        .map((file) => join(folder, name, file)),
    );
    expect(files.length).toBeGreaterThan(10);
    const planted = join(folder, "planted.mjs");
    writeFileSync(planted, "/** @type {string} */\nexport const text = 7;\n");
    const found = ["planted.mjs: Type 'number' is not assignable to type 'string'."];
    expect(compilerFaults(folder, [...files, planted])).toEqual(found);
  });

  // One after the other: some of them, and the reader in the second terminal, go by the clock.
  it.each(recipes)(
    "print what they say: $name",
    { tags: "long" },
    async ({ name, commands, needs }) => {
      for (const service of needs) {
        if (!(await answers(ports[service] as number)))
          return console.warn(`skipped: ${name} needs ${service}`);
      }
      for (const { line, prints, code, meanwhile } of commands) {
        const place = join(folder, name);
        const running = run(line, place);
        if (meanwhile.length > 0) await doMeanwhile(meanwhile, place);
        const ran = await running;
        expect({ line, code: ran.code, errors: ran.errors }).toMatchObject({ line, code });
        if (prints === undefined || isPrinted(ran.printed, prints)) continue;
        expect({ line, printed: ran.printed }).toEqual({ line, printed: prints });
      }
    },
  );
});
