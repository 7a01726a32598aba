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
      const { units, length } = source;
      let judgement: Judgement;
      let end = at;
      for (let pairs = 0; ; pairs++) {
        const sign = nameEnd(units, end);
        if (sign < 0) break;
        const from = sign + 1;
        const to = Math.min(length, from + longestValue);
        const valueEnd = pairs < mostPairs ? runEnd(units, from, to, endsValue) : to;
        if (pairs < mostPairs && units[valueEnd] === semicolon) {
          const length = sign - end;
          if (length === one || length === other) judgement ??= judge(source, end, sign, valueEnd);
          end = valueEnd + 1;
          if (units[end] === space && isCapital(units[end + 1] as number)) end += 1;
          continue;
        }
        if (pairs === 0) return undefined;
        const last = runEnd(units, from, to, endsLastValue);
        if (last === from) break;
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
