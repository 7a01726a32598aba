import type { Finding } from "../scan/findings.js";

export interface Quote {
  readonly kind: string;
  readonly quote: string;
}

/** So many different quotes are looked up in one text, each in a time that grows with the text. */
const mostQuotes = 1_000;
const letter = /[\p{L}\p{M}\p{N}_]/u;

/**
 * Every place of each quote: as words of their own, or anywhere if they are nowhere that.
 *
 * @throws for a quote that is not in the text, and for more quotes than are looked up.
 */
export function quotesIn(text: string, quotes: readonly Quote[]): readonly Finding[] {
  const different = new Map(quotes.map(({ kind, quote }) => [quote.trim(), kind]));
  if (different.size > mostQuotes) throw new Error("there are too many quotes");
  return [...different].flatMap(([quote, kind]) => {
    const places = placesOf(text, quote);
    if (places.length === 0) throw new Error("a quote is not in the text");
    const words = places.filter((start) => isWords(text, start, start + quote.length));
    return (words.length === 0 ? places : words).map((start) => ({
      start,
      end: start + quote.length,
      kind,
    }));
  });
}

function placesOf(text: string, quote: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + quote.length))
    places.push(at);
  return places;
}

/** True if no letter goes on before or behind. */
function isWords(text: string, start: number, end: number): boolean {
  const before = characterBefore(text, start);
  const after = text.codePointAt(end);
  return !letter.test(before) && !(after !== undefined && letter.test(String.fromCodePoint(after)));
}

function characterBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(Math.max(0, at - 2), at) : text.charAt(at - 1);
}
