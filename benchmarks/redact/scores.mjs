// Scores of @toolstile/redact on the made-up texts of ../shared/data/sensitive, by kind, and of other packages beside it.
//   node benchmarks/redact/scores.mjs                     print the page, with the other packages as they stand on it
//   node benchmarks/redact/scores.mjs --peers FOLDER      with the other packages, which are installed into FOLDER first
//   node benchmarks/redact/scores.mjs --peers FOLDER --write   write docs/redaction-scores.md and the scores that the command prints
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { kindNames, redactor } from "../../packages/redact/dist/index.js";
import { judged, peers } from "./peers.mjs";
import { hostile, megabyte } from "./texts.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const data = join(root, "..", "shared/data/sensitive/dev.jsonl.gz");
const published = join(root, "docs/redaction-scores.md");
const { values: options } = parseArgs({
  options: { peers: { type: "string" }, write: { type: "boolean", default: false } },
});

/**
 * @typedef {{ start: number, end: number }} Place
 * @typedef {Place & { kind: string, core?: Place }} Span
 * @typedef {{ id: string, kind: string, label: string, text: string, spans: Span[], disputed?: boolean, obfuscated?: boolean }} Row
 */

/** @type {Row[]} */
const rows = gunzipSync(readFileSync(data))
  .toString()
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const { find } = redactor();

/** The 95 % interval of a share (Wilson, 1927). @param {number} hits @param {number} all @returns {[number, number]} */
function interval(hits, all) {
  if (all === 0) return [0, 1];
  const z = 1.959964;
  const share = hits / all;
  const middle = share + (z * z) / (2 * all);
  const width = z * Math.sqrt((share * (1 - share)) / all + (z * z) / (4 * all * all));
  return [
    Math.max(0, (middle - width) / (1 + (z * z) / all)),
    Math.min(1, (middle + width) / (1 + (z * z) / all)),
  ];
}

/** @param {number} hits @param {number} all */
function shown(hits, all) {
  if (all === 0) return "";
  const percent = (/** @type {number} */ share) => (100 * share).toFixed(1);
  const [low, high] = interval(hits, all);
  return `${percent(hits / all)} (${percent(low)}–${percent(high)})`;
}

/** @type {Map<string, { all: number, hits: number, missed: string[], alarms: string[] }>} */
const kinds = new Map();
/** @param {string} kind */
const countOf = (kind) => {
  const count = kinds.get(kind) ?? { all: 0, hits: 0, missed: [], alarms: [] };
  kinds.set(kind, count);
  return count;
};
const apart = { obfuscated: [0, 0], disputed: [0, 0] };
const alarms = { lookalike: /** @type {string[]} */ ([]), clean: /** @type {string[]} */ ([]) };
const counts = { lookalike: 0, clean: 0 };

for (const { id, kind, label, text, spans, disputed, obfuscated } of rows) {
  const found = find(text);
  const isHit = (/** @type {Span} */ span) => {
    const { start, end } = span.core ?? span;
    return found.some((each) => each.start <= start && each.end >= end);
  };
  if (disputed) {
    apart.disputed[1] += 1;
    if (found.length > 0) apart.disputed[0] += 1;
    continue;
  }
  if (obfuscated) {
    for (const span of spans) {
      apart.obfuscated[1] += 1;
      if (isHit(span)) apart.obfuscated[0] += 1;
    }
    continue;
  }
  if (label === "lookalike" || label === "clean") {
    counts[label] += 1;
    if (found.length > 0) alarms[label].push(`${kind} ${id}`);
  }
  for (const span of spans) {
    const count = countOf(span.kind);
    count.all += 1;
    if (isHit(span)) count.hits += 1;
    else count.missed.push(id);
  }
  for (const each of found) {
    if (!spans.some(({ start, end }) => each.start < end && each.end > start))
      countOf(each.kind).alarms.push(id);
  }
}

const ones = new Uint8Array(65_536).fill(1);

/** One look at every unit: what any scan must do. @param {string} text */
function looked(text) {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += ones[text.charCodeAt(at)] ?? 0;
  return sum;
}

/** @param {() => unknown} run */
function cpuMs(run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Milliseconds of CPU for a text: the least of several runs and the middle one, and the least of the loop between them. @param {string} text @returns {[number, number, number]} */
function speed(text) {
  const times = [];
  let loop = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 9; run++) {
    times.push(cpuMs(() => find(text)));
    loop = Math.min(
      loop,
      cpuMs(() => looked(text)),
    );
  }
  times.sort((a, b) => a - b);
  return [times[0] ?? 0, times[4] ?? 0, loop];
}

