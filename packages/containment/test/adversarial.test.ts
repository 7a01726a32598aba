import { describe, expect, it } from "vitest";
import { clients } from "./adversarial/clients.js";
import { mails } from "./adversarial/mails.js";
import { others } from "./adversarial/others.js";
import { partial } from "./adversarial/parts.js";
import { results } from "./adversarial/results.js";
import { spellings } from "./adversarial/spellings.js";
import { texts } from "./adversarial/texts.js";
import { urls } from "./adversarial/urls.js";
import { play } from "./world.js";

const cases = [
  ...clients,
  ...urls,
  ...mails,
  ...texts,
  ...others,
  ...spellings,
  ...partial,
  ...results,
];

describe("under balanced, after an untrusted result", () => {
  it.each(cases)("%s", async (_, said, before, call, becomes) => {
    const outcomes = await play(said, [...before, call]);
    const last = outcomes.at(-1);
    const became = last?.status === "denied" ? last.code : "free";
    expect(became?.split("+")).toContain(becomes);
    if (last?.status === "denied") expect(last.reason).not.toMatch(/evil|mallory|4711/i);
  });

  it("has at least 60 cases, of which some are free and more are held", () => {
    const free = cases.filter(([, , , , becomes]) => becomes === "free");
    expect(cases.length).toBeGreaterThanOrEqual(60);
    expect(free.length).toBeGreaterThan(15);
    expect(free.length).toBeLessThan(cases.length / 2);
  });
});
