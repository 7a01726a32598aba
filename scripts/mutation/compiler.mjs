import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../processes.mjs";
import { packageOf, withMutant } from "./switches.mjs";

/** @typedef {import("./mutants.mjs").Mutant} Mutant */

/**
 * Asks the compiler about mutants of one package: one that it refuses cannot be built.
 *
 * @param {readonly Mutant[]} mutants
 * @returns {Map<Mutant, string>} By mutant that it refuses, what it says.
 */
export function refusedByCompiler(mutants) {
  /** @type {Map<Mutant, string>} */
  const refused = new Map();
  const [first] = mutants;
  if (first === undefined) return refused;
  const home = join(root, packageOf(first));
  const path = join(home, "tsconfig.json");
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path, ts.sys.readFile).config,
    ts.sys,
    home,
  );
  /** @type {Map<string, { text: string, version: number }>} */
  const changed = new Map();
  /** @type {import("typescript").LanguageServiceHost} */
  const host = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => fileNames,
    getScriptVersion: (name) => String(changed.get(name)?.version ?? 0),
    getScriptSnapshot: (name) => {
      const text = changed.get(name)?.text ?? ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
  const service = ts.createLanguageService(host);
  let version = 0;
  for (const mutant of mutants) {
    const name = join(root, mutant.file);
    const text = readFileSync(name, "utf8");
    version++;
    changed.set(name, { text: withMutant(text, mutant), version });
    const [found] = [
      ...service.getSyntacticDiagnostics(name),
      ...service.getSemanticDiagnostics(name),
    ];
    if (found !== undefined)
      refused.set(mutant, ts.flattenDiagnosticMessageText(found.messageText, " "));
    version++;
    changed.set(name, { text, version });
  }
  return refused;
}
