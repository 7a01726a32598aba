import { stripVTControlCharacters } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { guardedAgent } from "../src/demo/agent.js";
import { isAsScripted } from "../src/demo/ruling.js";
import { script } from "../src/demo/script.js";
import { main } from "../src/main.js";
import { capturedTerminal } from "./captured-terminal.js";
import { temporaryFolder } from "./temporary-folder.js";

afterEach(() => vi.unstubAllEnvs());

describe("toolstile demo", () => {
  it("goes as its script says, and finds the flipped byte", async () => {
    const terminal = capturedTerminal();
    expect(await main(["demo"], terminal)).toBe(0);
    const { out, err } = terminal.written();
    expect(err).toBe("");
    expect(out).toContain("All 14 calls ended as the script says.");
    expect(out).toMatch(/found, in record \d+:/);
    expect(out).not.toContain("\u001b");
  });

  it("fits a terminal of 80 columns, and is in colour there", async () => {
    const terminal = capturedTerminal({ isTTY: true });
    await main(["demo"], terminal);
    const { out } = terminal.written();
    const plain = stripVTControlCharacters(out);
    expect(out).not.toBe(plain);
    expect(Math.max(...plain.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("says which folder it needs, and ends with 1, where it may not make one", async () => {
    const nowhere = temporaryFolder().at("none");
    vi.stubEnv("TMPDIR", nowhere);
    const terminal = capturedTerminal();
    expect(await main(["demo"], terminal)).toBe(1);
    const { out, err } = terminal.written();
    expect(out).toBe("");
    expect(err).toBe(
      `${nowhere}: there is no such file\n` +
        "The demo needs a folder for its audit log: set TMPDIR to one that it may write in.\n",
    );
  });

  it("notices a call that ends otherwise than its script says", async () => {
    const audit = temporaryFolder().at("audit.jsonl");
    const verdicts: boolean[] = [];
    for await (const { turn, acts } of guardedAgent(script.slice(0, 6), audit)) {
      const [first] = acts;
      const [[, asked, expected] = []] = turn.calls;
      if (first === undefined || asked === undefined || expected === undefined) continue;
      verdicts.push(isAsScripted(first, asked, expected));
      expect(isAsScripted(first, asked, { ...expected, code: "other" })).toBe(false);
      expect(isAsScripted(first, asked, { ...expected, by: "nobody" })).toBe(false);
      if (first.deed === undefined) continue;
      expect(isAsScripted({ ...first, deed: undefined }, asked, expected)).toBe(false);
      expect(isAsScripted(first, asked, { ...expected, ran: "{}" })).toBe(false);
    }
    expect(verdicts).toEqual([true, true, true, true, true, true]);
  });
});
