import "../scripts/node-version.mjs";
import { fileURLToPath } from "node:url";
import { readFlags } from "../scripts/flags.mjs";
import { install } from "../scripts/setup.mjs";

const usage = `Usage: npm run site [-- --reference --check --serve]

Builds the documentation into site/dist: static files, with a search that needs no server.

Options:
  --reference
            adds a page for each entry of each package, made from the types and their comments
  --check   walks the built site: links, anchors, titles, pictures, raw Markdown; and asks its
            search the questions of site/questions.json. Exits with 1 if something is wrong
  --serve   shows the site at http://127.0.0.1:4173 until it is stopped
  --help    this text
`;
const flags = readFlags(usage, {
  check: { type: "boolean" },
  reference: { type: "boolean" },
  serve: { type: "boolean" },
  help: { type: "boolean" },
});
if (flags.help) {
  process.stdout.write(usage);
  process.exit(0);
}

install();
const { build, serve } = await import("vitepress");
const { checkSite } = await import("./check/check.mjs");
const { findPages, referenceFolder, stage } = await import("./pages.mjs");
const { writeSources } = await import("./sources.mjs");
const folder = fileURLToPath(new URL(".", import.meta.url));
const built = fileURLToPath(new URL("dist", import.meta.url));

stage(findPages());
if (flags.reference) {
  const { writeReference } = await import("./reference.mjs");
  await writeReference(referenceFolder);
}
await build(folder);
writeSources(built);
if (flags.check && !(await checkSite(built))) process.exitCode = 1;
if (flags.serve) await serve({ root: folder, port: 4173 });