/** @param {(row: Row) => boolean} which */
function textsOf(which) {
  return megabyte(
    `${rows
      .filter(which)
      .map(({ text }) => text)
      .join("\n")}\n`,
  );
}

/** @type {[string, string][]} */
const measured = [
  ["**clean texts**", textsOf(({ label }) => label === "clean")],
  [
    "**secrets and personal data, an item a line**",
    textsOf(({ label }) => label === "secret" || label === "personal"),
  ],
  ["**look-alikes, one a line**", textsOf(({ label }) => label === "lookalike")],
  ...hostile.map(([name, once]) => /** @type {[string, string]} */ ([name, megabyte(once())])),
];
/** @type {number[]} */
const loops = [];
const speeds = measured.map(([name, text]) => {
  const [least, middle, loop] = speed(text);
  loops.push(loop);
  return `| ${name} | ${least.toFixed(1)} | ${middle.toFixed(1)} | ${(1_000 / least).toFixed(0)} | ${(least / loop).toFixed(1)} |`;
});

const loopTime = loops.sort((a, b) => a - b)[loops.length >> 1] ?? 0;

/** One text in so many is put before all packages: some of them take minutes of CPU for a thousand. */
const oneIn = 6;
const compared = rows
  .filter(({ disputed, obfuscated }) => !disputed && !obfuscated)
  .filter((_, index) => index % oneIn === 0);

/** Texts of each label in which something is found. @param {readonly boolean[]} found */
function byLabel(found) {
  return ["secret", "personal", "lookalike", "clean"].map((label) => {
    const places = compared.flatMap((row, index) => (row.label === label ? [index] : []));
    return shown(places.filter((index) => found[index]).length, places.length);
  });
}

async function peerRows() {
  const texts = compared.map(({ text }) => text);
  const timed = async (/** @type {() => Promise<boolean[]> | boolean[]} */ run) => {
    const before = process.cpuUsage();
    const found = await run();
    const { user, system } = process.cpuUsage(before);
    return { found, ms: (user + system) / 1_000 / texts.length };
  };
  const ours = await timed(() => texts.map((text) => find(text).length > 0));
  const row = (/** @type {string} */ name, /** @type {Awaited<ReturnType<typeof timed>>} */ each) =>
    `| ${[name, ...byLabel(each.found), each.ms.toFixed(3)].join(" | ")} |`;
  const all = [row("**@toolstile/redact**", ours)];
  if (options.peers === undefined) return [...all, ...rowsOfBefore()];
  const folder = resolve(options.peers);
  installPeers(folder);
  for (const name of Object.keys(peers)) {
    const versions = peers[name] ?? [];
    all.push(row(versions.at(-1) ?? name, await timed(() => judged(folder, name, texts))));
  }
  return all;
}

/** The rows of the other packages as they stand on the page: neither they nor the texts have changed. */
function rowsOfBefore() {
  const before = existsSync(published) ? readFileSync(published, "utf8") : "";
  const [table = ""] = /^\| package \|.*?\n\n/ms.exec(before) ?? [];
  const names = Object.values(peers).flat();
  return table.split("\n").filter((line) => names.some((name) => line.startsWith(`| ${name} |`)));
}

/** @param {string} folder */
function installPeers(folder) {
  if (existsSync(join(folder, "node_modules", "openredaction"))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const args = ["install", "--no-audit", "--no-fund", ...Object.values(peers).flat()];
  const { status } = spawnSync("npm", args, { cwd: folder, stdio: "inherit" });
  if (status !== 0) throw new Error("the other packages cannot be installed");
}

const ordered = [...kinds].sort(
  ([a], [b]) =>
    (b.startsWith("secret") ? 1 : 0) - (a.startsWith("secret") ? 1 : 0) || a.localeCompare(b),
);
const table = ordered.map(
  ([kind, { all, hits, alarms: wrong }]) =>
    `| \`${kind}\` | ${all} | ${shown(hits, all)} | ${shown(hits, hits + wrong.length)} |`,
);
const misses = ordered.flatMap(([kind, { missed }]) =>
  missed.length === 0 ? [] : [`- \`${kind}\`: ${missed.join(", ")}`],
);
const wrong = [
  ...ordered.flatMap(([kind, { alarms: ids }]) =>
    ids.map((id) => `- \`${kind}\` beside other items: ${id}`),
  ),
  ...[...alarms.lookalike, ...alarms.clean].map((row) => `- ${row}`),
];

const page = `# Scores of redaction

Made by \`benchmarks/redact/scores.mjs\` from ${rows.length.toLocaleString("en")} made-up texts: every value is drawn from a seed, and its structure is right. An item is found if a finding covers it, or the part of it that must go (the password of a URL). Shares are in percent, with 95 % intervals (Wilson). Precision counts findings beside every item, in the texts of all kinds.

## By kind

Not scored, for the made-up texts have none: ${kindNames
  .filter((kind) => !kinds.has(kind))
  .map((kind) => `\`${kind}\``)
  .join(", ")}. The tests have rows of them.

