import { tableOf } from "../text/classes.js";
import { continuesAfter } from "../text/marks.js";
import type { Source } from "../text/source.js";
import { jsonInBase64 } from "./checks.js";
import { type Detector, joinsBefore } from "./detector.js";

/** The most digits of each part: of the header, of the claims or the key, and of what follows. */
const most = [4_099, 8_192, 2_048, 2_048, 256] as const;
const leastHeader = 13;
const leastClaims = 4;

/** A token of three parts, or of five that are encrypted (RFC 7515, RFC 7516). */
export const jwt: Detector = {
  kind: "secret.jwt",
  anchors: ["eyJ"],
  atAnchor(source, at, before) {
    if (joinsBefore(source, at)) return undefined;
    const header = partEnd(source, at, most[0]);
    const claims = nextEnd(source, header, most[1]);
    if (header - at < leastHeader || claims - header <= leastClaims) return undefined;
    const third = nextEnd(source, claims, most[2]);
    if (third < 0) return undefined;
    const end = encryptedEnd(source, third);
    if (!continuesAfter(source, end)) {
      const { text } = source;
      const first = text.slice(at, header);
      const isToken =
        end === third ? isSigned(first, text.slice(header + 1, claims)) : namesAlgorithm(first);
      if (isToken) return { start: at, end };
    }
    before.doubt(at, at, end);
    return undefined;
  },
};

/** True for a header that names an algorithm, and claims that are JSON and not those that jwt.io shows. */
export function isSigned(header: string, claims: string): boolean {
  if (!namesAlgorithm(header)) return false;
  const read = jsonInBase64(claims);
  if (read === undefined) return false;
  return Reflect.get(read, "sub") !== "1234567890" || Reflect.get(read, "name") !== "John Doe";
}

/** The end of the last two of five parts behind the third; that of the third if it is the last. */
function encryptedEnd(source: Source, third: number): number {
  const fourth = nextEnd(source, third, most[3]);
  const last = fourth > third + 1 ? nextEnd(source, fourth, most[4]) : -1;
  return last > fourth + 1 ? last : third;
}

/** The end of the part behind a `.`; -1 if none stands there. */
function nextEnd(source: Source, dot: number, longest: number): number {
  return dot >= 0 && source.units[dot] === 46 ? partEnd(source, dot + 1, longest) : -1;
}

const inPart = tableOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");
/** The parts that were read last, by their start: in a row of parts, each is one of five tokens that may begin there. */
const known = 64;
const texts = new Float64Array(known);
const starts = new Float64Array(known);
const ends = new Float64Array(known);

function partEnd({ units, id }: Source, start: number, longest: number): number {
  const slot = start % known;
  if (texts[slot] !== id || starts[slot] !== start) {
    let end = start;
    while (end - start <= most[1] && inPart[units[end] as number] === 1) end += 1;
    texts[slot] = id;
    starts[slot] = start;
    ends[slot] = end;
  }
  return Math.min(ends[slot] as number, start + longest);
}

/** Headers that were read. There are few in a text, and in most texts the same. */
const algorithms = new Map<string, boolean>();
const mostHeaders = 1_000;

function namesAlgorithm(header: string): boolean {
  const before = algorithms.get(header);
  if (before !== undefined) return before;
  const read = jsonInBase64(header);
  const answer = read !== undefined && typeof Reflect.get(read, "alg") === "string";
  if (algorithms.size >= mostHeaders) algorithms.clear();
  // A copy: a part of a text would keep the whole text alive.
  algorithms.set(Buffer.from(header, "latin1").toString("latin1"), answer);
  return answer;
}
