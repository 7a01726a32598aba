import { type Stretch, stretches } from "./stretch.js";

/** Schemes whose address is a program. */
const active = String.raw`(?:javascript|vbscript)\s*:|data\s*:\s*(?:text\/html|image\/svg)`;
const tags = new RegExp(
  [
    String.raw`<script\b[^<>]*\bsrc\s*=[^<>]*>?`,
    // An attribute that runs a program.
    String.raw`<\w[^<>]*[\s"'/]on[a-z]{3,20}\s*=[^<>]*>?`,
    String.raw`\bhref\s*=?\s*["']?\s*(?:${active})[^\s<>]*`,
  ].join("|"),
  "gi",
);
const scriptOpens = /<script\b[^<>]*>/gi;
const scriptCloses = /<\/script\b[^<>]*>/gi;
/** Addresses are read up to here; a longer one carries data. */
const address = String.raw`\s{0,20}<?\s{0,20}([^\s<>)]{1,500})`;
/** Takes no more than its first two signs, because another may begin inside of its address. */
const links = new RegExp(String.raw`\]\((?=${address})`, "g");
const definitions = new RegExp(String.raw`^ {0,3}\[[^\][\n]{1,200}\]:${address}[^\n]*`, "gm");
const images = /<img\b[^<>]*>?/gi;
const sources = /[\s"'/]src(?:set)?\s*=\s*["']?([^\s"'<>]+)/gi;

/**
 * What a reader's browser would run, or would fetch with data in its address:
 * scripts, addresses that are programs, and images from elsewhere whose
 * address has a query, a fragment or a long part.
 *
 * NeMo takes every image of Markdown for an injection, and a script with `src`
 * for none.
 */
export function activeContent(text: string): readonly Stretch[] {
  const found = [...scripts(text), ...stretches(text, tags)];
  for (const { index, 1: to = "" } of text.matchAll(links)) {
    const start = openingOf(text, index);
    const isImage = start === undefined || text[start - 1] === "!";
    if (isActive(to) || (isImage && carriesData(to))) {
      const end = text.indexOf(to, index) + to.length;
      const from = start === undefined ? index : isImage ? start - 1 : start;
      found.push({ start: from, end: end + closing(text.slice(end, end + 500)) });
    }
  }
  // An image may name its address by a reference.
  const hasImages = text.includes("![");
  for (const { index, 0: whole, 1: to = "" } of text.matchAll(definitions)) {
    if (isActive(to) || (hasImages && carriesData(to))) found.push(at(index, whole));
  }
  for (const { index, 0: tag } of text.matchAll(images)) {
    const all = Array.from(tag.matchAll(sources), ([, to = ""]) => to);
    if (all.some((to) => isActive(to) || carriesData(to))) found.push(at(index, tag));
  }
  return found;
}

/** The length of what ends a link: a title, and its bracket. */
function closing(rest: string): number {
  return /^[^)\n]*\)/.exec(rest)?.[0].length ?? 0;
}

/** From `<script>` to `</script>`, on as many lines as it takes. */
function scripts(text: string): readonly Stretch[] {
  const found: Stretch[] = [];
  let from = 0;
  for (const { index } of text.matchAll(scriptOpens)) {
    if (index < from) continue;
    scriptCloses.lastIndex = index;
    const close = scriptCloses.exec(text);
    if (close === null) break;
    from = close.index + close[0].length;
    found.push({ start: index, end: from });
  }
  return found;
}

const startsActive = new RegExp(`^(?:${active})`, "i");

function isActive(address: string): boolean {
  return startsActive.test(address);
}

const longPart = 32;

function carriesData(address: string): boolean {
  const isElsewhere = /^(?:[a-z][a-z0-9+.-]*:|\/\/|\\\\)/i.test(address);
  if (!isElsewhere) return false;
  return /[?#]/.test(address) || address.split(/[/.:]/).some(({ length }) => length >= longPart);
}

const longestLabel = 200;

/** The place of the bracket that a `]` closes; nothing if it is far away, as it may be on purpose. */
function openingOf(text: string, close: number): number | undefined {
  let depth = 0;
  for (let place = close; place >= 0; place--) {
    if (close - place > longestLabel) return undefined;
    if (text[place] === "]") depth++;
    else if (text[place] === "[" && --depth === 0) return place;
  }
  return close;
}

function at(start: number, { length }: string): Stretch {
  return { start, end: start + length };
}
