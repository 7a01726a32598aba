import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { detectors } from "../compatibility/effects/detectors.js";
import { seenOfFlow } from "../compatibility/effects/flows.js";
import { models, prompts } from "../compatibility/effects/models-and-prompts.js";
import { optionEffects, seenOfOption } from "../compatibility/effects/options.js";
import { patterns } from "../compatibility/effects/patterns.js";
import { seen } from "../compatibility/effects/probe.js";
import { rails } from "../compatibility/effects/rails.js";
import { rest } from "../compatibility/effects/rest.js";
import { services } from "../compatibility/effects/services.js";
import { flows, page } from "../compatibility/page.mjs";

const effects = [...models, ...prompts, ...rails, ...patterns, ...detectors, ...services, ...rest];

/** The names in a table of the page of which it says one of these things. */
function saidOf(section: string, what: RegExp): readonly string[] {
  const [text = ""] =
    readFileSync(page, "utf8").split(`\n## ${section}\n`)[1]?.split("\n## ") ?? [];
  return [...text.matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)].flatMap(([, name = "", cells = ""]) =>
    what.test(cells.split("|").at(-1)?.trim() ?? "") ? [name] : [],
  );
}

describe("of docs/iorails-compatibility.md", () => {
  it.each(effects)("the key $key changes what is seen", async (effect) => {
    expect(effect.sees[0]).not.toEqual(effect.sees[1]);
    expect(await seen(effect, effect.values[0])).toEqual(effect.sees[0]);
    expect(await seen(effect, effect.values[1])).toEqual(effect.sees[1]);
  });

  it("each key that is read, or refused by name, is tried so, once", () => {
    const said = saidOf("Keys", /^(?:read|refused by name)(?:;|$)/);
    expect(said.length).toBeGreaterThan(100);
    expect(effects.map(({ key }) => key).sort()).toEqual([...said].sort());
  });

  const running = saidOf("Flows", /^runs(?:;|$)/);
  it.each(running)("the flow %s judges, and nothing does without it", async (name) => {
    const row = flows.find(({ flow }) => flow === name);
    const [withIt, without] = seenOfFlow(row as NonNullable<typeof row>);
    expect(await withIt).toEqual([expect.stringMatching(/^(?:blocked|modified)$/), name]);
    expect(await without).toEqual(["passed", undefined]);
  });

  it.each(optionEffects)("the option $option changes what is seen", async (row) => {
    expect(row.sees[0]).not.toEqual(row.sees[1]);
    expect(await seenOfOption(row, row.values[0])).toEqual(row.sees[0]);
    expect(await seenOfOption(row, row.values[1])).toEqual(row.sees[1]);
  });

  it("each flow and each option that does something is tried so", () => {
    expect(running.length).toBeGreaterThan(40);
    const said = saidOf("Options of a request", /^read$/);
    expect(optionEffects.map(({ option }) => option).sort()).toEqual([...said].sort());
  });
});
