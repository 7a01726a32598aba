import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { GuardFileError, type GuardFileFault, loadGuardFile } from "../../src/index.js";
import { folderWith } from "../packages.js";

const options = (properties: string): string =>
  `{ type: "object", properties: { name: { type: "string" }, ${properties} } }`;
const note = `export const log = [];`;

/** Guards to name in a guard.yaml. Each notes in its module's \`log\` what is done with it. */
const plugins = {
  "allow.mjs": `${note}
    export const plugin = { name: "allow", optionsSchema: ${options(`tools: { type: "array" }`)},
      create: ({ name = "allow", tools }) => (log.push("made " + name), {
        name, tools, evaluate: () => ({ decision: "allow" }), close: () => void log.push("closed " + name),
        register: (tool) => void log.push(name + " told of " + tool.name) }) };`,
  "deny.mjs": `${note}
    export const plugin = { name: "deny", optionsSchema: ${options(`reason: { type: "string" }`)},
      create: ({ name = "deny", reason = "no" }) => ({ name, close: () => void log.push("closed " + name),
        evaluate: () => (log.push(name + " asked"), { decision: "deny", reason }) }) };`,
  "limit.mjs": `${note}
    export const plugin = { name: "limit", optionsSchema: ${options(`limit: { type: "integer", minimum: 1 }`)},
      create: ({ name = "limit", limit = 1 }) => { let taken = 0; log.push("made " + name); return { name,
        evaluate: () => ({ decision: "allow" }), close: () => void log.push("closed " + name),
        admit: () => taken++ < limit ? { decision: "allow" } : { decision: "deny", reason: "used up" } }; } };`,
  "fail.mjs": `
    export const plugin = { name: "fail", optionsSchema: ${options("")},
      create: ({ name = "fail" }) => ({ name, evaluate() { throw new Error("broken"); } }) };`,
  "hang.mjs": `
    export const plugin = { name: "hang", optionsSchema: ${options("")},
      create: ({ name = "hang" }) => ({ name, evaluate: () => new Promise(() => {}) }) };`,
  "record.mjs": `${note}
    export const plugin = { name: "record", optionsSchema: ${options(`path: { type: "string" }`)},
      create: ({ name = "record", path }) => (log.push("opened " + path), {
        name, required: true, settle: (record) => void log.push(record),
        close: () => void log.push("closed " + name) }) };`,
  "ask.mjs": `${note}
    export const plugin = { name: "ask", optionsSchema: ${options(`store: { type: "string" }`)},
      create: ({ name = "ask", store }) => (log.push("opened " + store), {
        name, ask: () => ({ decision: "denied", reason: "not by " + name }), recall: () => undefined,
        consume: () => false, read: () => ({ state: "unknown" }), close: () => void log.push("closed " + name) }) };`,
  "liftable.mjs": `
    export const plugin = { name: "liftable", optionsSchema: ${options("")},
      create: ({ name = "liftable" }) => ({ name,
        evaluate: () => ({ decision: "deny", reason: "no", approval: { summary: "May it?" } }) }) };`,
  "refuse.mjs": `
    export const plugin = { name: "refuse", optionsSchema: ${options("")},
      create: ({ name = "refuse" }) => ({ name, evaluate: () => ({ decision: "allow" }),
        register() { throw new Error("no such tools here"); } }) };`,
};

export interface TestFile {
  readonly path: string;
  readonly write: (text: string) => void;
  /** What the guards of a module did so far. */
  readonly log: (module: keyof typeof plugins) => Promise<unknown[]>;
}

/** A guard.yaml in a folder of its own, beside the guards above and further files. */
export function guardYaml(
  text: string,
  files: Readonly<Record<string, string | object>> = {},
): TestFile {
  const folder = folderWith({ ...plugins, ...files, "guard.yaml": text });
  const path = join(folder, "guard.yaml");
  return {
    path,
    write: (changed) => writeFileSync(path, changed),
    log: async (module) => (await import(pathToFileURL(join(dirname(path), module)).href)).log,
  };
}

/** What is wrong with a file; nothing, where it loads. */
export async function faultsOf(
  { path }: TestFile,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly GuardFileFault[]> {
  try {
    await using _ = await loadGuardFile(path, { env });
    return [];
  } catch (error) {
    if (!(error instanceof GuardFileError)) throw error;
    return error.faults;
  }
}

/** As `line:column path: message`. */
export async function faultLines(
  file: TestFile,
  env?: Readonly<Record<string, string>>,
): Promise<string[]> {
  const faults = await faultsOf(file, env);
  return faults.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`);
}
