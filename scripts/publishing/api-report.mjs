import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** @typedef {import("./changesets.mjs").Changeset} Changeset */
/** @typedef {{ name: string, body: string }} Report What a package exports, and its name. */

const printer = ts.createPrinter({ removeComments: true });

/**
 * What packages export, entry by entry, as their declarations say it. One that is a program exports nothing.
 *
 * The types that are not exported and that an export uses are in it too: they are as much a promise.
 *
 * @param {readonly string[]} folders Of packages, which have been built.
 * @returns {(Report & { folder: string })[]}
 */
export function reportsOf(folders) {
  const packages = folders.map((folder) => ({ folder, ...entriesOf(folder) }));
  const files = packages.flatMap(({ entries }) => entries.map(({ file }) => file));
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, types: [] };
  // Declarations are printed as they stand: nothing of the language's own types is needed for that.
  const program = ts.createProgram(files, { ...options, noLib: true, skipLibCheck: true });
  return packages
    .filter(({ entries }) => entries.length > 0)
    .map(({ folder, name, entries }) => {
      const sections = entries.map(({ key, file }) => {
        const lines = declarationsOf(program, file, join(folder, "dist"));
        return `## ${name}${key.slice(1)}\n\n\`\`\`ts\n${lines.join("\n")}\n\`\`\`\n`;
      });
      return { folder, name, body: sections.join("\n") };
    });
}

/**
 * @param {string} folder
 * @returns {{ name: string, entries: { key: string, file: string }[] }}
 */
function entriesOf(folder) {
  const { name, exports = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const entries = Object.entries(exports).flatMap(([key, target]) =>
    typeof target?.types === "string" ? [{ key, file: join(folder, target.types) }] : [],
  );
  return { name, entries };
}

/**
 * @param {ts.Program} program
 * @param {string} file
 * @param {string} own Only what is declared in this folder is followed.
 * @returns {string[]}
 */
function declarationsOf(program, file, own) {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} is no module: build the packages first`);
  const exported = checker.getExportsOfModule(module).map((symbol) => ({
    name: symbol.name,
    meant: meantBy(symbol),
  }));
  /** @type {Set<ts.Symbol>} */
  const seen = new Set(exported.map(({ meant }) => meant));
  /** @type {ts.Symbol[]} */
  const hidden = [];
  for (const { meant } of exported) follow(meant);
  for (const symbol of hidden) follow(symbol);
  return [
    ...exported
      .toSorted((one, other) => compare(one.name, other.name))
      .flatMap(({ name, meant }) => textOf(meant, name)),
    ...(hidden.length > 0 ? ["", "// used, and not exported"] : []),
    ...hidden
      .toSorted((one, other) => compare(one.name, other.name))
      .flatMap((symbol) => textOf(symbol, symbol.name)),
  ];

  /** @param {ts.Symbol} symbol */
  function meantBy(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }

  /** @param {ts.Symbol} symbol */
  function follow(symbol) {
    for (const declaration of ownDeclarations(symbol)) visit(declaration);
  }

  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isIdentifier(node)) {
      const found = checker.getSymbolAtLocation(node);
      const meant = found && meantBy(found);
      if (meant && !seen.has(meant) && ownDeclarations(meant).some(isOfModule)) {
        seen.add(meant);
        hidden.push(meant);
      }
    }
    ts.forEachChild(node, visit);
  }

  /** @param {ts.Symbol} symbol */
  function ownDeclarations(symbol) {
    return (symbol.declarations ?? []).filter((each) =>
      each.getSourceFile().fileName.startsWith(own.replaceAll("\\", "/")),
    );
  }

  /**
   * @param {ts.Symbol} symbol
   * @param {string} name
   */
  function textOf(symbol, name) {
    const declarations = symbol.declarations ?? [];
    const outside = declarations.filter((each) => !ownDeclarations(symbol).includes(each));
    if (outside.length === declarations.length)
      return [`export { ${name} }; // of another package`];
    return ownDeclarations(symbol).map((declaration) => {
      const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
      const text = printer
        .printNode(ts.EmitHint.Unspecified, node, declaration.getSourceFile())
        .replace(/^export (?:default )?/, "")
        .replace(/^declare /, "");
      return symbol.name === name ? text : `${text} // as ${name}`;
    });
  }
}

/** @param {ts.Declaration} declaration */
function isOfModule(declaration) {
  return (
    ts.isSourceFile(declaration.parent) ||
    (ts.isVariableDeclaration(declaration) && ts.isSourceFile(declaration.parent.parent.parent))
  );
}

/**
 * @param {string} one
 * @param {string} other
 */
function compare(one, other) {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * The text that a report must have now, or why it may not be written.
 *
 * A report knows the changesets that there were when it was last written: another one that names the
 * package has to come with each change.
 *
 * @param {Report} report
 * @param {string | undefined} pinned
 * @param {readonly Changeset[]} changesets
 * @returns {{ text?: string, problem?: string }}
 */
export function judgeReport({ name, body }, pinned, changesets) {
  const own = changesets.filter(({ packages }) => packages.includes(name)).map(({ id }) => id);
  const title = `# ${name}\n\nGenerated by \`npm run api -- --write\`: what the package exports.\n`;
  const text = `${title}\nChangesets: ${own.join(", ") || "none"}\n\n${body}`;
  if (pinned === undefined) return { text };
  const [, listed = ""] = /^Changesets: (.*)$/m.exec(pinned) ?? [];
  const pinnedBody = pinned.slice(pinned.indexOf("\n## ") + 1);
  if (pinnedBody === body) return { text: pinned };
  const known = listed.split(", ");
  if (own.some((id) => !known.includes(id))) return { text };
  const lines = differing(pinnedBody, body);
  return {
    problem:
      `${name} exports something else than its report says, and no changeset says so. ` +
      `Add one that names it (npx changeset), then: npm run api -- --write\n${lines}`,
  };
}

/**
 * The first lines that only one of two texts has.
 *
 * @param {string} before
 * @param {string} after
 */
function differing(before, after) {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const gone = old.filter((line) => !now.includes(line)).map((line) => `  - ${line.trim()}`);
  const come = now.filter((line) => !old.includes(line)).map((line) => `  + ${line.trim()}`);
  return [...gone, ...come].slice(0, 20).join("\n");
}