| kind | items | recall | precision |
| --- | --- | --- | --- |
${table.join("\n")}

False alarms: in ${alarms.lookalike.length} of ${counts.lookalike.toLocaleString("en")} look-alikes, and in ${alarms.clean.length} of ${counts.clean} clean texts.

Counted apart: of ${apart.obfuscated[1]} items with characters without width or line breaks in them, ${apart.obfuscated[0]} are found; of ${apart.disputed[1]} look-alikes on which sound detectors may differ (test cards, test keys, private addresses, password hashes), ${apart.disputed[0]} are found.

## Missed

Most of these are values of a table whose head stands far away or behind them.

${misses.join("\n") || "None."}

## False alarms

${wrong.join("\n") || "None."}

## Beside other packages

Texts in which anything at all is found, in percent, of ${compared.length.toLocaleString("en")} texts: one in ${oneIn} of the above. The first two columns should be high, the next two low. The last one is milliseconds of CPU a text.

| package | secrets | personal data | look-alikes | clean texts | ms |
| --- | --- | --- | --- | --- | --- |
${(await peerRows()).join("\n")}

## Speed

CPU time for a text of 1,000,000 UTF-16 units, all kinds: the least and the middle of nine runs, on the machine that made this page, with whatever else it did. The last column does not depend on the machine so much: it is the least time, as a multiple of the time of a loop that looks at every unit once, in the same process: ${loopTime.toFixed(1)} ms at the middle of the rows. The texts below the first three repeat one thing, to be slow.

What the slowest rows must do, at the least: escaped mail is read as it stands, without the escapes of JSON, and without percent escapes, and an address is found each time. Behind each \`server=\`, the password may stand in any of 21 pairs, and at each digit behind a word for phones a number of up to eight groups may begin: what was read of these is kept for the next one. Each colon may be the first of a MAC or of an IPv6 address. Each URL with a password and each header of a JWT is an item, and none is found without being read to its end. In the text of secrets and personal data, a look at each unit for the beginnings of words takes three and a half loops; the rest goes to an item in each line, and to a third of the text that is read a second time without its escapes. Behind each dot, a header of a JWT is also the first part of a token of its own and a run of base64 that is text: reading those runs is two fifths of that row. Base64 in lines or with escapes is read twice, as it stands and joined (about three loops each), is joined (two), and is looked at for text wherever a group of digits may begin (two): twelve loops are the least in this way, and the rest is for what is found in it by chance.

| text | ms | middle | million units a second | loops |
| --- | --- | --- | --- | --- |
${speeds.join("\n")}
`;

const scores = `/** The scores of a kind in the made-up texts of docs/redaction-scores.md. */
export interface PublishedScore {
  readonly kind: string;
  readonly items: number;
  /** Shares from 0 to 1. */
  readonly recall: number;
  readonly precision: number;
}

/** Made by benchmarks/redact/scores.mjs. */
export const publishedScores: readonly PublishedScore[] = [
${ordered
  .map(
    ([kind, { all, hits, alarms: ids }]) =>
      `  { kind: "${kind}", items: ${all}, recall: ${(hits / all).toFixed(4).replace(/\.?0+$/, "")}, precision: ${(hits / (hits + ids.length)).toFixed(4).replace(/\.?0+$/, "")} },`,
  )
  .join("\n")}
];
`;

if (options.write) {
  writeFileSync(published, page);
  writeFileSync(join(root, "packages/redact/src/scores.ts"), scores);
} else process.stdout.write(page);
process.exit(0);
