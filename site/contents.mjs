/**
 * @typedef {object} Group
 * @property {string} text
 * @property {readonly string[]} pages Paths on the site without `.md`. `folder/*` stands for the pages of a folder that nothing before has, by their titles.
 * @property {boolean} [closed] Whether the group starts closed.
 */

/**
 * The table of contents. Every page is in it once; one that nobody has placed is under "More".
 *
 * @type {readonly Group[]}
 */
const contents = [
  { text: "Start", pages: ["index", "start"] },
  { text: "Recipes", pages: ["recipes/index", "recipes/*"], closed: true },
  {
    text: "Concepts",
    pages: [
      "concepts/index",
      "concepts/the-path-of-a-call",
      "concepts/denial",
      "concepts/modify",
      "concepts/approval",
      "concepts/stream",
      "concepts/record",
      "concepts/context",
      "concepts/*",
    ],
  },
  {
    text: "If something went wrong",
    pages: ["troubleshooting", "outcomes", "errors", "module-systems"],
  },
  {
    text: "Frameworks and MCP",
    pages: ["openai-agents", "ai-sdk", "langchain", "mastra", "claude-agent", "mcp", "mcp-proxy"],
  },
  { text: "Guards from a file", pages: ["guard-file", "rules", "replay"] },
  {
    text: "NeMo and IORails",
    pages: ["iorails", "iorails-compatibility", "iorails-differential", "iorails-limits"],
  },
  {
    text: "Packages",
    pages: ["packages/core", "packages/*", "providers/*"],
  },
  { text: "Write a provider", pages: ["write-a-provider/index", "write-a-provider/*"] },
  {
    text: "Operate",
    pages: [
      "operate/index",
      "operate/redis",
      "operate/postgresql",
      "operate/opentelemetry",
      "operate/backups",
      "operate/upgrades",
      "operate/verification",
      "operate/*",
      "audit",
      "audit-format",
    ],
  },
  {
    text: "What you can rely on",
    pages: ["threat-model", "promises", "parity", "comparison", "security"],
  },
  {
    text: "Measurements",
    pages: [
      "benchmarks",
      "scale",
      "a-day",
      "mutation",
      "containment-scores",
      "injection-scores",
      "redaction-scores",
      "audit-crash-runs",
      "rate-limit-runs",
    ],
  },
  { text: "Reference", pages: ["reference/index", "reference/*"], closed: true },
  { text: "Contributing", pages: ["contributing", "decisions/*"], closed: true },
  { text: "More", pages: ["*"] },
];

/**
 * The side bar: the table of contents with the pages that there are.
 *
 * @param {readonly Omit<import("./pages.mjs").Page, "source">[]} pages
 */
export function sidebar(pages) {
  const titles = new Map(pages.map(({ path, title }) => [path.replace(/\.md$/, ""), title]));
  /** @type {Set<string>} */
  const placed = new Set(contents.flatMap((group) => group.pages));
  return contents
    .map(({ text, pages: listed, closed = false }) => ({
      text,
      collapsed: closed,
      items: listed
        .flatMap((entry) => (entry.endsWith("*") ? others(entry.slice(0, -1)) : [entry]))
        .filter((path) => titles.has(path))
        .map((path) => ({
          text: titles.get(path) ?? path,
          link: `/${path.replace(/index$/, "")}`,
        })),
    }))
    .filter(({ items }) => items.length > 0);

  /** @param {string} folder */
  function others(folder) {
    const found = [...titles]
      .filter(([path]) => path.startsWith(folder) && !placed.has(path))
      .sort(([, one], [, other]) => (one < other ? -1 : 1))
      .map(([path]) => path);
    for (const path of found) placed.add(path);
    return found;
  }
}

/**
 * What the table of contents names and what is no page.
 *
 * @param {readonly import("./pages.mjs").Page[]} pages
 * @returns {string[]}
 */
export function misnamed(pages) {
  const paths = new Set(pages.map(({ path }) => path.replace(/\.md$/, "")));
  return contents
    .flatMap((group) => group.pages)
    .filter((entry) => !entry.endsWith("*") && !entry.startsWith("reference/") && !paths.has(entry))
    .map((entry) => `contents.mjs has '${entry}', which is no page`);
}
