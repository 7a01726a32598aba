import ts from "typescript";

/**
 * Returns the messages of the compiler, in its strictest mode, about these TypeScript or JavaScript files of a folder, each with the file's name.
 * A folder in conformance finds every package, as each is a dependency there.
 */
export function compilerFaults(
  folder: string,
  files: readonly string[],
  options: ts.CompilerOptions = {},
): string[] {
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    exactOptionalPropertyTypes: true,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
    customConditions: ["@toolstile/source"],
    ...options,
  });
  // Only of these files: to check all that they import takes many times as long.
  return program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(folder))
    .flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ])
    .map(
      ({ file, messageText }) =>
        `${file?.fileName.slice(folder.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
}
