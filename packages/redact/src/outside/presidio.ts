import {
  func,
  list,
  nonEmptyText,
  type OptionTable,
  object,
  quoted,
  readOptions,
  required,
  such,
  whole,
} from "@toolstile/core/provider";
import { answerTo, urlWith } from "./answer-to.js";
import {
  defaultMaxCharacters,
  defaultTimeoutMs,
  kindOf,
  NoAnswer,
  type RecognizedFinding,
  type Recognizer,
} from "./recognizer.js";

/** The options of `presidio()` that data can state. */
export interface PresidioData {
  /** The address of Presidio's analyzer; `/analyze` and `/supportedentities` are added. */
  readonly url: string;
  /** By Presidio's names. Default: `PERSON` and `LOCATION`. `DATE_TIME` is every date, not only that of a birth. */
  readonly entities?: readonly string[] | undefined;
  /** Default "en". */
  readonly language?: string | undefined;
  /** From 0 to 1: the least score that counts. Default: the analyzer's own. */
  readonly scoreThreshold?: number | undefined;
  /** Milliseconds for one answer. Default 3,000. */
  readonly timeoutMs?: number | undefined;
  /** The longest text. Default 100,000 UTF-16 units. */
  readonly maxCharacters?: number | undefined;
  /** Default "presidio". */
  readonly name?: string | undefined;
}

export interface PresidioOptions extends PresidioData {
  /** Sent with each request, for a gateway in front of the analyzer. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

const presidioOptions: OptionTable<PresidioOptions> = {
  url: required(nonEmptyText()),
  entities: list(
    such<string>(
      (value) => typeof value === "string" && /^[A-Z][A-Z0-9_]{0,38}$/.test(value),
      "the name of an entity, as Presidio writes it",
    ),
  ),
  language: nonEmptyText(),
  scoreThreshold: such<number>(
    (value) => typeof value === "number" && value >= 0 && value <= 1,
    "a number from 0 to 1",
  ),
  timeoutMs: whole(1, 2 ** 31 - 1),
  maxCharacters: whole(1, 2 ** 30),
  name: nonEmptyText(),
  headers: object<Readonly<Record<string, string>>>(),
  fetch: func<typeof globalThis.fetch>(),
};

/**
 * Asks Presidio's analyzer, over HTTP (`POST /analyze`).
 *
 * Before the first text it asks for the list of entities
 * (`GET /supportedentities`), because the analyzer passes over what it does not
 * find: an entity that is not there counts as no answer. An answer with another entity than those it was asked for, or with a place
 * that is not in the text, counts as no answer.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION` for wrong options.
 */
export function presidio(options: PresidioOptions): Recognizer {
  const read = readOptions("presidio", options, presidioOptions);
  const { entities = ["PERSON", "LOCATION"], language = "en", scoreThreshold, headers = {} } = read;
  const url = urlWith("presidio", "url", read.url, "/analyze");
  const list = urlWith("presidio", "url", read.url, "/supportedentities");
  const listUrl = `${list}?language=${encodeURIComponent(language)}`;
  const fetch = read.fetch ?? globalThis.fetch;
  let hasAll = false;
  return {
    name: read.name ?? "presidio",
    kinds: entities.map(kindOf),
    timeoutMs: read.timeoutMs ?? defaultTimeoutMs,
    maxCharacters: read.maxCharacters ?? defaultMaxCharacters,
    async find(text, signal) {
      if (!hasAll) {
        const known = await answerTo({ url: listUrl, headers, fetch, signal });
        const lacking = entities.find((each) => !Array.isArray(known) || !known.includes(each));
        if (lacking !== undefined) throw new NoAnswer(`does not find ${quoted(lacking)}`);
        hasAll = true;
      }
      const least = scoreThreshold === undefined ? {} : { score_threshold: scoreThreshold };
      const body = { text, language, entities, ...least };
      const answer = await answerTo({ url, headers, body, fetch, signal });
      if (!Array.isArray(answer)) throw new Error("the answer must be a list");
      const unitsAt = places(text);
      return answer.map((each): RecognizedFinding => {
        const { entity_type, start, end, score } = Object(each);
        if (!entities.includes(entity_type)) throw new Error("an entity was not asked for");
        return { start: unitsAt(start), end: unitsAt(end), kind: kindOf(entity_type), score };
      });
    },
  };
}

/** The beginning of each character: Python counts characters, JavaScript UTF-16 units. Not a number for what is no place. */
function places(text: string): (character: unknown) => number {
  const starts: number[] = [];
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
    starts.push(at);
  starts.push(text.length);
  return (character) => starts[Number.isInteger(character) ? Number(character) : -1] ?? Number.NaN;
}
