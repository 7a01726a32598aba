import { asciiLetters, isLetterCode, runEnd, tableOf, whitespace } from "../text/classes.js";
import { continuesBefore } from "../text/marks.js";
import type { Source } from "../text/source.js";
import type { Detector } from "./detector.js";
import { isPlaceholderAt } from "./placeholder.js";

/** What a pair makes of its row: an item, or none whatever follows. */
type Judgement = "item" | "none" | undefined;
type Judge = (source: Source, name: number, sign: number, end: number) => Judgement;

const equals = 61;
const semicolon = 59;
const space = 32;
const longestName = 31;
const longestValue = 256;
const mostPairs = 20;
const inName = tableOf(`${asciiLetters} `);
const endsValue = tableOf(`${whitespace};"'\`<>&[]\\|`);
/** No `;` need stand behind the last value. */
const endsLastValue = tableOf(`${whitespace};"'\`<>&[]\\|,)`);

/** Rows such as `Name=value;Name=value`, as ADO.NET, ODBC and Azure write them. */
function rowOfPairs(
  kind: string,
  anchors: readonly string[],
  names: readonly string[],
  judge: Judge,
): Detector {
  const [one = 0, other = 0] = names.map(({ length }) => length);
  return {
    kind,
    anchors,
    anyCase: true,
    atAnchor(source, at, before) {
      if (continuesBefore(source, at)) return undefined;
      const { units } = source;
      let judgement: Judgement;
      let end = at;
      for (let pairs = 0; ; pairs++) {
        const pair = pairAt(source, end);
        const sign = signs[pair] as number;
        if (sign < 0) break;
        const to = ends[pair] as number;
        if (pairs < mostPairs && units[to] === semicolon) {
          const length = sign - end;
          if (length === one || length === other) judgement ??= judge(source, end, sign, to);
          end = to + 1;
          if (units[end] === space && isCapital(units[end + 1] as number)) end += 1;
          continue;
        }
        if (pairs === 0) return undefined;
        const last = valueEnd(source, sign, endsLastValue);
        if (last === sign + 1) break;
        judgement ??= judge(source, end, sign, last);
        end = last;
        break;
      }
      if (judgement === "item") return { start: at, end: units[end - 1] === space ? end - 1 : end };
      if (end > at) before.doubt(at, at, end);
      return undefined;
    },
  };
}

/**
 * The pairs of a text that were read last, each at the place of its first unit: a row is read from each of its names on,
 * and each time over the pairs that the next reading begins with.
 */
const mostKept = 256;
const starts = new Int32Array(mostKept);
const signs = new Int32Array(mostKept);
const ends = new Int32Array(mostKept);
let textOfPairs = 0;

/** The place in the arrays of the pair that begins at `start`, or of what begins none: its sign is -1. */
function pairAt(source: Source, start: number): number {
  if (source.id !== textOfPairs) starts.fill(-1);
  textOfPairs = source.id;
  const pair = start % mostKept;
  if (starts[pair] === start) return pair;
  const sign = nameEnd(source.units, start);
  starts[pair] = start;
  signs[pair] = sign;
  if (sign >= 0) ends[pair] = valueEnd(source, sign, endsValue);
  return pair;
}

function valueEnd({ units, length }: Source, sign: number, ends: Uint8Array): number {
  return runEnd(units, sign + 1, Math.min(length, sign + 1 + longestValue), ends);
}

/** The `=` behind the name that begins at `start`; -1 if none does. */
function nameEnd(units: Uint16Array, start: number): number {
  let end = start;
  if (!isLetterCode(units[end] as number)) return -1;
  while (end - start < longestName && inName[units[end] as number] === 1) end += 1;
  return units[end] === equals ? end : -1;
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

const passwordNames = /^(?:password|pwd)$/i;

/** The first password of a row decides. */
function hasPassword(source: Source, name: number, sign: number, end: number): Judgement {
  if (end - sign < 5 || !passwordNames.test(source.text.slice(name, sign))) return undefined;
  return isPlaceholderAt(source, sign + 1, end) ? "none" : "item";
}

const accountKey = /^(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,120}={0,2}$/;

function hasAccountKey(source: Source, name: number, sign: number, end: number): Judgement {
  if (end - sign < 41) return undefined;
  return accountKey.test(source.text.slice(name, end)) ? "item" : undefined;
}

const storeAnchors = ["server=", "data source=", "host=", "driver="];
const azureAnchors = ["defaultendpointsprotocol=", "endpoint=sb:", "accountname="];

export const rowsOfPairs: readonly Detector[] = [
  rowOfPairs("secret.connection_string", storeAnchors, ["password", "pwd"], hasPassword),
  rowOfPairs(
    "secret.azure_storage",
    azureAnchors,
    ["AccountKey", "SharedAccessKey"],
    hasAccountKey,
  ),
];
