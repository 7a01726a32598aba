import { didYouMean, quoted } from "@toolstile/core/provider";
import type { Flow, RailsConfigData } from "../config/model.js";
import {
  detectableLanguages,
  languageCode,
  languages,
  loadLanguageDetector,
} from "../detection/languages.js";
import { wrongFlow } from "./build-rail.js";
import { CannotJudge } from "./cannot-judge.js";
import { judgedMessages } from "./guard-answer.js";
import type { RailOfFlow } from "./rail.js";
import { blocked, passed } from "./verdicts.js";

const english = "I'm sorry, I can't respond to that.";

/** The refusal in the languages that NeMo has one in. */
const refusals: ReadonlyMap<string, string> = new Map([
  ["en", english],
  ["es", "Lo siento, no puedo responder a eso."],
  ["zh", "抱歉，我无法回答这个问题。"],
  ["de", "Es tut mir leid, darauf kann ich nicht antworten."],
  ["fr", "Je suis désolé, je ne peux pas répondre à cela."],
  ["hi", "क्षमा करें, मैं इसका उत्तर नहीं दे सकता।"],
  ["ja", "申し訳ありませんが、それにはお答えできません。"],
  ["ar", "عذرًا، لا يمكنني الرد على ذلك."],
  ["th", "ขออภัย ฉันไม่สามารถตอบเรื่องนั้นได้"],
]);

/**
 * `language detector check input`: a text in a language that is not allowed, or that is blocked, blocks.
 *
 * A text without letters passes. One whose language is not sure, as of most
 * single words, blocks unless `fail_open` is set: it is never taken for English.
 * Each of several messages blocks if its language is sure and not allowed: the
 * others would hide it.
 */
export function languageDetector(flow: Flow, data: RailsConfigData): RailOfFlow {
  const section = data.config.language_detector;
  const codesOf = (key: string, written: Iterable<string>): ReadonlySet<string> =>
    new Set(Array.from(written, (each) => detectableCode(each, key, flow)));
  const isBlocklist = section.blocked_languages !== null;
  const listed = isBlocklist
    ? codesOf("blocked_languages", section.blocked_languages ?? [])
    : codesOf("allowed_languages", section.allowed_languages ?? ["en"]);
  const written = Object.entries(section.refusal_messages ?? {});
  const own = new Map(
    written.map(([code, text]) => [detectableCode(code, "refusal_messages", flow), text]),
  );
  const isRefused = (language: string | undefined): boolean =>
    language !== undefined && listed.has(language) === isBlocklist;
  return {
    judge: async (subject) => {
      const [text, ...others] = judgedMessages(subject)
        .map((each) => lettersOf(each, section.num_characters_for_prediction))
        .filter((each) => each !== "");
      if (text === undefined) return passed;
      const detect = await loadLanguageDetector().catch(() => {
        throw new CannotJudge("the package eld is not installed");
      });
      const found = detect(text);
      // A short message is often not sure: all of them together must be.
      const language = isRefused(found) ? found : (others.map(detect).find(isRefused) ?? found);
      const metadata = { language: language ?? null };
      const isAllowed = language === undefined ? section.fail_open : !isRefused(language);
      if (isAllowed) return { status: "passed", metadata };
      const refusal =
        own.get(language ?? "") ?? refusals.get(language ?? "") ?? own.get("en") ?? english;
      return { ...blocked(flow.name, metadata), refusal };
    },
  };
}

/** The first characters of a text, if there is a letter among them. */
function lettersOf(text: string, most: number | null): string {
  const read = most === null ? text : Array.from(text).slice(0, most).join("");
  return /\p{L}/u.test(read) ? read : "";
}

/** @throws ToolstileError `ERR_CONFIG` for what is no language, and for one that is not told apart: its rule would never apply. */
function detectableCode(written: string, key: string, flow: Flow): string {
  const code = languageCode(written);
  if (detectableLanguages.includes(code)) return code;
  const place = `rails.config.language_detector.${key}`;
  const what = languages.has(code)
    ? `which cannot be told from others. There are: ${detectableLanguages.join(", ")}.`
    : `which is the code of no language.${didYouMean(code, languages)}`;
  throw wrongFlow(flow, `names in ${place} the language ${quoted(written)}, ${what}`);
}
