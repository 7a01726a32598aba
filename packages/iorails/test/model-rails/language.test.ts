import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import {
  detectableLanguages,
  languages,
  loadLanguageDetector,
} from "../../src/detection/languages.js";
import { user } from "./data.js";
import { plain, railsOf } from "./plain.js";

const flow = "language detector check input";
const detect = (text: string, language_detector: object = {}) =>
  plain("input", flow, { language_detector }, text);

describe("language detector check input", () => {
  it.each<[string, object, string]>([
    ["Hello, how are you today?", {}, "passed"],
    ["Hola, ¿cómo estás?", {}, "blocked"],
    ["Hola, ¿cómo estás?", { allowed_languages: ["en", "ES "] }, "passed"],
    ["Guten Morgen, wie geht es Ihnen?", { blocked_languages: ["de-AT"] }, "blocked"],
    ["Hello, how are you today?", { blocked_languages: ["de"] }, "passed"],
    ["12345 + 1 = ?", {}, "passed"],
    ["🙂", {}, "passed"],
    ["", {}, "passed"],
    ["xyzzy qwfp", {}, "blocked"],
    ["xyzzy qwfp", { blocked_languages: ["de"] }, "blocked"],
    ["xyzzy qwfp", { fail_open: true }, "passed"],
    [
      "Good morning to you. Guten Morgen, wie geht es Ihnen heute denn so?",
      { num_characters_for_prediction: 20 },
      "passed",
    ],
  ])("of %j with %j is %s", async (text, section, status) => {
    expect((await detect(text, section)).verdict.status).toBe(status);
  });

  const long = "Please tell me what the weather will be like on Sunday, and whether I need a coat.";
  const german = "Guten Morgen, wie geht es Ihnen heute?";
  it.each<[string, readonly object[], string]>([
    ["in one of several messages", [user(long), user(german), user(long)], "blocked"],
    ["behind a name", [{ ...user(german), name: `${long} ${long}` }], "blocked"],
    ["in none of several", [user(long), user("ratings"), user(long)], "passed"],
  ])("looks for a language %s", async (_, messages, status) => {
    for (const num_characters_for_prediction of [60, null]) {
      const section = { language_detector: { num_characters_for_prediction } };
      const [rail] = railsOf("input", flow, section);
      const verdict = await rail?.judge({ messages: messages as never }, {} as never);
      expect(verdict?.status).toBe(status);
    }
  });

  it("says which language it saw, and refuses in it", async () => {
    expect((await detect("Hola, ¿cómo estás?")).verdict).toEqual({
      status: "blocked",
      basis: "policy",
      reason: flow,
      metadata: { language: "es" },
      refusal: "Lo siento, no puedo responder a eso.",
    });
  });

  it.each<[string, object, string]>([
    ["Hola, ¿cómo estás?", { es: "No." }, "No."],
    ["Hej, hur mår du?", { en: "Sorry." }, "Sorry."],
    ["Hej, hur mår du?", {}, "I'm sorry, I can't respond to that."],
    ["xyzzy qwfp", {}, "I'm sorry, I can't respond to that."],
  ])("refuses %j with the messages %j by %j", async (text, refusal_messages, refusal) => {
    expect((await detect(text, { refusal_messages })).verdict).toMatchObject({ refusal });
  });

  it.each([
    [{ allowed_languages: ["xx-klingon"] }, "'xx-klingon', which is the code of no language"],
    [{ blocked_languages: ["br"] }, "'br', which cannot be told from others"],
    [{ refusal_messages: { xx: "no" } }, "'xx'"],
  ])("does not load with %j", (language_detector, problem) => {
    expect(() => railsOf("input", flow, { language_detector })).toThrow(problem);
  });

  it("does not load without the package eld, and says how to install it", async () => {
    const script = fileURLToPath(new URL("without-eld.mjs", import.meta.url));
    const program = ["--conditions=@toolstile/source", script];
    const { stdout } = await promisify(execFile)(process.execPath, program);
    expect(stdout).toMatch(/^ERR_CONFIG .*'language detector check input'.*npm install eld/s);
  });

  it("can tell the languages that it says it can, all of which NeMo knows", async () => {
    const { eld } = await import("eld/small");
    expect([...detectableLanguages]).toEqual(Object.values(eld.info().Languages).sort());
    expect(detectableLanguages.filter((code) => !languages.has(code))).toEqual([]);
    expect(languages.size).toBe(176);
    expect((await loadLanguageDetector())("Wie spät ist es denn?")).toBe("de");
  });
});
