import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, Converter, ReflectionKind, TSConfigReader } from "typedoc";
import { anchorOf } from "./links.mjs";
import { root } from "./pages.mjs";

/**
 * Writes a page for each entry of each package: what it exports, from the types and their comments. One
 * program reads them all, so that types of one package link to those of another.
 *
 * @param {string} folder Where the pages go.
 */
export async function writeReference(folder) {
  const entries = findEntries();
  const application = await Application.bootstrapWithPlugins(
    {
      name: "Reference",
      tsconfig: fileURLToPath(new URL("tsconfig.reference.json", import.meta.url)),
      entryPoints: [...entries.keys()],
      entryPointStrategy: "resolve",
      skipErrorChecking: true,
      disableSources: true,
      excludeInternal: true,
      excludePrivate: true,
      excludeExternals: true,
      readme: "none",
      plugin: [fileURLToPath(import.meta.resolve("typedoc-plugin-markdown"))],
      logLevel: "Error",
      outputs: [{ name: "markdown", path: folder }],
      // Options of typedoc-plugin-markdown, which typedoc's own types do not have.
      ...{
        router: "module",
        entryFileName: "index",
        hideBreadcrumbs: true,
        hidePageHeader: true,
        pageTitleTemplates: { index: "Reference", module: "Reference of {name}" },
      },
    },
    // The typedoc.json of the repository is for its check, which writes nothing.
    [new TSConfigReader()],
  );
  application.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Module)) return;
    const file = context.getSymbolFromReflection(reflection)?.declarations?.[0]?.getSourceFile();
    const name = file === undefined ? undefined : entries.get(file.fileName);
    if (name !== undefined) reflection.name = name;
  });
  const project = await application.convert();
  if (project === undefined) throw new Error("The reference could not be made from the sources.");
  await application.generateOutputs(project);
  const isWritten = existsSync(join(folder, "index.md"));
  if (application.logger.hasErrors() || !isWritten)
    throw new Error("The reference could not be written.");
  mendAnchors(folder);
}

/**
 * Has links lead to headings that are there: the plugin numbers a name that a module has twice, also where
 * only one of the two is written.
 *
 * @param {string} folder
 */
function mendAnchors(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => join(folder, path));
  const pages = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
  for (const [file, text] of pages) {
    const mended = text.replaceAll(/\]\(([^()#\s]*)#([^()\s]+)-1\)/g, (link, path, anchor) => {
      const target = pages.get(path === "" ? file : join(dirname(file), path)) ?? "";
      const same = [...target.matchAll(/^#+ (.+)$/gm)].filter(
        ([, name]) => anchorOf(String(name)) === anchor,
      );
      return same.length === 1 ? `](${path}#${anchor})` : link;
    });
    if (mended !== text) writeFileSync(file, mended);
  }
}

/** The source files of the packages' entries, with the names by which they are imported. */
function findEntries() {
  /** @type {Map<string, string>} */
  const entries = new Map();
  for (const name of readdirSync(join(root, "packages"))) {
    const folder = join(root, "packages", name);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    for (const [entry, target] of Object.entries(manifest.exports ?? {})) {
      const source = target["@toolstile/source"];
      if (source === undefined) continue;
      entries.set(join(folder, source), `${manifest.name}${entry.slice(1)}`);
    }
  }
  return entries;
}
