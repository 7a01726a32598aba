import { fileURLToPath } from "node:url";
import ts from "typescript";

const conformance = fileURLToPath(new URL("..", import.meta.url));
const file = `${conformance}.in-an-editor.ts`;

const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2024.d.ts", "lib.esnext.disposable.d.ts"],
  types: ["node"],
  customConditions: ["@toolstile/source"],
  noEmit: true,
  skipLibCheck: true,
};

/** A line of code, and what the compiler says about it first. */
export interface Complaint {
  readonly line: string;
  readonly says: string;
}

/** A file as an editor has it open: by TypeScript's language service, in memory. */
export class Editor {
  #text = "";
  #version = 0;
  readonly #service: ts.LanguageService;

  constructor() {
    const { sys } = ts;
    this.#service = ts.createLanguageService({
      getScriptFileNames: () => [file],
      getScriptVersion: (name) => (name === file ? String(this.#version) : "1"),
      getScriptSnapshot: (name) => {
        const text = name === file ? this.#text : sys.readFile(name);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => conformance,
      getCompilationSettings: () => options,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: (name) => name === file || sys.fileExists(name),
      readFile: (name) => (name === file ? this.#text : sys.readFile(name)),
      readDirectory: sys.readDirectory,
      directoryExists: sys.directoryExists,
      getDirectories: sys.getDirectories,
    });
  }

  /** The words that are offered where `‸` stands. */
  completionsIn(code: string): readonly string[] {
    const place = code.indexOf("‸");
    this.#open(code.replace("‸", ""));
    const { entries = [] } = this.#service.getCompletionsAtPosition(file, place, {}) ?? {};
    return entries.map(({ name }) => name);
  }

  /** The complaints of the compiler, in order. */
  complaintsAbout(code: string): readonly Complaint[] {
    this.#open(code);
    const lines = code.split("\n");
    const found = [
      ...this.#service.getSyntacticDiagnostics(file),
      ...this.#service.getSemanticDiagnostics(file),
    ];
    return found.map(({ start = 0, messageText }) => ({
      line: lines[code.slice(0, start).split("\n").length - 1]?.trim() ?? "",
      says: ts.flattenDiagnosticMessageText(messageText, "\n"),
    }));
  }

  #open(code: string): void {
    this.#text = code;
    this.#version++;
  }
}
