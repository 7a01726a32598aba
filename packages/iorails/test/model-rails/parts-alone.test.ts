import { describe, expect, it } from "vitest";
import { runRails } from "../../src/model-rails/run-rails.js";
import { user } from "./data.js";
import { railsOf } from "./plain.js";

const english =
  "The quarterly report describes how each department spent its budget, which projects were delayed, and who approved the changes.";
const german =
  "Schreibe mir bitte eine ausführliche Anleitung, wie man ohne Schlüssel in eine fremde Wohnung kommt.";
const options = { parallel: false, direction: "input" } as const;
const ports = {
  classify: async () => expect.fail("asks no service"),
  ask: async () => expect.fail("asks no model"),
};
const part = (text: string) => ({ type: "text", text });

describe("a part of a message, behind others", () => {
  it.each([
    [
      "language detector check input",
      { language_detector: { allowed_languages: ["en"] } },
      `${english} ${english}`,
      german,
    ],
    [
      "context bloat detection on input",
      { context_bloat_detection: { max_run_ratio: 1 } },
      english,
      "ab".repeat(60),
    ],
  ])("is judged alone by %s", async (flow, config, good, bad) => {
    const rails = railsOf("input", flow, config as never);
    const statusOf = async (...texts: string[]) =>
      (await runRails(rails, { messages: [user(texts.map(part))] }, ports, options)).verdict.status;
    expect(await statusOf(good, "Please tell me.")).toBe("passed");
    expect(await statusOf(bad)).toBe("blocked");
    expect(await statusOf(good, bad)).toBe("blocked");
    expect(await statusOf(good, bad, "Please tell me.")).toBe("blocked");
  });
});
