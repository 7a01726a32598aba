import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { unprintable } from "../terminal/terminal.js";
import { escapedForHtml } from "./page-entry.js";

/** The facts about a page that it shows. */
export interface PageFacts {
  /** The log's folder, as it was named. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
  /** The options that chose its calls. */
  readonly chosen: readonly string[];
  /** True if there are earlier calls, which did not find room. */
  readonly hasEarlier: boolean;
  /** Records that writers say they dropped. */
  readonly dropped: number;
  readonly withPayloads: boolean;
}

/** The beginning of every page, by which one is told from other files. */
export const pageBeginning = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="generator" content="toolstile audit">
`;

/** In the order in which one overrules the other. */
const styles = ["frame.css", "charts.css", "calls.css", "narrow.css"];

/** In the order in which they need each other. */
const scripts = [
  "filter.js",
  "summary.js",
  "elements.js",
  "charts.js",
  "detail.js",
  "list.js",
  "main.js",
];

/**
 * A page that needs nothing but itself. What stands in the log is in one data
 * block and nowhere else, and its own script makes text nodes of it.
 *
 * @param entries Calls as JSON, escaped for HTML.
 */
export function pageOf(facts: PageFacts, entries: readonly string[]): string {
  const style = styles.map(part).join("");
  const shared = `const unprintable = ${unprintable};`;
  const script = `"use strict";\n${shared}\n${scripts.map((name) => withoutModules(part(name))).join("\n")}`;
  const policy = [
    "default-src 'none'",
    `style-src '${digestOf(style)}'`,
    `script-src '${digestOf(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  return `${pageBeginning}<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Audit log</title>
<style>${style}</style>
${part("body.html").replace("</body>\n", "")}<script type="application/json" id="facts">${escapedForHtml(facts)}</script>
<script type="application/json" id="calls">[
${entries.join(",\n")}
]</script>
<script>${script}</script>
</body>
</html>
`;
}

/** The compiler copies no such files: they are read where they are written, and published there. */
function part(name: string): string {
  return readFileSync(new URL(`../../src/audit/page/${name}`, import.meta.url), "utf8");
}

/** Modules of one another, as one script: each says `import` and `export` at the beginning of a line only. */
function withoutModules(source: string): string {
  return source.replace(/^import [^;]*;\n/gm, "").replace(/^export /gm, "");
}

function digestOf(text: string): string {
  return `sha256-${hash("sha256", text, "base64")}`;
}
